import { CALLS } from '#scripts/docs/measured-calls.ts';
import { HOPS_OF_CALLS } from '#scripts/docs/hops.ts';
import { DAYS, DEFAULTS, HOURS_OF_A_DAY, PEAK, PERSON, RENDER_SECONDS } from '#scripts/docs/cost-model.ts';
import { RENDERS_CONCURRENT_MAX } from '#browsing/rendering/limits.ts';
import { describeConfig } from '#core/config/config.ts';
import {
  DOCUMENT_PIN_EXTRA_MS,
  OPENED_DOCUMENT_PIN_EXTRA_MS,
  DELETED_DOCUMENTS_PER_BATCH_MAX,
  HOUR_MS,
  RENDERER_OBJECT_COUNT,
  OPEN_SESSIONS_MAX,
} from '#core/limits.ts';
import { ROUNDS_PER_HOUR_MAX } from '#library/limits.ts';
import { SWEEP_BATCHES_MAX } from '#storage/limits.ts';
import { LIMITS } from './platform-limits.ts';

/** Assumptions that are not measured; the month of one person is that of `docs/deploying.md`. */
export const ASSUMED = {
  /** Searches per month that the local index answers. */
  searches: 100,
  /** Libraries that one person follows, each checked once a day. */
  libraries: 0.1,
  /** Time of the database for one trip: D1's own example of an average query. */
  tripMs: 1,
  rowWrittenMs: 0.1,
  /** Time of a search that steps through two windows of the index, at 67 ns a row: measured in SQLite. */
  steppingMs: 2 * 131_072 * 67e-6,
  /** Views per second that one isolate answers before the platform starts another. */
  viewsOfIsolate: 50,
} as const;

/** Average size of a stored page text over 446 of the labelled pages. The database is half as large again. */
export const PAGE_BYTES = 30_342;
const DATABASE_SHARE = 1.5;

const BUSY_SECONDS = DAYS * HOURS_OF_A_DAY * 3_600;
const SEARCH_TRIPS = HOPS_OF_CALLS['`search`, of stored pages']?.all.d1 ?? Number.NaN;

/** Calls of one kind per person and second at the busiest time; database time and object requests of one call. */
export type Kind = { perSecond: number; d1Ms: number; objectRequests: number };

export const KINDS = {
  coldOpen: kind(PERSON.coldOpen, CALLS.coldOpen),
  cachedOpen: kind(PERSON.cachedOpen, CALLS.cachedOpen),
  scroll: kind(PERSON.scroll, CALLS.scroll),
  find: kind(PERSON.find, CALLS.find),
  browserCall: kind(PERSON.browserCall, CALLS.browserCall),
  search: {
    ...kind(ASSUMED.searches, {
      d1Trips: SEARCH_TRIPS,
      rowsWritten: 0,
      objectRequests: CALLS.cachedOpen.objectRequests,
    }),
    d1Ms: SEARCH_TRIPS * ASSUMED.tripMs + ASSUMED.steppingMs,
  },
} as const satisfies Record<string, Kind>;

type Counted = { d1Trips: number; rowsWritten: number; objectRequests: number };

function kind(ofMonth: number, { d1Trips, rowsWritten, objectRequests }: Counted): Kind {
  return {
    perSecond: (PEAK * ofMonth) / BUSY_SECONDS,
    d1Ms: d1Trips * ASSUMED.tripMs + rowsWritten * ASSUMED.rowWrittenMs,
    objectRequests,
  };
}

const sum = (of: (one: Kind) => number) => Object.values(KINDS).reduce((all, one) => all + one.perSecond * of(one), 0);

/** Rates of one person, per second of the busiest time. */
export const RATES = {
  calls: sum(() => 1),
  d1Ms: sum(({ d1Ms }) => d1Ms),
  sessions: (PEAK * PERSON.browserSessions) / BUSY_SECONDS,
  renders: (PEAK * PERSON.renderedPages) / BUSY_SECONDS,
} as const;

export const SESSION_SECONDS = 60 * (PERSON.browserSessionMinutes + DEFAULTS.idleMinutes);

/** A limited resource: one person's share of it, and its capacity. */
export type Wall = {
  what: string;
  perPerson: number;
  capacity: number;
  unit: string;
  effect: string;
  moves: string;
};

const DAY_HOURS = 24;
const HELD_HOURS = defaultOf('CURSOR_TTL_HOURS') + (DOCUMENT_PIN_EXTRA_MS + OPENED_DOCUMENT_PIN_EXTRA_MS) / HOUR_MS;
const COLD_A_DAY = PERSON.coldOpen / DAYS;
const CALLS_OF_MONTH = (RATES.calls * BUSY_SECONDS) / PEAK;

export const WALLS: readonly Wall[] = [
  {
    what: 'Text that open cursors hold, default `CACHE_MAX_BYTES`',
    perPerson: (COLD_A_DAY * PAGE_BYTES * HELD_HOURS) / DAY_HOURS,
    capacity: defaultOf('CACHE_MAX_BYTES'),
    unit: 'bytes',
    effect: 'pages leave the store as soon as no cursor holds them',
    moves: '`CACHE_MAX_BYTES` 6,000,000,000',
  },
  {
    what: 'Browser time of everybody, default `BUDGET_TOTAL_BROWSER_MINUTES_PER_DAY`',
    perPerson: (PERSON.browserSessions * SESSION_SECONDS) / 60 / DAYS,
    capacity: defaultOf('BUDGET_TOTAL_BROWSER_MINUTES_PER_DAY'),
    unit: 'minutes a day',
    effect: 'no further browser starts until room returns',
    moves: 'the setting',
  },
  {
    what: 'Calls of everybody, default `BUDGET_TOTAL_CALLS_PER_DAY`',
    perPerson: CALLS_OF_MONTH / DAYS,
    capacity: defaultOf('BUDGET_TOTAL_CALLS_PER_DAY'),
    unit: 'calls a day',
    effect: 'calls fail with `rate_limited`',
    moves: 'the setting',
  },
  {
    what: 'Browsers at a time, default `MAX_SESSIONS`',
    perPerson: RATES.sessions * SESSION_SECONDS,
    capacity: defaultOf('MAX_SESSIONS'),
    unit: 'browsers',
    effect: 'people wait, or get `session_limit`',
    moves: `\`MAX_SESSIONS\` ${OPEN_SESSIONS_MAX}, when the plan pays for it`,
  },
  {
    what: 'Browsers at a time of an account',
    perPerson: RATES.sessions * SESSION_SECONDS,
    capacity: OPEN_SESSIONS_MAX,
    unit: 'browsers',
    effect: 'people wait, or get `session_limit`',
    moves: '`SESSION_IDLE_MINUTES` 3; then more accounts',
  },
  {
    what: 'Bytes of the database that open cursors hold',
    perPerson: (COLD_A_DAY * PAGE_BYTES * DATABASE_SHARE * HELD_HOURS) / DAY_HOURS,
    capacity: LIMITS.d1Bytes.is,
    unit: 'bytes',
    effect: 'nothing more can be stored, so new pages fail',
    moves: '`CURSOR_TTL_HOURS` 4; then text in R2',
  },
  {
    what: 'Documents that the hourly run deletes',
    perPerson: COLD_A_DAY / DAY_HOURS,
    capacity: SWEEP_BATCHES_MAX * DELETED_DOCUMENTS_PER_BATCH_MAX,
    unit: 'documents an hour',
    effect: 'the store grows above `CACHE_MAX_BYTES`',
    moves: 'the trigger more often; then a queue',
  },
  {
    what: 'Browsers started for sessions',
    perPerson: RATES.sessions,
    capacity: LIMITS.browserStarts.is,
    unit: 'a second',
    effect: 'a launch waits',
    moves: 'more accounts',
  },
  {
    what: 'Pages rendered for reading',
    perPerson: RATES.renders,
    capacity: (RENDERER_OBJECT_COUNT * RENDERS_CONCURRENT_MAX) / RENDER_SECONDS,
    unit: 'a second',
    effect: 'the page is shown as it was fetched, with a note',
    moves: 'more renderers, each a browser',
  },
  {
    what: 'Work of the one database',
    perPerson: RATES.d1Ms,
    capacity: LIMITS.d1BusyMs.is,
    unit: 'ms a second',
    effect: 'calls that need it fail with `overloaded`; `scroll` and `find` go on',
    moves: 'replicas for documents; then databases by site',
  },
  {
    what: 'Rounds of followed libraries begun',
    perPerson: ASSUMED.libraries / DAY_HOURS,
    capacity: ROUNDS_PER_HOUR_MAX,
    unit: 'an hour',
    effect: 'rounds begin later',
    moves: 'the trigger more often',
  },
  {
    what: 'Requests to the object of all budgets, in the second after a quarter of an hour begins',
    perPerson: RATES.calls,
    capacity: LIMITS.objectRequests.is,
    unit: 'a second',
    effect: 'calls wait for some seconds',
    moves: 'blocks that end at different times; then an object for each part of the people',
  },
];

/** The number of people at which the resource is exhausted. */
export function peopleAt({ perPerson, capacity }: Pick<Wall, 'perPerson' | 'capacity'>): number {
  return capacity / perPerson;
}

/** The default of a numeric setting. */
function defaultOf(setting: string): number {
  return Number(describeConfig().find(({ name }) => name === setting)?.fallback);
}
