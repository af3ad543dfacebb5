import { KIB } from '#core/limits.ts';
import sniffEncoding from 'html-encoding-sniffer';
import { guessCharset, guessScript } from './guess-charset.ts';

/**
 * Bytes searched for a `<meta>` charset. The HTML standard requires 1,024, but many pages have long comments or scripts
 * before it.
 */
const META_PRESCAN_BYTES_MAX = 4 * KIB;
/**
 * The number of valid UTF-8 sequences that proves UTF-8, if no sequence is invalid. Text in a double-byte charset never
 * looks like this.
 */
const UTF8_SEQUENCES_MIN = 8;
/**
 * Minimum share of zero bytes in UTF-16 text. In Western text half of the bytes are zero, so this share is a safe sign.
 */
const UTF16_ZERO_SHARE_MIN = 0.3;
const UTF16_SAMPLE_BYTES = 1 * KIB;

export type Decoded = {
  text: string;
  /** The charset's WHATWG name in lower case. */
  charset: string;
  /** True if neither the server nor the text declares the charset, and the bytes do not prove it. */
  isGuessed: boolean;
};

export type CharsetInput = {
  bytes: Uint8Array;
  /** The `charset` parameter of `Content-Type`, or `null`. */
  headerLabel: string | null;
  markup: 'html' | 'xml' | 'none';
};

const UTF8 = 'utf-8';
const LATIN = 'windows-1252';
const NONE = 'x-none';

/**
 * Decodes bytes as text and never fails. The charset is the first that is known: from the byte order mark, the header,
 * the declaration in the text, UTF-8 if the bytes are valid, the legacy charset that fits the letters, and
 * windows-1252. A declaration that the bytes disprove is ignored. Bytes that cannot be decoded become U+FFFD.
 */
export function decodeText(input: CharsetInput): Decoded {
  const { bytes } = input;
  const marked = byteOrderMark(bytes);
  if (marked !== null) return decodeAs(marked, bytes);
  const utf8 = strictly(UTF8, bytes);
  const { charset, isGuessed } = choose(input, utf8 !== null);
  return charset === UTF8 && utf8 !== null ? { text: utf8, charset, isGuessed } : decodeAs(charset, bytes, isGuessed);
}

function choose(input: CharsetInput, isUtf8: boolean): { charset: string; isGuessed: boolean } {
  const declared = chooseDeclared(input, isUtf8);
  return { charset: declared ?? guessCharset(input.bytes) ?? LATIN, isGuessed: declared === null };
}

/** Returns the charset that is declared or proven by the bytes. Returns `null` if there is none. */
function chooseDeclared(input: CharsetInput, isUtf8: boolean): string | null {
  const header = nameOf(input.headerLabel);
  const inside = declaredInside(input);
  const declared = header ?? inside;
  if (declared === null) return guessUtf16(input.bytes) ?? (isUtf8 ? UTF8 : null);
  if (isUtf8) return declared === UTF8 || isDisproved(declared, inside, input.bytes) ? UTF8 : declared;
  // The bytes below this line are not valid UTF-8.
  if (inside === null || inside === UTF8 || inside === header) return contradicted(declared, input.bytes) ?? declared;
  // Servers declare utf-8 or iso-8859-1 for every page. An author who declares another charset in the page knows
  // better.
  return header === UTF8 || (header === LATIN && strictly(inside, input.bytes) !== null) ? inside : declared;
}

function contradicted(declared: string, bytes: Uint8Array): string | null {
  return declared === UTF8 || declared === LATIN ? guessScript(bytes) : null;
}

function isDisproved(declared: string, inside: string | null, bytes: Uint8Array): boolean {
  if (declared.startsWith('utf-16')) return !bytes.includes(0);
  const sequences = multiByteSequences(bytes);
  if (sequences === 0) return false;
  return declared === LATIN || inside === UTF8 || sequences >= UTF8_SEQUENCES_MIN;
}

function multiByteSequences(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) {
    if (byte >= 0xc2) count += 1;
    if (count >= UTF8_SEQUENCES_MIN) break;
  }
  return count;
}

function declaredInside(input: CharsetInput): string | null {
  if (input.markup === 'none') return null;
  const name = sniffEncoding(
    input.bytes,
    input.markup === 'xml'
      ? { xml: true, defaultEncoding: NONE }
      : { defaultEncoding: NONE, maxPrescanBytes: META_PRESCAN_BYTES_MAX },
  );
  return name === NONE ? null : nameOf(name);
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return UTF8;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/**
 * Detects UTF-16 without a byte order mark, by the zero bytes of Western text: every other byte is zero. Returns `null`
 * for other bytes.
 */
export function guessUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const enough = sample.length * UTF16_ZERO_SHARE_MIN;
  if (odd > enough && even === 0) return 'utf-16le';
  return even > enough && odd === 0 ? 'utf-16be' : null;
}

/**
 * Returns the WHATWG name of a charset label. Returns `null` if the label is unknown or names a charset that must not
 * be decoded.
 */
function nameOf(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label.trim()).encoding.toLowerCase();
  } catch {
    return null;
  }
}

function strictly(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeAs(charset: string, bytes: Uint8Array, isGuessed = false): Decoded {
  return { text: new TextDecoder(charset).decode(bytes), charset, isGuessed };
}
