const UNPARSED_CHARS_MAX = 60;

/** Formats a date as `2026-05-04 12:30 UTC`; a date that cannot be parsed stays as written. */
export function formatWrittenDate(written: string): string {
  const time = Date.parse(written);
  if (Number.isNaN(time)) return written.slice(0, UNPARSED_CHARS_MAX);
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
