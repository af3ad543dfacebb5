import { failRefused } from '#core/budgets.ts';
import type { BudgetLimits, Budgets, Costs, Refusal } from '#core/budgets.ts';

/** What is needed of a subject's object: `env.CLIENT.get(env.CLIENT.idFromName(subject))`. */
export type BudgetObject = { spend: (costs: Costs, limits: BudgetLimits) => Promise<Refusal | null> };

/** The budgets of the subject behind `object`, for calls and for browser sessions alike. */
export function budgetPort(object: BudgetObject, limits: BudgetLimits): Budgets {
  const spend = async (costs: Costs) => {
    const refusal = await object.spend(costs, limits);
    if (refusal !== null) failRefused(refusal);
  };
  return { spend, check: (budget) => spend({ [budget]: 1 }) };
}
