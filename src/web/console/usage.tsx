import type { CallsOfDay, CallsOfTool } from '#storage/person/activity-log.ts';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { BUDGETS } from '#core/budgets.ts';
import type { BudgetName, BudgetCeilings } from '#core/budgets.ts';
import { PATHS } from '#core/paths.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';
import type { BudgetUse, LeasedAmounts } from '#client/deployment/deployment-budgets.ts';
import { BUDGET_DAY_SLOT_MS } from '#client/limits.ts';
import { requireSignIn, startConsolePage } from './console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { createPageClock } from '#web/times.ts';
import type { PageClock } from '#web/times.ts';
import { BarChart, ShareBar } from '#web/parts/plot.tsx';
import type { BarChartItem } from '#web/parts/plot.tsx';
import { DataTable } from '#web/parts/table.tsx';
import type { Column } from '#web/parts/table.tsx';
import { ConsolePage } from './console-page.tsx';

const USAGE_DAYS = 14;

/** `/console/usage`: the usage of a user's models and, for the owner, of everyone's. */
export function usagePage(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.usage, (c) => requireSignIn(c, deps, (person) => show(c, deps, person)));
  return app;
}

async function show(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn): Promise<Response> {
  const now = deps.now();
  const days = lastDays(now);
  const since = Date.parse(`${days[0] ?? ''}T00:00:00Z`);
  const history = deps.historyOf(person.subject);
  const respond = startConsolePage(c, deps, person);
  const [use, own, wish, all] = await Promise.all([
    deps.usedBy(person.subject),
    history.use(since),
    history.wish(),
    person.owner ? everyones(deps, days, now) : null,
  ]);
  const view = {
    budgets: budgetRows(use, deps.limits.perDay, now),
    browser: browserHours(use.used ?? use, now, createPageClock(person.zone, now)),
    own: { tools: own.tools, days: filledDays(own.days, days), isExact: true },
    isCounted: deps.config.ACTIVITY_DAYS > 0 && wish.activity,
    all,
    days: USAGE_DAYS,
  };
  return respond(<Usage {...view} />);
}

async function everyones({ takenByAll, stores, limits }: SiteDeps, days: readonly string[], now: number) {
  const [taken, use] = await Promise.all([takenByAll(), stores().counters.use(days[0] ?? '')]);
  const calls: CallUse = { tools: use.tools, days: filledDays(use.days, days), isExact: false };
  return { budgets: budgetRows(taken, limits.totalPerDay, now), calls };
}

/** Today and the days before, as `2026-11-23` in UTC, which the counters use. */
function lastDays(now: number): string[] {
  return Array.from({ length: USAGE_DAYS }, (_, ago) =>
    new Date(now - (USAGE_DAYS - 1 - ago) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length),
  );
}

function filledDays(found: readonly CallsOfDay[], days: readonly string[]): BarChartItem[] {
  const byDay = new Map(found.map((one) => [one.day, one]));
  return days.map((day) => ({ label: day, value: byDay.get(day)?.calls ?? 0, bad: byDay.get(day)?.errors ?? 0 }));
}

const LABELS: Record<BudgetName, { label: string; unit: number }> = {
  calls: { label: 'Calls', unit: 1 },
  searches: { label: 'Searches', unit: 1 },
  browser_ms: { label: 'Browser minutes', unit: MINUTE_MS },
};

/**
 * Rows of the budget table.
 * @param use has no `used` for all users together, because only their reserved amounts are known
 */
export function budgetRows(use: BudgetUse, limits: BudgetCeilings, now: number): BudgetRow[] {
  return BUDGETS.map((name) => {
    const { label, unit } = LABELS[name];
    const amount = (slots: LeasedAmounts[BudgetName]) => sum(slots, now - DAY_MS, now) / unit;
    const taken = amount(use[name]);
    const used = use.used === undefined ? null : amount(use.used[name]);
    return { label, used, reserved: Math.max(0, taken - (used ?? 0)), limit: limits[name] / unit };
  });
}

const HOURS = 24;

function browserHours(used: LeasedAmounts, now: number, { zone }: PageClock): BarChartItem[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  });
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, ago) => {
    const from = end - (HOURS - ago) * HOUR_MS;
    return { label: format.format(from), value: sum(used.browser_ms, from, from + HOUR_MS - 1) / MINUTE_MS };
  });
}

function sum(slots: LeasedAmounts[BudgetName], from: number, to: number): number {
  const isIn = (slot: number) => slot * BUDGET_DAY_SLOT_MS >= from && slot * BUDGET_DAY_SLOT_MS <= to;
  return slots.reduce((all, [slot, amount]) => (isIn(slot) ? all + amount : all), 0);
}

/** Amounts in the last 24 hours. `used`: `null` if only the reserved amount is known. */
export type BudgetRow = { label: string; used: number | null; reserved: number; limit: number };

type CallUse = { days: readonly BarChartItem[]; tools: readonly CallsOfTool[]; isExact: boolean };

type Props = {
  budgets: readonly BudgetRow[];
  browser: readonly BarChartItem[];
  own: CallUse;
  /** True if the user's calls are counted, which happens only while their activity is stored. */
  isCounted: boolean;
  all: { budgets: readonly BudgetRow[]; calls: CallUse } | null;
  days: number;
};

function Usage({ budgets, browser, own, isCounted, all, days }: Props) {
  return (
    <ConsolePage title="Usage" at={PATHS.usage} lead="Budgets and calls that your models have used.">
      <h2>Budgets of the last 24 hours</h2>
      <BudgetTable rows={budgets} whose="Your budgets" />
      <p class="facts">
        Units are reserved in small blocks, so that calls need not wait. Reserved units count against the limit, too,
        and come back after 24 hours.
      </p>
      <h2>Browser time</h2>
      <BarChart
        title="Browser minutes by hour"
        heads={{ label: 'Hour', value: 'Minutes' }}
        items={browser}
        shown={(value) => value.toFixed(value % 1 === 0 ? 0 : 1)}
      />
      <h2>Your calls of the last {days} days</h2>
      {isCounted || own.tools.length > 0 ? (
        <Calls use={own} title="Your calls" />
      ) : (
        <p>
          Calls are counted from your <a href={PATHS.activity}>activity</a>, which is turned off.
        </p>
      )}
      {all === null ? null : (
        <>
          <h2>Everyone on this server</h2>
          <p class="facts">As the owner you see totals, never who did what.</p>
          <BudgetTable rows={all.budgets} whose="Budgets of everyone" />
          <Calls use={all.calls} title="Calls of everyone" />
        </>
      )}
    </ConsolePage>
  );
}

function BudgetTable({ rows, whose }: { rows: readonly BudgetRow[]; whose: string }) {
  const used: Column<BudgetRow> = { head: 'Used', kind: 'number', cell: (row) => groupDigits(row.used ?? 0) };
  const columns: Column<BudgetRow>[] = [
    { head: 'Budget', kind: 'name', cell: ({ label }) => label },
    ...(rows.every((row) => row.used !== null) ? [used] : []),
    { head: 'Reserved', kind: 'number', cell: ({ reserved }) => groupDigits(reserved) },
    { head: 'Limit', kind: 'number', cell: ({ limit }) => groupDigits(limit) },
    {
      head: 'As a bar',
      kind: 'bar',
      cell: (row) => <ShareBar part={row.used ?? 0} more={row.reserved} whole={row.limit} />,
    },
  ];
  return <DataTable label={whose} columns={columns} rows={rows} />;
}

function Calls({ use: { days, tools, isExact }, title }: { use: CallUse; title: string }) {
  if (tools.length === 0) {
    return (
      <p>
        No calls yet. <a href="/#connect">Connect a client</a> and ask its model to look something up.
      </p>
    );
  }
  const slowest = Math.max(...tools.map(({ p95 }) => p95));
  const time = (ms: number) => `${isExact ? '' : '≤ '}${shortTime(ms)}`;
  const columns: Column<CallsOfTool>[] = [
    { head: 'Tool', kind: 'name', cell: ({ tool }) => <code>{tool}</code> },
    { head: 'Calls', kind: 'number', cell: ({ calls }) => groupDigits(calls) },
    { head: 'Failed', kind: 'number', cell: ({ errors }) => groupDigits(errors) },
    { head: 'Median', kind: 'number', cell: ({ p50 }) => time(p50) },
    { head: 'p95', kind: 'number', cell: ({ p95 }) => time(p95) },
    { head: 'p95 as a bar', kind: 'bar', cell: ({ p95 }) => <ShareBar part={p95} whole={slowest * 1.01} /> },
  ];
  return (
    <>
      <BarChart
        title={`${title} by day`}
        heads={{ label: 'Day (UTC)', value: 'Calls', bad: 'Failed' }}
        items={days}
        shown={groupDigits}
      />
      <DataTable label={`${title}, by tool`} columns={columns} rows={tools} />
      <p class="facts">
        Median: half of the calls took no longer. p95: 95 of 100 calls took no longer.
        {isExact ? null : ' Both are rounded up.'}
      </p>
    </>
  );
}

/** A duration such as `275 ms` or `14.2 s`. */
function shortTime(ms: number): string {
  return ms < SECOND_MS ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}

export function groupDigits(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
