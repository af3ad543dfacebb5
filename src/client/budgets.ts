import { BUDGETS, failOverBudget } from '#core/budgets.ts';
import type { BudgetLimits, BudgetName, Budgets, BudgetCeilings, CallCosts, BudgetRefusal } from '#core/budgets.ts';
import { availableAmount, computeRetryAfterMs, slotAt, slotEnd, addToSlot } from '#core/flow/rate-limits.ts';
import type { SlotAmounts, SlidingWindow } from '#core/flow/rate-limits.ts';
import { BUDGET_DAY_WINDOW, leaseBlockSize } from '#client/deployment/deployment-budgets.ts';
import type { LeasedAmounts, LeaseAnswer, LeaseRequest } from '#client/deployment/deployment-budgets.ts';
import { SECOND_MS, MINUTE_MS } from '#core/limits.ts';

const BUDGET_MINUTE_MS = 1 * MINUTE_MS;
const BUDGET_MINUTE_SLOT_MS = 1 * SECOND_MS;

type SubjectBudgetsDeps = {
  now: () => number;
  load: () => LeasedAmounts;
  save: (taken: LeasedAmounts) => void;
  /** Amounts actually spent. They are only shown to users, so calls do not wait until they are stored. */
  loadUsed: () => LeasedAmounts;
  saveUsed: (used: LeasedAmounts) => void;
  lease: (ask: LeaseRequest, totals: BudgetCeilings) => Promise<LeaseAnswer>;
};

const MINUTE: SlidingWindow = { windowMs: BUDGET_MINUTE_MS, slotMs: BUDGET_MINUTE_SLOT_MS };

/** Units, such as calls, that are counted against the limits of the subject and the deployment, but not yet spent. */
type Block = { left: number; endsAt: number };

/**
 * The budgets of one subject. Units are leased in blocks, which count against the limits of the subject and of the
 * deployment. Calls are then paid from a block in memory, without a request to another object and without waiting for a
 * write. A restart loses the remaining units of a block, so a daily limit may be reached early but is never exceeded.
 * The per-minute limit is only in memory and is reset by a restart.
 */
export class SubjectBudgets {
  readonly #deps: SubjectBudgetsDeps;
  readonly #blocks = new Map<BudgetName, Block>();
  readonly #demand: Record<BudgetName, number> = { calls: 0, searches: 0, browser_ms: 0 };
  /** Recent refusals by the deployment's budgets, cached so that these budgets are not queried again for each call. */
  readonly #closed = new Map<BudgetName, { least: number; until: number }>();
  #taken: LeasedAmounts;
  #used: LeasedAmounts;
  #minute: SlotAmounts = [];
  #filling: Promise<BudgetRefusal | null> | null = null;

  constructor(deps: SubjectBudgetsDeps) {
    this.#deps = deps;
    this.#taken = deps.load();
    this.#used = deps.loadUsed();
  }

  /**
   * Spends every cost and returns `null`; or, if a budget or the per-minute limit is exhausted, spends nothing and
   * returns the refusal.
   */
  async spend(costs: CallCosts, limits: BudgetLimits): Promise<BudgetRefusal | null> {
    for (const name of BUDGETS) requireWhole(costs[name] ?? 0);
    this.#want(costs, 1);
    try {
      for (;;) {
        const tooFast = this.#tooFast(costs, limits);
        if (tooFast !== null) return tooFast;
        const short = BUDGETS.filter((name) => this.#left(name) < (costs[name] ?? 0));
        if (short.length === 0) {
          this.#pay(costs);
          return null;
        }
        const refusal = await this.#fillOnce(short, costs, limits);
        if (refusal !== null) return refusal;
      }
    } finally {
      this.#want(costs, -1);
    }
  }

  get taken(): LeasedAmounts {
    return this.#taken;
  }

  get used(): LeasedAmounts {
    return this.#used;
  }

  /**
   * Runs one lease request at a time. A caller that arrives meanwhile waits for the running request and then checks
   * again.
   */
  async #fillOnce(short: readonly BudgetName[], costs: CallCosts, limits: BudgetLimits): Promise<BudgetRefusal | null> {
    if (this.#filling !== null) {
      await this.#filling.catch(() => null);
      return null;
    }
    this.#filling = this.#fill(short, costs, limits);
    try {
      return await this.#filling;
    } finally {
      this.#filling = null;
    }
  }

  async #fill(short: readonly BudgetName[], costs: CallCosts, limits: BudgetLimits): Promise<BudgetRefusal | null> {
    const now = this.#deps.now();
    const ask: LeaseRequest = {};
    for (const budget of short) {
      const left = this.#left(budget);
      const least = (costs[budget] ?? 0) - left;
      const limit = limits.perDay[budget];
      const own = availableAmount(this.#taken[budget], limit, now, BUDGET_DAY_WINDOW);
      if (own < least) {
        const wait = computeRetryAfterMs(this.#taken[budget], limit, least, now, BUDGET_DAY_WINDOW);
        return { budget, window: 'day', scope: 'subject', retryAfterMs: wait };
      }
      const closed = this.#closed.get(budget);
      if (closed !== undefined && now < closed.until && least >= closed.least) {
        return { budget, window: 'day', scope: 'deployment', retryAfterMs: closed.until - now };
      }
      const demand = this.#demand[budget] - left;
      ask[budget] = { least, demand, most: Math.min(own, Math.max(demand, leaseBlockSize(budget, own))) };
    }
    const answer = await this.#deps.lease(ask, limits.totalPerDay);
    if ('refused' in answer) {
      const { refused: budget, retryAfterMs: wait } = answer;
      this.#closed.set(budget, { least: ask[budget]?.least ?? 0, until: now + wait });
      return { budget, window: 'day', scope: 'deployment', retryAfterMs: wait };
    }
    this.#keep(answer.granted, answer.slot);
    return null;
  }

  #keep(granted: Partial<Record<BudgetName, number>>, slot: number): void {
    const endsAt = slotEnd(slot, BUDGET_DAY_WINDOW);
    for (const name of BUDGETS) {
      const amount = granted[name];
      if (amount === undefined) continue;
      const block = this.#blocks.get(name);
      const left = block !== undefined && block.endsAt === endsAt ? block.left : 0;
      this.#blocks.set(name, { left: left + amount, endsAt });
      this.#taken = { ...this.#taken, [name]: addToSlot(this.#taken[name], slot, amount, BUDGET_DAY_WINDOW) };
    }
    this.#deps.save(this.#taken);
  }

  #left(name: BudgetName): number {
    const block = this.#blocks.get(name);
    return block === undefined || this.#deps.now() >= block.endsAt ? 0 : block.left;
  }

  /** Must run synchronously after the balance check, so that no other call spends the same units. */
  #pay(costs: CallCosts): void {
    const slot = slotAt(this.#deps.now(), BUDGET_DAY_WINDOW);
    for (const name of BUDGETS) {
      const cost = costs[name] ?? 0;
      const block = this.#blocks.get(name);
      if (block === undefined || cost === 0) continue;
      block.left -= cost;
      this.#used = { ...this.#used, [name]: addToSlot(this.#used[name], slot, cost, BUDGET_DAY_WINDOW) };
    }
    this.#deps.saveUsed(this.#used);
    const calls = costs.calls ?? 0;
    if (calls > 0) this.#minute = addToSlot(this.#minute, slotAt(this.#deps.now(), MINUTE), calls, MINUTE);
  }

  #tooFast({ calls = 0 }: CallCosts, { callsPerMinute }: BudgetLimits): BudgetRefusal | null {
    const now = this.#deps.now();
    if (calls <= availableAmount(this.#minute, callsPerMinute, now, MINUTE)) return null;
    const wait = computeRetryAfterMs(this.#minute, callsPerMinute, calls, now, MINUTE);
    return { budget: 'calls', window: 'minute', scope: 'subject', retryAfterMs: wait };
  }

  #want(costs: CallCosts, sign: 1 | -1): void {
    for (const name of BUDGETS) this.#demand[name] += sign * (costs[name] ?? 0);
  }
}

function requireWhole(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('a cost is a whole number of units');
}

type BudgetObject = { spend: (costs: CallCosts, limits: BudgetLimits) => Promise<BudgetRefusal | null> };

export function createBudgets(object: BudgetObject, limits: BudgetLimits): Budgets {
  return {
    spend: async (costs) => {
      const refusal = await object.spend(costs, limits);
      if (refusal !== null) failOverBudget(refusal);
    },
  };
}
