import { URL_CHARS_MAX } from '#core/limits.ts';
import { toPlain } from './plain.ts';

const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).byteLength;
}

/** Decimal, as storage is sold. */
export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 1_000_000 ? 1 : 0);
}

export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new Uint8Array(maxBytes);
  const { read } = encoder.encodeInto(text, bytes);
  return text.slice(0, read);
}

/** At most `maxChars` UTF-16 units; a cut ends with an ellipsis and never splits a surrogate pair. */
export function oneLine(text: string, maxChars: number): string {
  const flat = toPlain(text).replace(/\s+/gu, ' ').trim();
  if (flat.length <= maxChars) return flat;
  const cut = flat.slice(0, maxChars - 1);
  const last = cut.charCodeAt(cut.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? cut.slice(0, -1) : cut}…`;
}

/**
 * The text without the characters at its end that match. An expression that ends in `+$` would be tried again from every
 * character of every run of them.
 * @param character for one character, without the flags `g` and `y`
 */
export function trimEndOf(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const low = text.charCodeAt(end - 1);
    const start = low >= 0xdc00 && low <= 0xdfff && end > 1 ? end - 2 : end - 1;
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

/** The text cannot close the quotation marks. @param text one line */
export function quoted(text: string): string {
  return `“${text.replaceAll(/["\u201c-\u201f«»]/gu, "'")}”`;
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** RFC 4648 §5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** A page can give itself an address of megabytes. Longer ones than can be opened are cut. */
export function truncateUrl(url: string): string {
  return url.length <= URL_CHARS_MAX ? url : `${url.slice(0, URL_CHARS_MAX - 1)}…`;
}

/**
 * Marks around page text outside a viewport. They derive from the text, so results are reproducible, and a page would
 * have to contain 64 bits of its own hash to forge them.
 */
type Fence = { open: string; close: string };

const MARK_HEX_DIGITS = 16;

export async function fenceFor(seed: string): Promise<Fence> {
  const mark = (await sha256Hex(`periscope fence\n${seed}`)).slice(0, MARK_HEX_DIGITS);
  return { open: `⟦${mark}`, close: `${mark}⟧` };
}
