const UNPARSED_CHARS_MAX = 60;

const DAY_MS = 86_400_000;
/** The day of `2026-05-04T12:30:00Z` or `Mon, 4 May 2026`. */
const DAY = /^\d{4}-\d\d-(\d\d)|^(?:\w{3,9}, )?(\d{1,2})[ -][A-Za-z]/;

/**
 * Formats a date as `2026-05-04 12:30 UTC`. A date that cannot be parsed, or that no month has (30 February), is
 * returned as written, cut to 60 characters.
 */
export function formatWrittenDate(written: string): string {
  const time = Date.parse(written);
  if (Number.isNaN(time) || isNoDay(written, time)) return written.slice(0, UNPARSED_CHARS_MAX);
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** True if the written day is neither that of the moment nor, in another time zone, the one before or after. */
function isNoDay(written: string, time: number): boolean {
  const [, iso, mail] = DAY.exec(written.trim()) ?? [];
  const day = Number(iso ?? mail);
  return !Number.isNaN(day) && ![-DAY_MS, 0, DAY_MS].some((by) => new Date(time + by).getUTCDate() === day);
}
