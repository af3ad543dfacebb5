import { failOverBudget } from '#core/budgets.ts';
import type { BudgetLimits, Costs, Refusal } from '#core/budgets.ts';
import type { Move, ShownCursor, WantedResult } from './cursors.ts';

export type Payment = { costs: Costs; limits: BudgetLimits };

/** `refusal`: the reason why nothing was spent or looked up. `shown`: `null` also for an unknown or expired cursor. */
export type PaidUse = { refusal: Refusal | null; shown: ShownCursor | null };

/** The cursor that a call uses, known before the call begins. `result`: the list result to open. */
export type CursorUse = { cursor: string; move: Move | null; result?: WantedResult };

type PayingObject = {
  use: (
    cursor: string,
    move: Move | null,
    ttlMs: number,
    moveId: string,
    payment: Payment,
    result: (WantedResult & { maxAgeMs: number }) | null,
  ) => Promise<ShownCursor | PaidUse | null>;
};

/**
 * Pays for a call and looks up its cursor, in one request to the subject's object.
 * @throws {PeriscopeError} `rate_limited`
 */
export async function payAndUseCursor(
  { cursor, move, result }: CursorUse,
  payment: Payment,
  { client, cursorTtlMs, cacheTtlMs }: { client: PayingObject; cursorTtlMs: number; cacheTtlMs: number },
): Promise<ShownCursor | null> {
  const wanted = result === undefined ? null : { ...result, maxAgeMs: cacheTtlMs };
  const answer = await client.use(cursor, move, cursorTtlMs, crypto.randomUUID(), payment, wanted);
  if (answer === null || !('refusal' in answer)) throw new Error('A paid use answers with what was paid.');
  if (answer.refusal !== null) failOverBudget(answer.refusal);
  return answer.shown;
}
