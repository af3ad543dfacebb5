import type { Config } from './config/config.ts';
import { fail } from '#core/failures/failure.ts';
import { MINUTE_MS, SECOND_MS } from './limits.ts';

/** Names of budgets. `browser_ms` is browser time in milliseconds. */
export const BUDGETS = ['calls', 'searches', 'browser_ms'] as const;
export type BudgetName = (typeof BUDGETS)[number];

/** Cost of a call in each budget. A missing budget costs nothing. */
export type CallCosts = Readonly<Partial<Record<BudgetName, number>>>;

export type BudgetCeilings = Readonly<Record<BudgetName, number>>;

export type BudgetLimits = {
  callsPerMinute: number;
  perDay: BudgetCeilings;
  totalPerDay: BudgetCeilings;
};

export type BudgetRefusal = {
  budget: BudgetName;
  window: 'minute' | 'day';
  scope: 'subject' | 'deployment';
  retryAfterMs: number;
};

/** Budgets of one subject and of the deployment. */
export type Budgets = {
  /**
   * Spends all costs or none. Browser time must be spent in slices before its use, so that no budget is overdrawn.
   * @throws {PeriscopeError} `rate_limited` if a budget is exhausted; nothing is spent in this case
   */
  spend: (costs: CallCosts) => Promise<void>;
};

export function budgetLimits(config: Config): BudgetLimits {
  return {
    callsPerMinute: config.BUDGET_CALLS_PER_MINUTE,
    perDay: {
      calls: config.BUDGET_CALLS_PER_DAY,
      searches: config.BUDGET_SEARCHES_PER_DAY,
      browser_ms: config.BUDGET_BROWSER_MINUTES_PER_DAY * MINUTE_MS,
    },
    totalPerDay: {
      calls: config.BUDGET_TOTAL_CALLS_PER_DAY,
      searches: config.BUDGET_TOTAL_SEARCHES_PER_DAY,
      browser_ms: config.BUDGET_TOTAL_BROWSER_MINUTES_PER_DAY * MINUTE_MS,
    },
  };
}

const NAMES: Record<BudgetName, { words: string; setting: string }> = {
  calls: { words: 'calls', setting: 'CALLS' },
  searches: { words: 'searches', setting: 'SEARCHES' },
  browser_ms: { words: 'browser minutes', setting: 'BROWSER_MINUTES' },
};

export function failOverBudget({ budget, window, scope, retryAfterMs }: BudgetRefusal): never {
  const { words, setting } = NAMES[budget];
  const total = scope === 'deployment' ? 'TOTAL_' : '';
  return fail({
    code: 'rate_limited',
    budget: `${words} per ${window}`,
    scope,
    setting: `BUDGET_${total}${setting}_PER_${window.toUpperCase()}`,
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / SECOND_MS)),
  });
}
