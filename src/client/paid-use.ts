import { failRefused } from '#core/budgets.ts';
import type { BudgetLimits, Costs, Refusal } from '#core/budgets.ts';
import type { Move, ShownCursor, WantedResult } from './cursors.ts';

/** What a call costs, and what its person may spend. */
export type Payment = { costs: Costs; limits: BudgetLimits };

/** `refusal`: why nothing was spent, and nothing looked up. `shown`: `null` when the cursor is unknown or expired, too. */
export type PaidUse = { refusal: Refusal | null; shown: ShownCursor | null };

/** What a call looks at, known before it begins. `result`: of the list that the cursor shows, to be opened. */
export type CursorUse = { cursor: string; move: Move | null; result?: WantedResult };

/** What is needed of a subject's object. */
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
 * Pays for a call and looks its cursor up, in one call of the object that knows both.
 * @throws {PeriscopeError} `rate_limited`
 */
export async function payAndUse(
  { cursor, move, result }: CursorUse,
  payment: Payment,
  { client, cursorTtlMs, cacheTtlMs }: { client: PayingObject; cursorTtlMs: number; cacheTtlMs: number },
): Promise<ShownCursor | null> {
  const wanted = result === undefined ? null : { ...result, maxAgeMs: cacheTtlMs };
  const answer = await client.use(cursor, move, cursorTtlMs, crypto.randomUUID(), payment, wanted);
  if (answer === null || !('refusal' in answer)) throw new Error('A paid use answers with what was paid.');
  if (answer.refusal !== null) failRefused(answer.refusal);
  return answer.shown;
}
