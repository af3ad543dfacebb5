import { Hono } from 'hono';
import type { Context } from 'hono';
import { BUDGETS } from '#core/budgets.ts';
import type { BudgetLimits, BudgetName, Ceilings } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS } from '#core/paths.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/limits.ts';
import type { BudgetUse, DayTaken } from '#client/deployment/deployment-budgets.ts';
import { BUDGET_DAY_SLOT_MS } from '#client/limits.ts';
import type { CounterStore } from '#storage/counters.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import { requireSignIn, consoleVisitor } from './console.tsx';
import type { ConsoleDeps } from './console.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { Site } from '#web/answers.ts';
import { clockOf } from '#web/times.ts';
import type { Clock } from '#web/times.ts';
import { page } from '#web/answers.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';

/** Days of calls that the usage page counts. */
const USAGE_DAYS = 14;

type UsageDeps = ConsoleDeps & {
  limits: BudgetLimits;
  historyOf: (subject: string) => Pick<ObjectCalls<PersonHistory>, 'use' | 'wish'>;
  keepsActivity: boolean;
  usedBy: (subject: string) => Promise<BudgetUse>;
  takenByAll: () => Promise<DayTaken>;
  counters: () => Pick<CounterStore, 'use'>;
  now: () => number;
};

/** `/console/usage`: what a person's models used, and for the owner what everyone did. */
export function usagePage(deps: UsageDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.usage, (c) => requireSignIn(c, deps, (person) => show(c, deps, person)));
  return app;
}

async function show(c: Context<Site>, deps: UsageDeps, person: SignedIn): Promise<Response> {
  const now = deps.now();
  const days = lastDays(now);
  const since = Date.parse(`${days[0] ?? ''}T00:00:00Z`);
  const history = deps.historyOf(person.subject);
  const [use, own, wish, all, visitor] = await Promise.all([
    deps.usedBy(person.subject),
    history.use(since),
    history.wish(),
    person.owner ? everyones(deps, days, now) : null,
    consoleVisitor(c, deps, person),
  ]);
  const view = {
    visitor,
    budgets: budgetRows(use, deps.limits.perDay, now),
    browser: browserHours(use.used ?? use, now, clockOf(person.zone, now)),
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

/** Today and the days before it, as `2026-11-23` in UTC. */
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

/** @param use without `used`, as of everyone together, only what is reserved is known */
export function budgetRows(use: BudgetUse, limits: Ceilings, now: number): BudgetRow[] {
  return BUDGETS.map((name) => {
    const { label, unit } = LABELS[name];
    const amount = (slots: DayTaken[BudgetName]) => sum(slots, now - DAY_MS, now) / unit;
    const taken = amount(use[name]);
    const used = use.used === undefined ? null : amount(use.used[name]);
    return { label, used, reserved: Math.max(0, taken - (used ?? 0)), limit: limits[name] / unit };
  });
}

const HOURS = 24;

function browserHours(used: DayTaken, now: number, { zone }: Clock): PlotItem[] {
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

/** The use in the slots that begin in a span of time. */
function sum(slots: DayTaken[BudgetName], from: number, to: number): number {
  const isIn = (slot: number) => slot * BUDGET_DAY_SLOT_MS >= from && slot * BUDGET_DAY_SLOT_MS <= to;
  return slots.reduce((all, [slot, amount]) => (isIn(slot) ? all + amount : all), 0);
}

/** Latencies in ms: upper bounds. */
type ToolRow = { tool: string; calls: number; errors: number; p50: number; p95: number };

/** `used`: `null` where only what is reserved is known. */
export type BudgetRow = { label: string; used: number | null; reserved: number; limit: number };

type CallUse = { days: readonly PlotItem[]; tools: readonly ToolRow[]; isExact: boolean };

type Props = {
  visitor: Visitor;
  budgets: readonly BudgetRow[];
  /** Browser minutes of each of the last 24 hours. */
  browser: readonly PlotItem[];
  own: CallUse;
  /** Whether the person's calls are counted: they are with their activity. */
  isCounted: boolean;
  /** For the owner: budgets and calls of everyone together. */
  all: { budgets: readonly BudgetRow[]; calls: CallUse } | null;
  days: number;
};

function Usage({ visitor, budgets, browser, own, isCounted, all, days }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Usage" at={PATHS.usage}>
      <p class="lead">What your models have used, and what is left.</p>
      <h2>Budgets of the last 24 hours</h2>
      <Budgets rows={budgets} whose="Your budgets" />
      <p class="facts">
        Units are reserved in small blocks, so that calls need not wait. A reserved unit that is not used counts against
        the limit, too, and comes back after 24 hours, as used ones do.
      </p>
      <h2>Browser time</h2>
      <Plot
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
          <Budgets rows={all.budgets} whose="Budgets of everyone" />
          <Calls use={all.calls} title="Calls of everyone" />
        </>
      )}
    </ConsolePage>
  );
}

export function Budgets({ rows, whose }: { rows: readonly BudgetRow[]; whose: string }) {
  const knowsUsed = rows.every(({ used }) => used !== null);
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label={whose}>
      <table>
        <thead>
          <tr>
            <th scope="col">Budget</th>
            {(knowsUsed ? ['Used', 'Reserved', 'Limit'] : ['Reserved', 'Limit']).map((head) => (
              <th scope="col" class="number">
                {head}
              </th>
            ))}
            <th scope="col" class="sharing">
              <span class="unseen">As a bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, used, reserved, limit }) => (
            <tr>
              <th scope="row">{label}</th>
              {used === null ? null : <td class="number">{grouped(used)}</td>}
              <td class="number">{grouped(reserved)}</td>
              <td class="number">{grouped(limit)}</td>
              <td class="sharing">
                <Share part={used ?? 0} more={reserved} whole={limit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
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
  return (
    <>
      <Plot
        title={`${title} by day`}
        heads={{ label: 'Day (UTC)', value: 'Calls', bad: 'Failed' }}
        items={days}
        shown={grouped}
      />
      <div class="scrolls" tabindex={0} role="region" aria-label={`${title}, by tool`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              {['Calls', 'Failed', 'Median', 'p95'].map((head) => (
                <th scope="col" class="number">
                  {head}
                </th>
              ))}
              <th scope="col" class="sharing">
                <span class="unseen">p95 as a bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tools.map((row) => (
              <ToolUse row={row} isExact={isExact} slowest={slowest} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="facts">
        Median: half of the calls took {isExact ? 'no longer' : 'no longer than this limit of a histogram'}. p95: 95 of
        100 calls took no longer.
      </p>
    </>
  );
}

function ToolUse({ row, isExact, slowest }: { row: ToolRow; isExact: boolean; slowest: number }) {
  const { tool, calls, errors, p50, p95 } = row;
  const time = (ms: number) => `${isExact ? '' : '≤ '}${grouped(ms)} ms`;
  return (
    <tr>
      <th scope="row">
        <code>{tool}</code>
      </th>
      <td class="number">{grouped(calls)}</td>
      <td class="number">{grouped(errors)}</td>
      <td class="number">{time(p50)}</td>
      <td class="number">{time(p95)}</td>
      <td class="sharing">
        <Share part={p95} whole={slowest * 1.01} />
      </td>
    </tr>
  );
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** One bar: `bad` is the part of `value` that failed. */
type PlotItem = { label: string; value: number; bad?: number };

const [WIDTH, HEIGHT, GAP] = [1_000, 100, 0.2];

type PlotProps = {
  title: string;
  /** Column titles of the table. */
  heads: { label: string; value: string; bad?: string };
  items: readonly PlotItem[];
  /** Formats a value. */
  shown?: (value: number) => string;
};

/** A bar chart over time, drawn without a script, with its numbers as a table. */
function Plot({ title, heads, items, shown = String }: PlotProps) {
  const most = Math.max(1, ...items.map(({ value }) => value));
  const step = WIDTH / Math.max(1, items.length);
  const total = items.reduce((all, { value }) => all + value, 0);
  if (total === 0) return <p>{title}: none in this time.</p>;
  return (
    <figure class="plot">
      <figcaption>
        {title}: {shown(total)} total, peak {shown(Math.max(0, ...items.map(({ value }) => value)))}.
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {items.map(({ value, bad = 0 }, index) => (
          <>
            <Bar at={index * step} wide={step} high={(value / most) * HEIGHT} kind="bar" />
            <Bar at={index * step} wide={step} high={(bad / most) * HEIGHT} kind="bad" />
          </>
        ))}
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{items[0]?.label}</span>
        <span>{items.at(-1)?.label}</span>
      </div>
      <details>
        <summary>{title} as a table</summary>
        <div class="scrolls" tabindex={0} role="region" aria-label={`${title} as a table`}>
          <Table heads={heads} items={items} shown={shown} />
        </div>
      </details>
    </figure>
  );
}

function Bar({ at, wide, high, kind }: { at: number; wide: number; high: number; kind: 'bar' | 'bad' }) {
  if (high === 0) return null;
  const [x, y, width] = [at + (wide * GAP) / 2, HEIGHT - high, wide * (1 - GAP)].map((value) => value.toFixed(1));
  return <rect class={kind} x={x} y={y} width={width} height={high.toFixed(1)} />;
}

function Table({ heads, items, shown = String }: Pick<PlotProps, 'heads' | 'items' | 'shown'>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{heads.label}</th>
          <th scope="col" class="number">
            {heads.value}
          </th>
          {heads.bad === undefined ? null : (
            <th scope="col" class="number">
              {heads.bad}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map(({ label, value, bad = 0 }) => (
          <tr>
            <td>{label}</td>
            <td class="number">{shown(value)}</td>
            {heads.bad === undefined ? null : <td class="number">{shown(bad)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** @param more what is drawn paler behind `part` */
function Share({ part, more = 0, whole }: { part: number; more?: number; whole: number }) {
  const wide = (amount: number) => (whole === 0 ? 0 : Math.min(1, amount / whole) * WIDTH).toFixed(1);
  const isFull = part + more >= whole;
  return (
    <svg class="share" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      {more === 0 ? null : <rect class={isFull ? 'bad' : 'reserved'} width={wide(part + more)} height="10" />}
      <rect class={isFull ? 'bad' : 'bar'} width={wide(part)} height="10" />
    </svg>
  );
}
