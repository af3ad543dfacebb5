import { URL_CHARS_MAX } from '#core/limits.ts';
import { sanitizeText } from './plain.ts';

const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).byteLength;
}

/** Formats a size in decimal megabytes (1,000,000 bytes), the unit in which storage is sold. */
export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 1_000_000 ? 1 : 0);
}

export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new Uint8Array(maxBytes);
  const { read } = encoder.encodeInto(text, bytes);
  return text.slice(0, read);
}

/**
 * Joins the text into one line of at most `maxChars` UTF-16 units. A cut text ends with an ellipsis. Surrogate pairs
 * are never split.
 */
export function oneLine(text: string, maxChars: number): string {
  const flat = sanitizeText(text).replace(/\s+/gu, ' ').trim();
  if (flat.length <= maxChars) return flat;
  const cut = flat.slice(0, maxChars - 1);
  const last = cut.charCodeAt(cut.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? cut.slice(0, -1) : cut}…`;
}

/**
 * Removes matching characters from the end of the text. A regular expression that ends in `+$` would take quadratic
 * time.
 * @param character matches one character, without the flags `g` and `y`
 */
export function trimEndMatching(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const low = text.charCodeAt(end - 1);
    const start = low >= 0xdc00 && low <= 0xdfff && end > 1 ? end - 2 : end - 1;
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

/**
 * Puts the text in curly quotation marks. Double quotation marks inside become `'`, so they cannot end the quotation.
 * @param text one line
 */
export function quoteCurly(text: string): string {
  return `“${text.replaceAll(/["\u201c-\u201f«»]/gu, "'")}”`;
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Encodes bytes as Base64 for URLs (RFC 4648 §5), without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

export async function hmacSha256(secret: string, text: string): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, encoder.encode(text));
}

/** Cuts a URL to the maximum length that tools accept, because a page can set a URL of several megabytes. */
export function truncateUrl(url: string): string {
  return url.length <= URL_CHARS_MAX ? url : `${url.slice(0, URL_CHARS_MAX - 1)}…`;
}

/**
 * Marks around page text in a result, which separate it from the server's own words. They are derived from a hash of
 * the text, so that results are reproducible. To forge a mark, a page would have to contain 64 bits of its own hash.
 */
export type Fence = { open: string; close: string };

const MARK_HEX_DIGITS = 16;

export async function createFence(seed: string): Promise<Fence> {
  const mark = (await sha256Hex(`periscope fence\n${seed}`)).slice(0, MARK_HEX_DIGITS);
  return { open: `⟦${mark}`, close: `${mark}⟧` };
}

/** Decodes percent-encoding (RFC 3986). Returns malformed text unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Decodes escapes that a URL does not need (RFC 3986 §6.2.2.2): letters, digits and `-._~`. */
export function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/giu, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/u.test(character) ? character : escape.toUpperCase();
  });
}

/** The part of a URL before its fragment. */
export function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/**
 * Percent-encodes a character.
 * @param character an ASCII character
 */
export function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Returns the index after the next `mark`, or the length of the text if there is none. */
export function indexAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** Writes a number with its unit. The plural of the unit must end in `s`. */
export function countWithUnit(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
