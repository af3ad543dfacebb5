import { MINUTE_MS } from '#core/limits.ts';
import * as z from 'zod';
import { BUDGETS } from '#core/budgets.ts';
import type { BudgetName, BudgetCeilings } from '#core/budgets.ts';
import { availableAmount, computeRetryAfterMs, slotAt, addToSlot } from '#core/flow/rate-limits.ts';
import type { SlotAmounts, SlidingWindow } from '#core/flow/rate-limits.ts';
import { BUDGET_DAY_MS, BUDGET_DAY_SLOT_MS } from '#client/limits.ts';

/** Maximum units that a subject leases in advance, so that most calls need no lease request and wait for no write. */
const BUDGET_BLOCK_MAX = { calls: 64, searches: 16, browser_ms: 1 * MINUTE_MS } as const;
/** Maximum share of the remaining units that is leased in advance. Small, because leased units may remain unused. */
const BUDGET_BLOCK_SHARE = 1 / 1024;

/**
 * Window of the daily budgets. Subjects lease parts of the deployment's budgets in blocks. A block is counted when it
 * is leased, and ends with its slot. It may remain partly unused but is never overdrawn.
 */
export const BUDGET_DAY_WINDOW: SlidingWindow = { windowMs: BUDGET_DAY_MS, slotMs: BUDGET_DAY_SLOT_MS };

export type LeasedAmounts = Readonly<Record<BudgetName, SlotAmounts>>;

/** Leased amounts and, as `used`, the spent part of them. The spent part is known only for single subjects. */
export type BudgetUse = LeasedAmounts & { used?: LeasedAmounts };

/**
 * A lease request: for each budget, the smallest useful block, the units that calls wait for, and the largest block.
 */
export type LeaseRequest = Partial<Record<BudgetName, { least: number; demand: number; most: number }>>;

export type LeaseAnswer =
  | { granted: Partial<Record<BudgetName, number>>; slot: number }
  | { refused: BudgetName; retryAfterMs: number };

const takenSchema = z.array(z.tuple([z.number(), z.number()])).readonly();
const dayTakenSchema: z.ZodType<LeasedAmounts> = z.object({
  calls: takenSchema,
  searches: takenSchema,
  browser_ms: takenSchema,
});

/** Parses the stored amounts that were leased or spent in a day; empty if none are stored. */
export function parseLeasedToday(stored: unknown): LeasedAmounts {
  const parsed = dayTakenSchema.safeParse(stored);
  return parsed.success ? parsed.data : { calls: [], searches: [], browser_ms: [] };
}

/** Grants a block of every requested budget, or of none. */
export function grantLease(
  taken: LeasedAmounts,
  ask: LeaseRequest,
  totals: BudgetCeilings,
  now: number,
): { taken: LeasedAmounts; answer: LeaseAnswer } {
  const slot = slotAt(now, BUDGET_DAY_WINDOW);
  const granted: Partial<Record<BudgetName, number>> = {};
  let next = taken;
  for (const name of BUDGETS) {
    const asked = ask[name];
    if (asked === undefined) continue;
    const left = availableAmount(taken[name], totals[name], now, BUDGET_DAY_WINDOW);
    if (left < asked.least) {
      const wait = computeRetryAfterMs(taken[name], totals[name], asked.least, now, BUDGET_DAY_WINDOW);
      return { taken, answer: { refused: name, retryAfterMs: wait } };
    }
    const amount = Math.min(left, asked.most, Math.max(asked.demand, leaseBlockSize(name, left)));
    granted[name] = amount;
    next = { ...next, [name]: addToSlot(next[name], slot, amount, BUDGET_DAY_WINDOW) };
  }
  return { taken: next, answer: { granted, slot } };
}

export function leaseBlockSize(name: BudgetName, left: number): number {
  return Math.min(BUDGET_BLOCK_MAX[name], Math.floor(left * BUDGET_BLOCK_SHARE));
}

const KEY = 'budgets_taken';

/** Amounts that all subjects together have leased. A subject requests a block of units, not units for each call. */
export class DeploymentBudgets {
  readonly #values: SyncKvStorage;
  #taken: LeasedAmounts;

  constructor(values: SyncKvStorage) {
    this.#values = values;
    this.#taken = parseLeasedToday(values.get(KEY));
  }

  taken(): LeasedAmounts {
    return this.#taken;
  }

  lease(ask: LeaseRequest, totals: BudgetCeilings): LeaseAnswer {
    const { taken, answer } = grantLease(this.#taken, ask, totals, Date.now());
    if (taken !== this.#taken) {
      this.#taken = taken;
      this.#values.put(KEY, taken);
    }
    return answer;
  }
}
