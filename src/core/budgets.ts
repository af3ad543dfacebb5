import type { Config } from './config.ts';
import { fail } from '#core/failures/failure.ts';
import { MINUTE_MS, SECOND_MS } from './limits.ts';

/** What a deployment counts of what people do. Browser time is in milliseconds. */
export const BUDGETS = ['calls', 'searches', 'browser_ms'] as const;
export type BudgetName = (typeof BUDGETS)[number];

/** What something costs, in whole units of each budget; a budget that is not named costs nothing. */
export type Costs = Readonly<Partial<Record<BudgetName, number>>>;

/** How much of each may be spent in any 24 hours. */
export type Ceilings = Readonly<Record<BudgetName, number>>;

export type BudgetLimits = {
  callsPerMinute: number;
  /** Of one subject. */
  perDay: Ceilings;
  /** Of all subjects together. */
  totalPerDay: Ceilings;
};

/** Which budget had no room, and how long until it has. */
export type Refusal = {
  budget: BudgetName;
  window: 'minute' | 'day';
  scope: 'subject' | 'deployment';
  retryAfterMs: number;
};

/**
 * The budgets of one subject, together with those of the deployment. Both methods throw `PeriscopeError` with
 * `rate_limited` when a budget has no room; then nothing is spent.
 */
export type Budgets = {
  /** Spends all of it or nothing. Spend time in slices before it is used, so that nobody overdraws. */
  spend: (costs: Costs) => Promise<void>;
  /** Whether anything is left of one budget, at the price of one unit. */
  check: (budget: BudgetName) => Promise<void>;
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

/** A refusal as the failure people see. @throws {PeriscopeError} always */
export function failRefused({ budget, window, scope, retryAfterMs }: Refusal): never {
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
