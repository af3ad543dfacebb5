import { Hono } from 'hono';
import type { Context } from 'hono';
import { BUDGETS } from '#core/budgets.ts';
import type { BudgetLimits, BudgetName, Ceilings } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/units.ts';
import type { DayTaken } from '#client/budget-lease.ts';
import { BUDGET_DAY_SLOT_MS } from '#client/limits.ts';
import type { PlotItem } from '#pages/plot.tsx';
import { Usage } from '#pages/usage.tsx';
import type { BudgetRow, CallUse } from '#pages/usage.tsx';
import type { CounterStore } from '#storage/counters.ts';
import type { PersonHistory } from '#storage/person-history.ts';
import { asPerson, visitorOf } from './console.tsx';
import type { ConsoleDeps, SignedIn } from './console.tsx';
import type { Site } from './site.ts';
import { USAGE_DAYS } from './limits.ts';
import { page } from './page.tsx';

export type UsageDeps = ConsoleDeps & {
  limits: BudgetLimits;
  historyOf: (subject: string) => Pick<ObjectCalls<PersonHistory>, 'use' | 'wish'>;
  /** Whether the deployment keeps activity. */
  keepsActivity: boolean;
  /** What one person has taken of their budgets, and everyone together. */
  takenBy: (subject: string) => Promise<DayTaken>;
  takenByAll: () => Promise<DayTaken>;
  counters: () => Pick<CounterStore, 'use'>;
  now: () => number;
};

/** `/console/usage`: what a person's models used, and for the owner what everyone did. */
export function usagePage(deps: UsageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.usage, (c) => asPerson(c, deps, (person) => show(c, deps, person)));
  return app;
}

async function show(c: Context<Site>, deps: UsageDeps, person: SignedIn): Promise<Response> {
  const now = deps.now();
  const days = lastDays(now);
  const since = Date.parse(`${days[0] ?? ''}T00:00:00Z`);
  const history = deps.historyOf(person.subject);
  const [taken, own, wish, all, visitor] = await Promise.all([
    deps.takenBy(person.subject),
    history.use(since),
    history.wish(),
    person.owner ? everyones(deps, days, now) : null,
    visitorOf(c, deps, person),
  ]);
  const view = {
    visitor,
    budgets: budgetRows(taken, deps.limits.perDay, now),
    browser: browserHours(taken, now),
    own: { tools: own.tools, days: filledDays(own.days, days), isExact: true },
    isCounted: deps.keepsActivity && wish.activity,
    all,
    days: USAGE_DAYS,
  };
  return page(c, <Usage {...view} />, 200);
}

async function everyones({ takenByAll, counters, limits }: UsageDeps, days: readonly string[], now: number) {
  const [taken, use] = await Promise.all([takenByAll(), counters().use(days[0] ?? '')]);
  const calls: CallUse = { tools: use.tools, days: filledDays(use.days, days), isExact: false };
  return { budgets: budgetRows(taken, limits.totalPerDay, now), calls };
}

/** `2026-11-23`: today and those before it, in UTC. */
function lastDays(now: number): string[] {
  return Array.from({ length: USAGE_DAYS }, (_, ago) =>
    new Date(now - (USAGE_DAYS - 1 - ago) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
  );
}

function filledDays(
  found: readonly { day: string; calls: number; errors: number }[],
  days: readonly string[],
): PlotItem[] {
  const byDay = new Map(found.map((one) => [one.day, one]));
  return days.map((day) => ({ label: day, value: byDay.get(day)?.calls ?? 0, bad: byDay.get(day)?.errors ?? 0 }));
}

const LABELS: Record<BudgetName, { label: string; unit: number }> = {
  calls: { label: 'Calls', unit: 1 },
  searches: { label: 'Searches', unit: 1 },
  browser_ms: { label: 'Browser minutes', unit: MINUTE_MS },
};

function budgetRows(taken: DayTaken, limits: Ceilings, now: number): BudgetRow[] {
  return BUDGETS.map((name) => ({
    label: LABELS[name].label,
    taken: sum(taken[name], now - DAY_MS, now) / LABELS[name].unit,
    limit: limits[name] / LABELS[name].unit,
  }));
}

const HOURS = 24;
const HOUR_CHARS = 'YYYY-MM-DDThh'.length;

function browserHours(taken: DayTaken, now: number): PlotItem[] {
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, ago) => {
    const from = end - (HOURS - ago) * HOUR_MS;
    const label = `${new Date(from).toISOString().slice(0, HOUR_CHARS).replace('T', ' ')}:00`;
    return { label, value: sum(taken.browser_ms, from, from + HOUR_MS - 1) / MINUTE_MS };
  });
}

/** What was taken in the slots that begin in a span of time. */
function sum(slots: DayTaken[BudgetName], from: number, to: number): number {
  const isIn = (slot: number) => slot * BUDGET_DAY_SLOT_MS >= from && slot * BUDGET_DAY_SLOT_MS <= to;
  return slots.reduce((all, [slot, amount]) => (isIn(slot) ? all + amount : all), 0);
}
