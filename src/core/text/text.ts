import { URL_CHARS_MAX } from '#core/limits.ts';
import { toPlain } from './plain.ts';

const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).byteLength;
}

/** The longest prefix of whole characters within `maxBytes` UTF-8 bytes. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = new Uint8Array(maxBytes);
  const { read } = encoder.encodeInto(text, bytes);
  return text.slice(0, read);
}

/** One plain line, at most `maxChars` UTF-16 units; a cut is marked with an ellipsis and never splits a surrogate pair. */
export function oneLine(text: string, maxChars: number): string {
  const flat = toPlain(text).replace(/\s+/gu, ' ').trim();
  if (flat.length <= maxChars) return flat;
  const cut = flat.slice(0, maxChars - 1);
  const last = cut.charCodeAt(cut.length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${splitsPair ? cut.slice(0, -1) : cut}…`;
}

/** Somebody else's words, in quotation marks that they cannot close. @param text one line */
export function quoted(text: string): string {
  return `“${text.replaceAll(/["\u201c-\u201f«»]/gu, "'")}”`;
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** An address, without its end when it is longer than one that can be opened: a page can give itself one of megabytes. */
export function boundedAddress(url: string): string {
  return url.length <= URL_CHARS_MAX ? url : `${url.slice(0, URL_CHARS_MAX - 1)}…`;
}

/**
 * A pair of marks around page text that stands outside a viewport. The mark is derived from the text it guards, so
 * results are reproducible, and a page would have to contain 64 bits of its own hash to forge it.
 */
type Fence = { open: string; close: string };

const MARK_HEX_DIGITS = 16;

export async function fenceFor(seed: string): Promise<Fence> {
  const mark = (await sha256Hex(`periscope fence\n${seed}`)).slice(0, MARK_HEX_DIGITS);
  return { open: `⟦${mark}`, close: `${mark}⟧` };
}
