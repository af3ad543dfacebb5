import { createContext } from 'hono/jsx';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/limits.ts';

export type PageClock = {
  now: number;
  zone: string;
  day: Intl.DateTimeFormat;
  whole: Intl.DateTimeFormat;
};

/** Clock and time zone for the page that is being rendered; `null` for an unknown reader. */
export const ClockContext = createContext<PageClock | null>(null);

/** Maximum days for a relative time such as "3 days ago". Other times are shown as a date. */
const DAYS_AGO_MAX = 7;

/** Clock in a user's zone. @param zone as stored; a zone that the runtime no longer knows counts as UTC */
export function createPageClock(zone: string, now: number): PageClock {
  const timeZone = isTimeZone(zone) ? zone : 'UTC';
  return {
    now,
    zone: timeZone,
    day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }),
    whole: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }),
  };
}

/** A near time such as `12 min ago` or `in 3 h`; for a more distant time, the date. A future time is rounded. */
export function relativeTime(at: number, { now, day }: PageClock): string {
  const away = Math.abs(now - at);
  if (away < MINUTE_MS) return at <= now ? 'just now' : 'in a moment';
  const whole = at <= now ? Math.floor : Math.round;
  const amount =
    away < HOUR_MS
      ? `${whole(away / MINUTE_MS)} min`
      : away < DAY_MS
        ? `${whole(away / HOUR_MS)} h`
        : away < DAYS_AGO_MAX * DAY_MS
          ? daysOf(whole(away / DAY_MS))
          : null;
  if (amount === null) return day.format(at);
  return at <= now ? `${amount} ago` : `in ${amount}`;
}

function daysOf(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** A full time such as `Thursday, 26 November 2026 at 14:02 (Europe/Berlin)`. */
export function fullTime(at: number, { whole, zone }: PageClock): string {
  return `${whole.format(at)} (${zone})`;
}

let known: ReadonlySet<string> | undefined;

export function timeZones(): ReadonlySet<string> {
  known ??= new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return known;
}

export function isTimeZone(text: string): boolean {
  return timeZones().has(text);
}
