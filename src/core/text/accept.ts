import { parseAccept } from 'hono/utils/accept';

type Range = { type: string; q: number };

/**
 * Returns true if an `Accept` header allows a media type. The most specific matching range decides. A missing or empty
 * header allows every type (RFC 9110 §12.5.1).
 * @param type the media type in lower case
 */
export function accepts(header: string | null, type: string): boolean {
  const ranges = rangesOf(header);
  if (ranges.length === 0) return true;
  const [kind = ''] = type.split('/');
  const matching = [type, `${kind}/*`, '*/*', '*'].map((name) => ranges.find((range) => range.type === name));
  return (matching.find((range) => range !== undefined)?.q ?? 0) > 0;
}

/** Returns true if the header names this exact type, as browsers do with `text/html`. A wildcard does not count. */
export function acceptsExplicitly(header: string | null, type: string): boolean {
  return rangesOf(header).some((range) => range.type === type && range.q > 0);
}

function rangesOf(header: string | null): Range[] {
  return parseAccept(header ?? '').map(({ type, q }) => ({ type: type.toLowerCase(), q }));
}
