import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { BudgetLimits, CallCosts } from '#core/budgets.ts';
import { budgetLimits, failOverBudget } from '#core/budgets.ts';
import type { CallFact } from '#core/activity.ts';
import { runTool } from '#mcp/run/run-tool.ts';
import type { CallEnvironment } from '#mcp/run/run-tool.ts';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';
import { SCOPES } from '#core/principal.ts';
import type { ToolServices } from '#tools/define-tool.ts';
import { parseConfig } from '#core/config/config.ts';

const caller = {
  call: { id: 'call', request: null, signal: new AbortController().signal },
  progress: () => undefined,
  links: { canAsk: false, said: null },
  askToOpen: null,
};

function environment(
  spend: (costs: CallCosts) => Promise<void>,
  scopes: CallEnvironment['principal']['scopes'] = SCOPES,
) {
  const facts: CallFact[] = [];
  const env: CallEnvironment = {
    principal: { subject: 'anna', scopes },
    origin: 'http://localhost',
    // No test here gets as far as the tool.
    services: {} as ToolServices,
    budgets: { spend },
    useCursor: async (_, costs) => {
      await spend(costs);
      return null;
    },
    abilities: { browser: true, scripts: true, webSearch: true },
    structured: { results: true, errors: true },
    recordActivity: () => undefined,
    worksOnCall: async () => undefined,
    resourceLinks: false,
    opensLinks: false,
    requestId: 'r1',
    now: () => 0,
    record: (fact) => void facts.push(fact),
    begin: () => () => undefined,
    reportUnexpected: () => undefined,
  };
  return { env, facts };
}

function completed(result: Awaited<ReturnType<typeof runTool>>) {
  if (isInputRequiredResult(result)) throw new Error('asked for more');
  return result;
}

function tool(name: string, catalog = CATALOG) {
  const found = catalog.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

describe('the budget of a call', () => {
  it('refuses a call when it is exhausted, before its arguments are parsed, and says when to retry', async () => {
    const { env, facts } = environment(async () =>
      failOverBudget({ budget: 'searches', window: 'day', scope: 'deployment', retryAfterMs: 61_500 }),
    );
    const result = completed(await runTool(tool('web_search'), { not: 'an argument' }, caller, env));
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      error: 'rate_limited',
      budget: 'searches per day',
      scope: 'deployment',
      retry_after_seconds: 62,
    });
    const text = result.content[0]?.type === 'text' ? result.content[0].text : '';
    expect(text).toContain('Wait 62 s, then call again.');
    expect(text).toContain('BUDGET_TOTAL_SEARCHES_PER_DAY');
    expect(facts).toMatchObject([{ tool: 'web_search', status: 'error', errorCode: 'rate_limited' }]);
  });

  it('is unchanged by a call without permission', async () => {
    const spent: CallCosts[] = [];
    const { env } = environment(async (costs) => void spent.push(costs), ['web:read']);
    const result = await runTool(tool('cache_purge'), {}, caller, env);
    expect(result.structuredContent).toMatchObject({ error: 'permission_denied' });
    expect(spent).toEqual([]);
  });

  it('charges one call for every tool, and also one search for tools that search', async () => {
    const all = [...CATALOG, ...CHATGPT_CATALOG];
    expect(all.filter(({ costs }) => costs.calls !== 1)).toEqual([]);
    const searching = all.filter(({ costs }) => costs.searches === 1).map(({ name, toolset }) => `${toolset} ${name}`);
    expect(searching.toSorted()).toEqual(['chatgpt search', 'reader search', 'web web_search']);
    expect(tool('web_search').costs).toEqual({ calls: 1, searches: 1 });
  });
});

describe('the budget of a list of steps', () => {
  const steps = ['click @e1', 'press Tab', 'press Enter'];

  it('charges a call for each step before any step runs', async () => {
    const spent: CallCosts[] = [];
    const { env } = environment(async (costs) => {
      spent.push(costs);
      if (spent.length === 2) failOverBudget({ budget: 'calls', window: 'day', scope: 'subject', retryAfterMs: 1 });
    });
    const result = completed(await runTool(tool('browser_do'), { steps }, caller, env));
    expect(spent).toEqual([{ calls: 1 }, { calls: 2 }]);
    expect(result.structuredContent).toMatchObject({ error: 'rate_limited' });
  });

  it('charges one call for a list with an unreadable line', async () => {
    const spent: CallCosts[] = [];
    const { env } = environment(async (costs) => void spent.push(costs));
    const result = completed(await runTool(tool('browser_do'), { steps: [...steps, 'dance'] }, caller, env));
    expect(spent).toEqual([{ calls: 1 }]);
    expect(result.structuredContent).toMatchObject({ error: 'invalid_argument' });
  });
});

describe('the limits of budgets', () => {
  it('give all users together at least as much as one user', () => {
    const { perDay, totalPerDay }: BudgetLimits = budgetLimits(parseConfig({}));
    expect(totalPerDay.calls).toBeGreaterThanOrEqual(perDay.calls);
    expect(totalPerDay.searches).toBeGreaterThanOrEqual(perDay.searches);
    expect(totalPerDay.browser_ms).toBeGreaterThanOrEqual(perDay.browser_ms);
  });

  it('are settings, with browser minutes in milliseconds', () => {
    const limits = budgetLimits(parseConfig({ BUDGET_BROWSER_MINUTES_PER_DAY: '3', BUDGET_CALLS_PER_MINUTE: '7' }));
    expect(limits).toMatchObject({ callsPerMinute: 7, perDay: { browser_ms: 180_000 } });
  });
});
