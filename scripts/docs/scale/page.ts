import { SESSIONS_MAX } from '#core/limits.ts';
import { total, usage, DEFAULTS } from '#scripts/docs/cost-model.ts';
import { table } from '#scripts/docs/markdown.ts';
import { simulateHour } from './hour.ts';
import type { Hour } from './hour.ts';
import { linkTrips } from './links.ts';
import { ASSUMED, PAGE_BYTES, peopleAt, RATES, SESSION_SECONDS, WALLS } from './load.ts';
import type { Wall } from './load.ts';
import { LIMITS, LIMITS_OF } from './platform-limits.ts';

export const SEED = 1;
const CROWDS = [1_000, 10_000, 100_000] as const;
const ON_PAPER = 1_000_000;
const VIEWS = [10, 100, 1_000, 10_000] as const;

/** The tables of `docs/scale.md`. */
export function scaleTables(): string {
  return [
    '### What gives way, in order',
    '',
    `Reckoned from the month of one person in [deploying.md](deploying.md#the-plan-and-what-it-costs), with ${ASSUMED.searches} searches of stored pages more and one followed library for ${1 / ASSUMED.libraries} people. A stored page has ${amount(PAGE_BYTES)} bytes of text, the mean of 446 pages. The database is taken to need ${ASSUMED.tripMs} ms a trip, ${ASSUMED.rowWrittenMs} ms a row that it writes, and ${amount(ASSUMED.steppingMs)} ms for a search to step through common words: that is assumed, as no deployment has been measured.`,
    '',
    wallTable(),
    '',
    '### A busy hour',
    '',
    `Simulated second by second (seed ${SEED}). In the minute after a quarter of an hour there are five times as many calls, as when a day begins. In half a minute one person in ten opens the same page. Cells have the usual second and the worst one.`,
    '',
    hourTable(),
    '',
    '### A link that everybody opens',
    '',
    `D1 trips a second for one public quote. An isolate is taken to answer ${ASSUMED.viewsOfIsolate} views a second. Before, each view was a query, so that some ${amount(LIMITS.d1BusyMs.is / ASSUMED.tripMs)} views a second took the database from everybody; now it takes ${amount(viewsAtWall())}.`,
    '',
    linkTable(),
    '',
    '### Limits of the platform',
    '',
    `Of Workers Paid, as Cloudflare's pages say in ${LIMITS_OF}. Three are from older readings of these pages and were not found in the copies at hand: requests to one object, work of one database, and log events.`,
    '',
    limitTable(),
  ].join('\n');
}

function wallTable(): string {
  const walls = WALLS.toSorted((a, b) => peopleAt(a) - peopleAt(b));
  return table(
    ['What', '1,000 people need', 'There is', 'Gives way at', 'Then', 'What moves it'],
    walls.map((wall) => [
      wall.what,
      withUnit(1_000 * wall.perPerson, wall),
      withUnit(wall.capacity, wall),
      `${rounded(peopleAt(wall))} people`,
      wall.effect,
      wall.moves,
    ]),
  );
}

function withUnit(count: number, { unit }: Wall): string {
  return unit === 'bytes' ? `${amount(count / 1e9)} GB` : `${amount(count)} ${unit}`;
}

function hourTable(): string {
  const hours = CROWDS.map((people) => simulateHour(people, SEED));
  const rows: [what: string, of: (hour: Hour) => string][] = [
    ['calls a second', ({ calls }) => both(calls, amount)],
    ['browsers', ({ browsers }) => both(browsers, amount)],
    ['sessions that find no browser', ({ sessionsRefused }) => percent(sessionsRefused)],
    ['of the one database', ({ d1Share }) => both(d1Share, percent)],
    [
      'longest wait for it',
      ({ d1WaitMs }) => (d1WaitMs === Infinity ? 'it never catches up' : `${amount(d1WaitMs / 1_000)} s`),
    ],
    ['requests to the object of all budgets', ({ budgetRequests }) => both(budgetRequests, amount)],
    ['requests to the object of the page that many open', ({ hotPageRequests }) => amount(hotPageRequests)],
  ];
  const paper: Record<string, string> = {
    'calls a second': `${amount(ON_PAPER * RATES.calls)} / –`,
    browsers: `${amount(ON_PAPER * RATES.sessions * SESSION_SECONDS)} wanted`,
    'of the one database': `${percent((ON_PAPER * RATES.d1Ms) / LIMITS.d1BusyMs.is)} / –`,
    'requests to the object of all budgets': `– / ${amount(ON_PAPER * RATES.calls)}`,
    'dollars a month': dollars(ON_PAPER),
  };
  return table(
    ['', ...CROWDS.map((people) => `${amount(people)} people`), 'a million, on paper'],
    [
      ...rows.map(([what, of]) => [what, ...hours.map(of), paper[what] ?? '–']),
      ['dollars a month', ...CROWDS.map(dollars), paper['dollars a month'] ?? ''],
    ],
  );
}

/** With all browsers that an account can have. */
function dollars(people: number): string {
  return amount(total(usage(people, { ...DEFAULTS, maxSessions: SESSIONS_MAX })));
}

function linkTable(): string {
  return table(
    ['Views a second', 'Isolates', 'D1 trips before', 'D1 trips now'],
    VIEWS.map(linkTrips).map(({ views, isolates, before, now }) => [views, isolates, before, now].map(amount)),
  );
}

function viewsAtWall(): number {
  const { views, now } = linkTrips(Math.max(...VIEWS));
  return (views * LIMITS.d1BusyMs.is) / ASSUMED.tripMs / now;
}

function limitTable(): string {
  return table(
    ['What', 'Limit'],
    Object.values(LIMITS).map(({ what, is, unit, page }) => [`[${what}](${page})`, `${amount(is)} ${unit}`]),
  );
}

function both({ median, worst }: { median: number; worst: number }, show: (value: number) => string): string {
  return `${show(median)} / ${show(worst)}`;
}

function percent(share: number): string {
  return `${amount(100 * share)} %`;
}

function amount(count: number): string {
  return count.toLocaleString('en', { maximumFractionDigits: count < 10 ? 1 : 0 });
}

/** To two digits: what is assumed is not known better. */
function rounded(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en');
}
