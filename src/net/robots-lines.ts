import { ROBOTS_BYTES_MAX, ROBOTS_LINE_BYTES_MAX } from './limits.ts';

export type Directive = { key: 'user-agent' | 'allow' | 'disallow' | 'other'; value: Uint8Array };

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const COLON = 0x3a;
const BOM = [0xef, 0xbb, 0xbf];
/** What a decoder leaves of a byte order mark that lost a byte on its way: U+FFFD in UTF-8. */
const RUINED_BOM = [0xef, 0xbf, 0xbd];
const KEY_BYTES_MAX = 32;
/** Prefixes, as the largest crawler takes them; the misspellings are those found often enough to be meant. */
const KEYS: readonly (readonly [prefix: string, key: Directive['key']])[] = [
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
];

/**
 * The lines of a robots.txt that say something, from raw bytes: files are mixed and broken encodings in practice, and a
 * decoder would change what the patterns say. Lines end with LF, CR or both.
 */
export function* readDirectives(file: Uint8Array): Generator<Directive> {
  const bytes = file.subarray(0, ROBOTS_BYTES_MAX);
  let start = bomLength(bytes);
  while (start < bytes.length) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end += 1;
    const directive = readLine(bytes.subarray(start, Math.min(end, start + ROBOTS_LINE_BYTES_MAX)));
    if (directive !== null) yield directive;
    start = end + 1;
  }
}

/** A byte order mark is skipped, and so is one that lost its last bytes. */
function bomLength(bytes: Uint8Array): number {
  if (RUINED_BOM.every((byte, index) => bytes[index] === byte)) return RUINED_BOM.length;
  const differs = BOM.findIndex((byte, index) => bytes[index] !== byte);
  return differs < 0 ? BOM.length : differs;
}

function readLine(line: Uint8Array): Directive | null {
  const comment = line.indexOf(HASH);
  const text = trimmed(comment < 0 ? line : line.subarray(0, comment));
  const separator = separatorOf(text);
  if (separator < 0) return null;
  const name = latin1(trimmed(text.subarray(0, separator)).subarray(0, KEY_BYTES_MAX)).toLowerCase();
  if (name === '') return null;
  const key = KEYS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'other';
  return { key, value: trimmed(text.subarray(separator + 1)) };
}

/** The colon; where it was forgotten, the gap between exactly two words. */
function separatorOf(text: Uint8Array): number {
  const colon = text.indexOf(COLON);
  if (colon >= 0) return colon;
  const gap = text.findIndex(isGap);
  if (gap < 0) return -1;
  return trimmed(text.subarray(gap)).some(isGap) ? -1 : gap;
}

function isGap(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || (byte !== undefined && byte >= TAB && byte <= CR);
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
