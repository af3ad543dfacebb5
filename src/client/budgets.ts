import { BUDGETS, failRefused } from '#core/budgets.ts';
import type { BudgetLimits, BudgetName, Budgets, Ceilings, Costs, Refusal } from '#core/budgets.ts';
import { BUDGET_MINUTE_MS, BUDGET_MINUTE_SLOT_MS } from './limits.ts';
import { available, retryAfterMs, slotAt, slotEnd, withTaken } from '#core/flow/sliding-window.ts';
import type { Taken, Window } from '#core/flow/sliding-window.ts';
import { DAY, blockOf } from '#client/deployment/deployment-budgets.ts';
import type { DayTaken, LeaseAnswer, LeaseAsk } from '#client/deployment/deployment-budgets.ts';

export type SubjectBudgetsDeps = {
  now: () => number;
  load: () => DayTaken;
  save: (taken: DayTaken) => void;
  /** What was really spent, which only people are shown: no call waits for it to be stored. */
  loadUsed: () => DayTaken;
  saveUsed: (used: DayTaken) => void;
  /** Asks the deployment's object. */
  lease: (ask: LeaseAsk, totals: Ceilings) => Promise<LeaseAnswer>;
};

const MINUTE: Window = { windowMs: BUDGET_MINUTE_MS, slotMs: BUDGET_MINUTE_SLOT_MS };

/** A part of a budget that is counted already, here and at the deployment, and not yet used. */
type Block = { left: number; endsAt: number };

/**
 * The budgets of one subject. Units are taken in blocks, from its own limit and the deployment's at once; a call is
 * then paid out of a block, in memory, without another object and without a write. A restart loses what was left of a
 * block, so the limit is rather reached too early than exceeded. The minute is kept in memory alone, and a restart
 * begins it anew.
 */
export class SubjectBudgets {
  readonly #deps: SubjectBudgetsDeps;
  readonly #blocks = new Map<BudgetName, Block>();
  /** What those who are being served right now want to spend. */
  readonly #demand: Record<BudgetName, number> = { calls: 0, searches: 0, browser_ms: 0 };
  /** What the deployment has refused, so that it is not asked over and over. */
  readonly #closed = new Map<BudgetName, { least: number; until: number }>();
  #taken: DayTaken;
  #used: DayTaken;
  #minute: Taken = [];
  #filling: Promise<Refusal | null> | null = null;

  constructor(deps: SubjectBudgetsDeps) {
    this.#deps = deps;
    this.#taken = deps.load();
    this.#used = deps.loadUsed();
  }

  /** Spends all of it and answers `null`, or nothing and says which budget has no room. */
  async spend(costs: Costs, limits: BudgetLimits): Promise<Refusal | null> {
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

  /** What was taken in blocks, by slot. */
  get taken(): DayTaken {
    return this.#taken;
  }

  /** What was spent out of them, by slot. */
  get used(): DayTaken {
    return this.#used;
  }

  /** One at a time: whoever comes meanwhile waits for it, and then looks again. */
  async #fillOnce(short: readonly BudgetName[], costs: Costs, limits: BudgetLimits): Promise<Refusal | null> {
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

  async #fill(short: readonly BudgetName[], costs: Costs, limits: BudgetLimits): Promise<Refusal | null> {
    const now = this.#deps.now();
    const ask: LeaseAsk = {};
    for (const budget of short) {
      const left = this.#left(budget);
      const least = (costs[budget] ?? 0) - left;
      const limit = limits.perDay[budget];
      const own = available(this.#taken[budget], limit, now, DAY);
      if (own < least) {
        const wait = retryAfterMs(this.#taken[budget], limit, least, now, DAY);
        return { budget, window: 'day', scope: 'subject', retryAfterMs: wait };
      }
      const closed = this.#closed.get(budget);
      if (closed !== undefined && now < closed.until && least >= closed.least) {
        return { budget, window: 'day', scope: 'deployment', retryAfterMs: closed.until - now };
      }
      const demand = this.#demand[budget] - left;
      ask[budget] = { least, demand, most: Math.min(own, Math.max(demand, blockOf(budget, own))) };
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
    const endsAt = slotEnd(slot, DAY);
    for (const name of BUDGETS) {
      const amount = granted[name];
      if (amount === undefined) continue;
      const block = this.#blocks.get(name);
      const left = block !== undefined && block.endsAt === endsAt ? block.left : 0;
      this.#blocks.set(name, { left: left + amount, endsAt });
      this.#taken = { ...this.#taken, [name]: withTaken(this.#taken[name], slot, amount, DAY) };
    }
    this.#deps.save(this.#taken);
  }

  #left(name: BudgetName): number {
    const block = this.#blocks.get(name);
    return block === undefined || this.#deps.now() >= block.endsAt ? 0 : block.left;
  }

  /** Nothing may be awaited between looking and paying. */
  #pay(costs: Costs): void {
    const slot = slotAt(this.#deps.now(), DAY);
    for (const name of BUDGETS) {
      const cost = costs[name] ?? 0;
      const block = this.#blocks.get(name);
      if (block === undefined || cost === 0) continue;
      block.left -= cost;
      this.#used = { ...this.#used, [name]: withTaken(this.#used[name], slot, cost, DAY) };
    }
    this.#deps.saveUsed(this.#used);
    const calls = costs.calls ?? 0;
    if (calls > 0) this.#minute = withTaken(this.#minute, slotAt(this.#deps.now(), MINUTE), calls, MINUTE);
  }

  #tooFast({ calls = 0 }: Costs, { callsPerMinute }: BudgetLimits): Refusal | null {
    const now = this.#deps.now();
    if (calls <= available(this.#minute, callsPerMinute, now, MINUTE)) return null;
    const wait = retryAfterMs(this.#minute, callsPerMinute, calls, now, MINUTE);
    return { budget: 'calls', window: 'minute', scope: 'subject', retryAfterMs: wait };
  }

  #want(costs: Costs, sign: 1 | -1): void {
    for (const name of BUDGETS) this.#demand[name] += sign * (costs[name] ?? 0);
  }
}

function requireWhole(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('a cost is a whole number of units');
}

/** What is needed of a subject's object: `env.CLIENT.get(env.CLIENT.idFromName(subject))`. */
type BudgetObject = { spend: (costs: Costs, limits: BudgetLimits) => Promise<Refusal | null> };

/** The budgets of the subject behind `object`, for calls and for browser sessions alike. */
export function budgetPort(object: BudgetObject, limits: BudgetLimits): Budgets {
  const spend = async (costs: Costs) => {
    const refusal = await object.spend(costs, limits);
    if (refusal !== null) failRefused(refusal);
  };
  return { spend, check: (budget) => spend({ [budget]: 1 }) };
}
