import { failRefused } from '#core/budgets.ts';
import type { BudgetLimits, Costs, Refusal } from '#core/budgets.ts';
import type { Move, ShownCursor } from './cursors.ts';

/** What a call costs, and what its person may spend. */
export type Payment = { costs: Costs; limits: BudgetLimits };

/** `refusal`: why nothing was spent, and nothing looked up. `shown`: `null` when the cursor is unknown or expired, too. */
export type PaidUse = { refusal: Refusal | null; shown: ShownCursor | null };

/** What a call looks at, known before it begins. */
export type CursorUse = { cursor: string; move: Move | null };

/** What is needed of a subject's object. */
type PayingObject = {
  use: (
    cursor: string,
    move: Move | null,
    ttlMs: number,
    moveId: string,
    payment: Payment,
  ) => Promise<ShownCursor | PaidUse | null>;
  spend: (costs: Costs, limits: BudgetLimits) => Promise<Refusal | null>;
};

/**
 * Pays for a call and looks its cursor up, in one call of the object that knows both.
 * @throws {PeriscopeError} `rate_limited`
 */
export async function payAndUse(
  { cursor, move }: CursorUse,
  payment: Payment,
  { client, cursorTtlMs }: { client: PayingObject; cursorTtlMs: number },
): Promise<ShownCursor | null> {
  const answer = await client.use(cursor, move, cursorTtlMs, crypto.randomUUID(), payment);
  if (answer !== null && 'refusal' in answer) {
    if (answer.refusal !== null) failRefused(answer.refusal);
    return answer.shown;
  }
  // The object is of the version before: it has not been paid.
  const refusal = await client.spend(payment.costs, payment.limits);
  if (refusal !== null) failRefused(refusal);
  return answer;
}
