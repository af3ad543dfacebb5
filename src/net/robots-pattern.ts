/** Byte comparisons left for one decision. Counted, not timed: clocks stand still during CPU work in production. */
export type Work = { steps: number; limit: number };

export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

const PERCENT = 0x25;
const STAR = 0x2a;
const DOLLAR = 0x24;
const HEX = '0123456789ABCDEF';

/**
 * Brings a pattern to the form of an encoded path (RFC 9309 §2.2.2): bytes outside ASCII are percent-encoded, and the
 * hex digits of what is encoded already are upper-cased. Nothing is decoded.
 */
export function encodePattern(value: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < value.length; at += 1) {
    const byte = value[at] ?? 0;
    const high = value[at + 1];
    const low = value[at + 2];
    if (byte === PERCENT && isHex(high) && isHex(low)) {
      out.push(PERCENT, upper(high), upper(low));
      at += 2;
    } else if (byte >= 0x80) out.push(PERCENT, HEX.charCodeAt(byte >> 4), HEX.charCodeAt(byte & 15));
    else out.push(byte);
  }
  return Uint8Array.from(out);
}

/** Upper-cases the hex digits of percent-encoding in a path; other bytes stay, encoded or not. */
export function normalisePath(path: string): Uint8Array {
  const text = path.startsWith('/') ? path : `/${path}`;
  return new TextEncoder().encode(text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase()));
}

/**
 * Whether an encoded pattern covers the beginning of a path: `*` is any bytes, a final `$` the end of the path. Pieces
 * between stars are found one after the other, each at its first place, in time linear in path and pattern; a table of
 * positions takes seconds on a file of stars.
 * @throws {TooMuchWork}
 */
export function matches(pattern: Uint8Array, path: Uint8Array, work: Work): boolean {
  const anchored = pattern.at(-1) === DOLLAR;
  const end = anchored ? pattern.length - 1 : pattern.length;
  let star = indexOfStar(pattern, 0, end);
  const head = pattern.subarray(0, star);
  if (!equalsAt(path, 0, head, work)) return false;
  let at = head.length;
  if (star === end) return !anchored || at === path.length;
  while (star < end) {
    const next = indexOfStar(pattern, star + 1, end);
    const piece = pattern.subarray(star + 1, next);
    if (next === end && anchored) {
      const from = path.length - piece.length;
      return from >= at && equalsAt(path, from, piece, work);
    }
    const found = find(path, at, piece, work);
    if (found < 0) return false;
    at = found + piece.length;
    star = next;
  }
  return true;
}

function indexOfStar(pattern: Uint8Array, from: number, end: number): number {
  const at = pattern.indexOf(STAR, from);
  return at < 0 || at > end ? end : at;
}

function equalsAt(path: Uint8Array, from: number, piece: Uint8Array, work: Work): boolean {
  if (from + piece.length > path.length) return false;
  for (let at = 0; at < piece.length; at += 1) {
    spend(work, 1);
    if (path[from + at] !== piece[at]) return false;
  }
  return true;
}

/** First place of `piece` at or after `from`, by Knuth, Morris and Pratt: no pair of texts makes it quadratic. */
function find(path: Uint8Array, from: number, piece: Uint8Array, work: Work): number {
  if (piece.length === 0) return from;
  if (from + piece.length > path.length) return -1;
  const fallback = fallbacks(piece, work);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    spend(work, 1);
    while (matched > 0 && path[at] !== piece[matched]) matched = fallback[matched - 1] ?? 0;
    if (path[at] === piece[matched]) matched += 1;
    if (matched === piece.length) return at - matched + 1;
  }
  return -1;
}

function fallbacks(piece: Uint8Array, work: Work): Uint16Array {
  const table = new Uint16Array(piece.length);
  let length = 0;
  for (let at = 1; at < piece.length; at += 1) {
    spend(work, 1);
    while (length > 0 && piece[at] !== piece[length]) length = table[length - 1] ?? 0;
    if (piece[at] === piece[length]) length += 1;
    table[at] = length;
  }
  return table;
}

function spend(work: Work, steps: number): void {
  work.steps += steps;
  if (work.steps > work.limit) throw new TooMuchWork();
}

function isHex(byte: number | undefined): byte is number {
  return byte !== undefined && /^[0-9a-f]$/i.test(String.fromCharCode(byte));
}

function upper(byte: number): number {
  return byte >= 0x61 ? byte - 0x20 : byte;
}
