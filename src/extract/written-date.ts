const UNPARSED_CHARS_MAX = 60;

/**
 * Formats a date as `2026-05-04 12:30 UTC`. A date that cannot be parsed is returned as written, cut to 60 characters.
 */
export function formatWrittenDate(written: string): string {
  const time = Date.parse(written);
  if (Number.isNaN(time)) return written.slice(0, UNPARSED_CHARS_MAX);
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
