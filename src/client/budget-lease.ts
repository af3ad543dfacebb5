import * as z from 'zod';
import { BUDGETS } from '#core/budgets.ts';
import type { BudgetName, Ceilings } from '#core/budgets.ts';
import { BUDGET_BLOCK_MAX, BUDGET_BLOCK_SHARE, BUDGET_DAY_MS, BUDGET_DAY_SLOT_MS } from './limits.ts';

/**
 * How subjects get parts of the deployment's budgets: in blocks that are counted when they are given out, and that end
 * with the slot they are counted in. A block may be left unused, never overdrawn.
 */
export const DAY: Window = { windowMs: BUDGET_DAY_MS, slotMs: BUDGET_DAY_SLOT_MS };

export type DayTaken = Readonly<Record<BudgetName, Taken>>;

/** For each budget: without `least` a block is of no use, `demand` is what is waited for, `most` what may be given. */
export type LeaseAsk = Partial<Record<BudgetName, { least: number; demand: number; most: number }>>;

export type LeaseAnswer =
  | { granted: Partial<Record<BudgetName, number>>; slot: number }
  | { refused: BudgetName; retryAfterMs: number };

const takenSchema = z.array(z.tuple([z.number(), z.number()])).readonly();
const dayTakenSchema: z.ZodType<DayTaken> = z.object({
  calls: takenSchema,
  searches: takenSchema,
  browser_ms: takenSchema,
});

/** What an object has stored; nothing taken for what it has not. */
export function readDayTaken(stored: unknown): DayTaken {
  const parsed = dayTakenSchema.safeParse(stored);
  return parsed.success ? parsed.data : { calls: [], searches: [], browser_ms: [] };
}

/** Blocks of all that is asked for, or of nothing. Pure. */
export function grantLease(
  taken: DayTaken,
  ask: LeaseAsk,
  totals: Ceilings,
  now: number,
): { taken: DayTaken; answer: LeaseAnswer } {
  const slot = slotAt(now, DAY);
  const granted: Partial<Record<BudgetName, number>> = {};
  let next = taken;
  for (const name of BUDGETS) {
    const asked = ask[name];
    if (asked === undefined) continue;
    const left = available(taken[name], totals[name], now, DAY);
    if (left < asked.least) {
      const wait = retryAfterMs(taken[name], totals[name], asked.least, now, DAY);
      return { taken, answer: { refused: name, retryAfterMs: wait } };
    }
    const amount = Math.min(left, asked.most, Math.max(asked.demand, blockOf(name, left)));
    granted[name] = amount;
    next = { ...next, [name]: withTaken(next[name], slot, amount, DAY) };
  }
  return { taken: next, answer: { granted, slot } };
}

/** What may be taken in advance when so much is left. */
export function blockOf(name: BudgetName, left: number): number {
  return Math.min(BUDGET_BLOCK_MAX[name], Math.floor(left * BUDGET_BLOCK_SHARE));
}

/**
 * How much of a budget is left, over a window that slides with the clock. Pure: what was taken and `now` (ms) in, facts
 * out. What was taken is counted in slots, and a slot stays counted until all of it is older than the window: so no
 * window of that length, wherever it begins, ever holds more than the limit.
 */
export type Window = { windowMs: number; slotMs: number };

/** Amounts by slot, oldest first. A slot is its number since the epoch. */
export type Taken = readonly (readonly [slot: number, amount: number])[];

export function slotAt(now: number, { slotMs }: Window): number {
  return Math.floor(now / slotMs);
}

/** When a slot is over (ms). */
export function slotEnd(slot: number, { slotMs }: Window): number {
  return (slot + 1) * slotMs;
}

/** Never negative: a limit may have been lowered. */
export function available(taken: Taken, limit: number, now: number, window: Window): number {
  return Math.max(0, limit - sum(current(taken, now, window)));
}

/** When as much as `amount` could be taken, if nobody took anything until then; a whole window for what never fits. */
export function retryAfterMs(taken: Taken, limit: number, amount: number, now: number, window: Window): number {
  const counted = current(taken, now, window);
  let missing = sum(counted) + amount - limit;
  if (missing <= 0) return 0;
  for (const [slot, freed] of counted) {
    missing -= freed;
    if (missing <= 0) return slotEnd(slot, window) + window.windowMs - now;
  }
  return window.windowMs;
}

/** With `amount` more in a slot, and without what no window counts any more. */
export function withTaken(taken: Taken, slot: number, amount: number, window: Window): Taken {
  const counted = current(taken, slotEnd(slot, window) - 1, window);
  const already = counted.find(([other]) => other === slot)?.[1] ?? 0;
  const others = counted.filter(([other]) => other !== slot);
  return [...others, [slot, already + amount] as const].sort(([a], [b]) => a - b);
}

function current(taken: Taken, now: number, window: Window): Taken {
  const first = slotAt(now, window) - window.windowMs / window.slotMs;
  return taken.filter(([slot]) => slot >= first);
}

function sum(taken: Taken): number {
  return taken.reduce((total, [, amount]) => total + amount, 0);
}
