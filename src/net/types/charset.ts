import { KIB } from '#core/limits.ts';
import sniffEncoding from 'html-encoding-sniffer';

/** The HTML standard says 1,024. Pages often have long comments or scripts before their `<meta>`. */
const META_PRESCAN_BYTES_MAX = 4 * KIB;
/** This many well-formed UTF-8 sequences without an ill-formed one do not occur in text of a double-byte charset. */
const UTF8_SEQUENCES_MIN = 8;
/**
 * Half of Western text in UTF-16 is zero bytes. A third is enough to recognise it, in a sample of the first kilobyte.
 */
const UTF16_ZERO_SHARE_MIN = 0.3;
const UTF16_SAMPLE_BYTES = 1 * KIB;
/** Enough text to recognise a charset by letter frequencies. */
const CHARSET_SAMPLE_BYTES_MAX = 16 * KIB;

export type Decoded = {
  text: string;
  /** WHATWG name in lower case. */
  charset: string;
};

export type CharsetInput = {
  bytes: Uint8Array;
  /** The `charset` parameter of `Content-Type`, or `null`. */
  headerLabel: string | null;
  /** The syntax of a declaration inside the text. */
  markup: 'html' | 'xml' | 'none';
};

const UTF8 = 'utf-8';
const LATIN = 'windows-1252';
const NONE = 'x-none';

/**
 * Bytes → text, never failing: byte order mark, then the header, then the declaration in the text, then UTF-8 if it is
 * that, else the legacy charset its letters speak for, else windows-1252. A declaration that the bytes disprove gives way; what cannot be read becomes U+FFFD.
 */
export function decodeText(input: CharsetInput): Decoded {
  const { bytes } = input;
  const marked = byteOrderMark(bytes);
  if (marked !== null) return decodeAs(marked, bytes);
  const utf8 = strictly(UTF8, bytes);
  const charset = choose(input, utf8 !== null);
  return charset === UTF8 && utf8 !== null ? { text: utf8, charset } : decodeAs(charset, bytes);
}

function choose(input: CharsetInput, isUtf8: boolean): string {
  const header = nameOf(input.headerLabel);
  const inside = declaredInside(input);
  const declared = header ?? inside;
  if (declared === null) return guessUtf16(input.bytes) ?? (isUtf8 ? UTF8 : (guessLegacyCharset(input.bytes) ?? LATIN));
  if (isUtf8) return declared === UTF8 || isDisproved(declared, inside, input.bytes) ? UTF8 : declared;
  // From here on the bytes are not UTF-8.
  if (inside === null || inside === UTF8 || inside === header) return contradicted(declared, input.bytes) ?? declared;
  // Servers add utf-8 or iso-8859-1 to every page; an author who declared something else meant it.
  return header === UTF8 || (header === LATIN && strictly(inside, input.bytes) !== null) ? inside : declared;
}

/** The charset of bytes that a server's default label calls UTF-8 or Latin and that plainly are neither. */
function contradicted(declared: string, bytes: Uint8Array): string | null {
  return declared === UTF8 || declared === LATIN ? guessLegacyCharset(bytes) : null;
}

/** Whether well-formed UTF-8 shows that a legacy label is wrong. */
function isDisproved(declared: string, inside: string | null, bytes: Uint8Array): boolean {
  if (declared.startsWith('utf-16')) return !bytes.includes(0);
  const sequences = multiByteSequences(bytes);
  if (sequences === 0) return false;
  return declared === LATIN || inside === UTF8 || sequences >= UTF8_SEQUENCES_MIN;
}

/** Lead bytes of multi-byte sequences, counted as far as the answer needs. */
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

/** UTF-16 without a mark shows in text of Western letters: every other byte is zero. `null` when it does not. */
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

/** The WHATWG name of a label, or `null` for one that does not exist or must not be decoded. */
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

function decodeAs(charset: string, bytes: Uint8Array): Decoded {
  return { text: new TextDecoder(charset).decode(bytes), charset };
}

type Candidate = {
  charset: string;
  /** The characters that make up much of any text in the language. */
  common: RegExp;
  /** Their share of all characters outside ASCII from which on the guess holds. */
  shareMin: number;
};

const HIRAGANA = /[ぁ-ん]/g;
const SIMPLIFIED =
  /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文]/g;
const TRADITIONAL =
  /[的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文]/g;
const HANGUL = /[이다는에의가을하고지로를한은서기도사리인자니어해스대그아시있나것수들]/g;
/** Runs, because single accented letters of a Western text turn into these as well. */
const CYRILLIC = /[а-яё]{3,}/g;

const CANDIDATES: readonly Candidate[] = [
  { charset: 'shift_jis', common: HIRAGANA, shareMin: 0.2 },
  { charset: 'euc-jp', common: HIRAGANA, shareMin: 0.2 },
  { charset: 'gb18030', common: SIMPLIFIED, shareMin: 0.15 },
  { charset: 'big5', common: TRADITIONAL, shareMin: 0.15 },
  { charset: 'euc-kr', common: HANGUL, shareMin: 0.25 },
  { charset: 'windows-1251', common: CYRILLIC, shareMin: 0.6 },
  { charset: 'koi8-r', common: CYRILLIC, shareMin: 0.6 },
  { charset: 'ibm866', common: CYRILLIC, shareMin: 0.6 },
];

/**
 * The legacy charset that undeclared bytes are in, by what the text would be made of; `null` when nothing speaks
 * clearly for one. The languages are those whose pages cannot be read at all in the default charset.
 */
function guessLegacyCharset(bytes: Uint8Array): string | null {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return null;
  const sample = bytes.subarray(first, first + CHARSET_SAMPLE_BYTES_MAX);
  let best: { charset: string; share: number } | null = null;
  for (const { charset, common, shareMin } of CANDIDATES) {
    const share = shareOf(common, sample, charset);
    if (share >= shareMin && share > (best?.share ?? 0)) best = { charset, share };
  }
  return best?.charset ?? null;
}

function shareOf(common: RegExp, sample: Uint8Array, charset: string): number {
  const text = decodeStrictly(sample, charset);
  if (text === null) return 0;
  const foreign = text.match(/[^\x00-\x7f]/g)?.length ?? 0;
  const found = (text.match(common) ?? []).reduce((sum, run) => sum + run.length, 0);
  return foreign === 0 ? 0 : found / foreign;
}

/** `stream` lets the sample end inside a character. */
function decodeStrictly(sample: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}
