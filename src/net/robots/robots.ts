import { ROBOTS_BYTES_MAX, ROBOTS_LINE_BYTES_MAX, ROBOTS_COMPARISONS_MAX } from '#net/limits.ts';
import type { RobotsPreferences } from './content-signals.ts';
import type { OriginStore } from '#core/origin-store.ts';

const ROBOTS_PREFERENCE_LINES_MAX = 20;

type RobotsVerdict = {
  allowed: boolean;
  /** The rule that decided, such as `disallow: /private`, in ASCII. `null` if no rule matched. */
  rule: string | null;
  steps: number;
  said?: RobotsPreferences | undefined;
};

type Best = { allow: number; disallow: number; allowText: string; disallowText: string; said: Said };
type Said = { signal: string[]; usage: string[] };

const STAR = 0x2a;
const SLASH = 0x2f;
const DOLLAR = 0x24;

/**
 * Decides by RFC 9309 whether a path may be crawled, from the raw bytes of a robots.txt. It merges the rule groups for
 * the product token, or those for `*` if there are none. It applies the longest matching pattern, and prefers `allow`
 * in a tie. It never throws. If the decision takes more than {@link ROBOTS_COMPARISONS_MAX} steps, the path is
 * disallowed.
 * @param productToken compared as a whole, ignoring case
 * @param encodedPath path and query, encoded as in a WHATWG URL
 */
export function decideRobots(file: Uint8Array, productToken: string, encodedPath: string): RobotsVerdict {
  const work: Work = { steps: 0, limit: ROBOTS_COMPARISONS_MAX };
  try {
    return { ...judge(file, productToken.toLowerCase(), normalisePath(encodedPath), work), steps: work.steps };
  } catch (error) {
    if (error instanceof TooMuchWork) return { allowed: false, rule: null, steps: work.steps };
    throw error;
  }
}

function judge(file: Uint8Array, token: string, path: Uint8Array, work: Work): Omit<RobotsVerdict, 'steps'> {
  const own = nothing();
  const everyone = nothing();
  let isOwn = false;
  let isEveryone = false;
  let hasOwnGroup = false;
  let rulesBegan = false;
  for (const { key, value } of readDirectives(file)) {
    // Other lines (sitemap, crawl-delay, unknown) neither begin nor end a group (RFC 9309 §2.2.4).
    if (key === 'other' || key === 'delay') continue;
    if (key === 'signal' || key === 'usage') {
      if (isOwn) note(own, key, value, path, work);
      else if (isEveryone && !hasOwnGroup) note(everyone, key, value, path, work);
      continue;
    }
    if (key === 'user-agent') {
      if (rulesBegan) isOwn = isEveryone = rulesBegan = false;
      if (isForEveryone(value)) isEveryone = true;
      else if (agentName(value) === token && token !== '') isOwn = hasOwnGroup = true;
      continue;
    }
    rulesBegan = true;
    // Once a group for the product token was found, groups for `*` are ignored.
    if (isOwn) weigh(own, key, value, path, work);
    else if (isEveryone && !hasOwnGroup) weigh(everyone, key, value, path, work);
  }
  const best = hasOwnGroup ? own : everyone;
  if (best.disallow > best.allow) return { allowed: false, rule: best.disallowText };
  const { said } = best;
  const hasSaid = said.signal.length + said.usage.length > 0;
  return { allowed: true, rule: best.allow > 0 ? best.allowText : null, ...(hasSaid ? { said } : {}) };
}

/**
 * Returns the longest `Crawl-delay` in seconds in the rule groups for the product token, or in those for `*` if there
 * are none. Returns `null` if there is no delay. RFC 9309 does not define `Crawl-delay`.
 */
export function crawlDelaySeconds(file: Uint8Array, productToken: string): number | null {
  const token = productToken.toLowerCase();
  const said: Record<'own' | 'everyone', number | null> = { own: null, everyone: null };
  let isOwn = false;
  let isEveryone = false;
  let hasOwnGroup = false;
  let agentsEnded = false;
  for (const { key, value } of readDirectives(file)) {
    if (key === 'user-agent') {
      if (agentsEnded) isOwn = isEveryone = agentsEnded = false;
      if (isForEveryone(value)) isEveryone = true;
      else if (agentName(value) === token && token !== '') isOwn = hasOwnGroup = true;
      continue;
    }
    if (key === 'allow' || key === 'disallow') agentsEnded = true;
    if (key !== 'delay') continue;
    agentsEnded = true;
    const seconds = Number.parseFloat(latin1(value));
    if (!(seconds > 0)) continue;
    if (isOwn) said.own = Math.max(said.own ?? 0, seconds);
    if (isEveryone) said.everyone = Math.max(said.everyone ?? 0, seconds);
  }
  return hasOwnGroup ? said.own : said.everyone;
}

function nothing(): Best {
  return { allow: 0, disallow: 0, allowText: '', disallowText: '', said: { signal: [], usage: [] } };
}

function weigh(best: Best, key: 'allow' | 'disallow', value: Uint8Array, path: Uint8Array, work: Work): void {
  const pattern = encodePattern(value);
  if (pattern.length > best[key] && matches(pattern, path, work)) {
    best[key] = pattern.length;
    best[`${key}Text`] = `${key}: ${new TextDecoder().decode(pattern)}`;
    return;
  }
  const directory = key === 'allow' ? directoryOfIndexPage(pattern) : null;
  if (directory !== null) weigh(best, 'allow', directory, path, work);
}

/**
 * Records the value of a preference line. A value with a path pattern, such as `/blog ai-train=no`, is recorded only if
 * the pattern matches the path.
 */
function note({ said }: Best, key: 'signal' | 'usage', value: Uint8Array, path: Uint8Array, work: Work): void {
  if (said[key].length >= ROBOTS_PREFERENCE_LINES_MAX) return;
  const isAboutPath = value[0] === SLASH || value[0] === STAR;
  const gap = isAboutPath ? value.findIndex(isGap) : -1;
  if (isAboutPath && (gap < 0 || !matches(encodePattern(value.subarray(0, gap)), path, work))) return;
  said[key].push(latin1(trimmed(value.subarray(gap + 1))));
}

/**
 * Converts `/a/index.html` to `/a/$`, because a site that allows its index page also means the URL of the directory.
 */
function directoryOfIndexPage(pattern: Uint8Array): Uint8Array | null {
  const slash = pattern.lastIndexOf(SLASH);
  if (slash < 0 || !new TextDecoder().decode(pattern.subarray(slash)).startsWith('/index.htm')) return null;
  const directory = pattern.slice(0, slash + 2);
  directory[slash + 1] = DOLLAR;
  return directory;
}

function isForEveryone(value: Uint8Array): boolean {
  return value[0] === STAR && (value.length === 1 || value[1] === 0x20 || value[1] === 0x09);
}

/**
 * Returns the product token at the start of the value, in lower case. Versions and further words are ignored (RFC 9309
 * §2.2.1).
 */
function agentName(value: Uint8Array): string {
  let end = 0;
  while (end < value.length && isTokenByte(value[end] ?? 0)) end += 1;
  return new TextDecoder().decode(value.subarray(0, end)).toLowerCase();
}

function isTokenByte(byte: number): boolean {
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  return isLetter || byte === 0x2d || byte === 0x5f;
}

type Directive = {
  key: 'user-agent' | 'allow' | 'disallow' | 'signal' | 'usage' | 'delay' | 'other';
  value: Uint8Array;
};

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const COLON = 0x3a;
const BOM = [0xef, 0xbb, 0xbf];
/** U+FFFD in UTF-8. Some files begin with it, because a program could not decode their byte order mark. */
const RUINED_BOM = [0xef, 0xbf, 0xbd];
const KEY_BYTES_MAX = 32;
/** Prefixes of line names, including common misspellings. Google's parser accepts the same ones. */
const KEYS: readonly (readonly [prefix: string, key: Directive['key']])[] = [
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['content-signal', 'signal'],
  ['content-usage', 'usage'],
  ['crawl-delay', 'delay'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
];

/**
 * Parses the directives of a robots.txt from its raw bytes. Many files have mixed or invalid encodings, and a decoder
 * would change their patterns. Lines end with LF, CR or both.
 */
function* readDirectives(file: Uint8Array): Generator<Directive> {
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

/** Returns the length of the byte order mark, even if its last bytes are missing; 0 without one. */
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

/**
 * Returns the index of the separator: the colon or, if there is none, the gap between two words. Returns -1 if there is
 * no separator, or if there are more than two words without a colon.
 */
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

/**
 * The byte comparisons of one decision about a path. They are counted instead of measuring time: in production, clocks
 * do not advance during CPU work.
 */
type Work = { steps: number; limit: number };

class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}

const PERCENT = 0x25;
const HEX = '0123456789ABCDEF';

/**
 * Converts a pattern to the form of an encoded path (RFC 9309 §2.2.2). It percent-encodes bytes outside ASCII, and
 * converts the hex digits of existing encodings to upper case. Nothing is decoded.
 */
function encodePattern(value: Uint8Array): Uint8Array {
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

/** Converts the hex digits of percent-encodings in a path to upper case. Other bytes stay unchanged. */
function normalisePath(path: string): Uint8Array {
  const text = path.startsWith('/') ? path : `/${path}`;
  return new TextEncoder().encode(text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase()));
}

/**
 * Returns true if an encoded pattern matches the beginning of a path. A `*` matches any bytes, and a final `$` matches
 * the end of the path. The pieces between stars are matched at the first possible position, which takes time linear in
 * path and pattern. A table of positions would take seconds for a file full of stars.
 * @throws {TooMuchWork}
 */
function matches(pattern: Uint8Array, path: Uint8Array, work: Work): boolean {
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
    const found = indexOfPattern(path, at, piece, work);
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
    spend(work);
    if (path[from + at] !== piece[at]) return false;
  }
  return true;
}

/**
 * Returns the first index of `piece` at or after `from`. The algorithm is Knuth-Morris-Pratt, which takes linear time
 * for any input.
 */
function indexOfPattern(path: Uint8Array, from: number, piece: Uint8Array, work: Work): number {
  if (piece.length === 0) return from;
  if (from + piece.length > path.length) return -1;
  const fallback = fallbacks(piece, work);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    spend(work);
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
    spend(work);
    while (length > 0 && piece[at] !== piece[length]) length = table[length - 1] ?? 0;
    if (piece[at] === piece[length]) length += 1;
    table[at] = length;
  }
  return table;
}

function spend(work: Work): void {
  work.steps += 1;
  if (work.steps > work.limit) throw new TooMuchWork();
}

function isHex(byte: number | undefined): byte is number {
  return byte !== undefined && /^[0-9a-f]$/i.test(String.fromCharCode(byte));
}

function upper(byte: number): number {
  return byte >= 0x61 ? byte - 0x20 : byte;
}

export type RobotsEntry = {
  /**
   * `rules`: the rules in `body` decide. `open`: the site has no robots.txt (4xx, or redirects to no file), so
   * everything is allowed. `closed`: the server failed (5xx) or the gate refused its address, so nothing is allowed.
   */
  outcome: 'rules' | 'open' | 'closed';
  /** The file as received, at most `ROBOTS_BYTES_MAX` bytes. Empty unless `outcome` is `rules`. */
  body: Uint8Array;
  /** Time at which the file must be fetched again, in ms since 1970. */
  expiresAt: number;
};

export type RobotsStore = OriginStore<RobotsEntry>;
