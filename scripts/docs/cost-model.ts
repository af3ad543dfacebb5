import { RENDER_BROWSER_IDLE_MS } from '#browsing/rendering/limits.ts';
import { SESSION_ALARM_INTERVAL_MS } from '#browsing/session/limits.ts';
import { RENDERER_OBJECT_COUNT } from '#core/limits.ts';
import { WORKERS_PLAN_DOLLARS, CLOUDFLARE_PRICES } from '#core/prices.ts';
import { CALLS } from './measured-calls.ts';

export type Item = keyof typeof CLOUDFLARE_PRICES;
export const ITEMS: readonly Item[] = [
  'Requests to the Worker',
  'CPU time, ms',
  'Requests to objects',
  'Duration of objects, GB-s',
  'Rows written by objects',
  'Storage of objects, GB',
  'Rows read in D1',
  'Rows written in D1',
  'Storage in D1, GB',
  'Reads in KV',
  'Writes in KV',
  'Log events',
  'Browser hours',
  'Browsers at a time',
];

/** Assumed use of one person in a month. The tables are based on it; it is not measured. */
export const PERSON = {
  coldOpen: 400,
  cachedOpen: 400,
  scroll: 800,
  find: 200,
  browserCall: 200,
  browserSessions: 10,
  browserSessionMinutes: 5,
  renderedPages: 40,
  hoursConnected: 60,
  /** Activity, pictures of steps, and files. */
  storedMb: 20,
} as const;

/** Settings of the deployment that change the costs. */
export type Settings = {
  idleMinutes: number;
  renders: boolean;
  caches: boolean;
  storedGb: number;
  maxSessions: number;
};
export const DEFAULTS: Settings = { idleMinutes: 10, renders: true, caches: true, storedGb: 0.5, maxSessions: 30 };

/** An object is billed for 128 MB for as long as a call takes: tens of milliseconds. */
const OBJECT_GB = 0.125;
const CALL_SECONDS = 0.05;
/** A connected client gets a new token each hour, which writes a grant and a token. */
const WRITES_OF_AN_HOUR = 2;
export const RENDER_SECONDS = 4;
/** Our line and the platform's line for the request, besides one for each request to an object. */
const LINES_OF_A_CALL = 2;
/** `head_sampling_rate` of traces in `wrangler.toml`. */
const TRACED = 0.05;
export const DAYS = 22;
export const HOURS_OF_A_DAY = 8;
/** The busiest moment of a day, compared with the average. */
export const PEAK = 2;

/** Use of this many people in a month. */
export function usage(people: number, settings: Settings): Record<Item, number> {
  const { coldOpen, cachedOpen, scroll, find, browserCall } = PERSON;
  const times = {
    coldOpen: settings.caches ? coldOpen : coldOpen + cachedOpen,
    cachedOpen: settings.caches ? cachedOpen : 0,
    scroll,
    find,
    browserCall: settings.renders ? browserCall : 0,
  };
  const sum = (count: (name: keyof typeof times) => number) =>
    people * CALL_NAMES.reduce((all, name) => all + times[name] * count(name), 0);
  const browser = browserUse(people, settings);
  const objectRequests = sum((name) => CALLS[name].objectRequests) + browser.ticks;
  return {
    'Requests to the Worker': sum(() => 1),
    'CPU time, ms': sum((name) => CALLS[name].cpuMs),
    'Requests to objects': objectRequests,
    'Duration of objects, GB-s': OBJECT_GB * (objectRequests * CALL_SECONDS + browser.hours * 3_600),
    'Rows written by objects': sum((name) => CALLS[name].objectRowsWritten) + browser.ticks,
    'Storage of objects, GB': (people * PERSON.storedMb) / 1_000,
    'Rows read in D1': sum((name) => CALLS[name].rowsRead),
    'Rows written in D1': sum((name) => CALLS[name].rowsWritten),
    'Storage in D1, GB': settings.storedGb,
    'Reads in KV': sum((name) => CALLS[name].kvReads),
    'Writes in KV': people * PERSON.hoursConnected * WRITES_OF_AN_HOUR,
    'Log events': sum((name) => eventsOf(name)) + browser.ticks,
    'Browser hours': browser.hours,
    'Browsers at a time': browser.atATime,
  };
}

/** Each span of a trace counts as an event. */
function eventsOf(name: (typeof CALL_NAMES)[number]): number {
  const { objectRequests, d1Trips, kvReads } = CALLS[name];
  const lines = LINES_OF_A_CALL + objectRequests;
  return lines + TRACED * (lines + d1Trips + kvReads);
}

/** Use of limited resources at the busiest moment. */
export function busiest(people: number): { browsers: number; d1TripsPerSecond: number } {
  const { coldOpen, cachedOpen, scroll, find } = PERSON;
  const times = { coldOpen, cachedOpen, scroll, find, browserCall: 0 };
  const trips = people * CALL_NAMES.reduce((all, name) => all + times[name] * CALLS[name].d1Trips, 0);
  const { atATime } = browserUse(people, { ...DEFAULTS, maxSessions: Infinity });
  return { browsers: atATime, d1TripsPerSecond: (PEAK * trips) / (DAYS * HOURS_OF_A_DAY * 3_600) };
}

const CALL_NAMES = ['coldOpen', 'cachedOpen', 'scroll', 'find', 'browserCall'] as const;

/** An open browser keeps its object awake, which checks it once a minute and reports to the registry. */
function browserUse(people: number, { idleMinutes, renders, maxSessions }: Settings) {
  if (!renders) return { hours: 0, ticks: 0, atATime: 0 };
  const sessionHours = (people * PERSON.browserSessions * (PERSON.browserSessionMinutes + idleMinutes)) / 60;
  const renderHours = Math.min(
    (people * PERSON.renderedPages * (RENDER_SECONDS + RENDER_BROWSER_IDLE_MS / 1_000)) / 3_600,
    RENDERER_OBJECT_COUNT * DAYS * HOURS_OF_A_DAY,
  );
  const hours = sessionHours + renderHours;
  const atATime = Math.ceil((PEAK * hours) / DAYS / HOURS_OF_A_DAY);
  return {
    hours,
    ticks: (2 * sessionHours * 3_600_000) / SESSION_ALARM_INTERVAL_MS,
    atATime: Math.min(atATime, maxSessions + RENDERER_OBJECT_COUNT),
  };
}

/** Dollars per month beyond the plan. */
export function costOf(item: Item, used: number): number {
  const { included, dollars, per } = CLOUDFLARE_PRICES[item];
  return (Math.max(0, used - included) / per) * dollars;
}

/** Dollars per month, including the plan. */
export function total(used: Record<Item, number>): number {
  return ITEMS.reduce((sum, item) => sum + costOf(item, used[item]), WORKERS_PLAN_DOLLARS);
}
