import { KIB } from '#core/limits.ts';
import sniffEncoding from 'html-encoding-sniffer';
import { analyse } from 'chardet';

/**
 * Bytes searched for a `<meta>` charset. The HTML standard requires 1,024, but many pages have long comments or scripts
 * before it.
 */
const META_PRESCAN_BYTES_MAX = 4 * KIB;
/**
 * Minimum number of valid UTF-8 sequences that prove UTF-8, if no sequence is invalid. Text in a double-byte charset,
 * such as Shift_JIS, never meets this condition.
 */
const UTF8_SEQUENCES_MIN = 8;
/** Minimum share of zero bytes that indicates UTF-16. In Western text, half of the bytes of UTF-16 are zero. */
const UTF16_ZERO_SHARE_MIN = 0.3;
const UTF16_SAMPLE_BYTES = 1 * KIB;

export type DecodedText = {
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
 * Decodes bytes as text and never fails. The first of these that yields a charset decides: the byte order mark, the
 * header, the declaration in the text, the zero bytes of UTF-16, valid UTF-8, the legacy charset that fits the letters,
 * windows-1252. The declaration in the text overrides a header that only states a default. A declaration that the bytes
 * disprove is ignored. Bytes that cannot be decoded become U+FFFD.
 */
export function decodeText(input: CharsetInput): DecodedText {
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
  // From here on, the bytes are known not to be valid UTF-8.
  if (inside === null || inside === UTF8 || inside === header) return contradicted(declared, input.bytes) ?? declared;
  // Servers declare utf-8 or iso-8859-1 for every page. A different declaration in the page itself is more reliable.
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

function decodeAs(charset: string, bytes: Uint8Array, isGuessed = false): DecodedText {
  return { text: new TextDecoder(charset).decode(bytes), charset, isGuessed };
}

const CHARSET_SAMPLE_BYTES_MAX = 16 * KIB;

/**
 * Maps the detector's names to WHATWG names. Each Windows charset contains all letters of the ISO charset that it
 * replaces.
 */
const NAMES: Readonly<Record<string, string>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};
const SCRIPTS: ReadonlySet<string> = new Set([
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'koi8-r',
]);
const LATIN_SCRIPTS: ReadonlySet<string> = new Set([
  'windows-1250',
  'windows-1252',
  'windows-1254',
  'windows-1257',
  'iso-8859-2',
]);
/** Minimum score of a charset, on the detector's scale up to 100. A lower score is hardly evidence. */
const CONFIDENCE_MIN = 15;
/** Minimum ratio between the scores of the best and the second-best charset, for choosing the best one. */
const LEAD_MIN = 1.2;
/**
 * Minimum number of bytes outside ASCII for choosing a Latin charset. Fewer accented letters can distinguish a script
 * such as Greek from Latin, but not one Latin charset from another.
 */
const FOREIGN_BYTES_MIN = 6;

/** Guesses a legacy charset from the letters. Returns `null` if the evidence is unclear. */
function guessCharset(bytes: Uint8Array): string | null {
  const sample = sampleOf(bytes);
  if (sample.length === 0) return null;
  const script = scriptIn(sample);
  if (script !== null) return script;
  const [best, next] = detected(sample).filter(({ charset }) => LATIN_SCRIPTS.has(charset));
  const isClear = best !== undefined && best.confidence >= Math.max(CONFIDENCE_MIN, LEAD_MIN * (next?.confidence ?? 0));
  return isClear && foreignIn(sample) >= FOREIGN_BYTES_MIN ? best.charset : null;
}

function guessScript(bytes: Uint8Array): string | null {
  const sample = sampleOf(bytes);
  return sample.length === 0 ? null : scriptIn(sample);
}

function scriptIn(sample: Uint8Array): string | null {
  const byByte = byLetters(sample, DOUBLE_BYTE);
  if (byByte !== null) return byByte;
  const [best] = detected(sample);
  if (best !== undefined && SCRIPTS.has(best.charset) && best.confidence >= CONFIDENCE_MIN) {
    return best.charset === 'iso-8859-7' ? greekIn(sample) : best.charset;
  }
  return byLetters(sample, CYRILLIC_CHARSETS);
}

type Found = { charset: string; confidence: number };

function detected(sample: Uint8Array): Found[] {
  return analyse(sample).flatMap(({ name, confidence }) => {
    const lower = name.toLowerCase();
    const charset = NAMES[lower] ?? lower;
    return SCRIPTS.has(charset) || LATIN_SCRIPTS.has(charset) ? [{ charset, confidence }] : [];
  });
}

/** Chooses between the two Greek charsets, which differ in one letter: a capital alpha with an accent. */
function greekIn(sample: Uint8Array): string {
  const count = (wanted: number) => sample.reduce((sum, byte) => sum + (byte === wanted ? 1 : 0), 0);
  return count(0xb6) > count(0xa2) ? 'iso-8859-7' : 'windows-1253';
}

function foreignIn(sample: Uint8Array): number {
  return sample.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0);
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;

/**
 * Returns the bytes from the first one outside ASCII on, without HTML tags, because tag names would affect the detected
 * language.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return new Uint8Array();
  const source = bytes.subarray(first, first + CHARSET_SAMPLE_BYTES_MAX);
  const sample = new Uint8Array(source.length);
  let length = 0;
  let isTag = false;
  for (const byte of source) {
    if (byte === LESS_THAN) isTag = true;
    if (!isTag) sample[length] = byte;
    if (!isTag) length += 1;
    if (byte === GREATER_THAN) isTag = false;
  }
  return sample.subarray(0, length);
}

type Candidate = {
  charset: string;
  common: RegExp;
  shareMin: number;
};

const HIRAGANA = /[ぁ-ん]/g;
const SIMPLIFIED =
  /[的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文]/g;
const TRADITIONAL =
  /[的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文]/g;
const HANGUL = /[이다는에의가을하고지로를한은서기도사리인자니어해스대그아시있나것수들]/g;
/**
 * Matches runs of Cyrillic letters. A single accented letter of a Western text may also decode to a Cyrillic letter,
 * but a run does not.
 */
const CYRILLIC = /[а-яё]{3,}/g;

const DOUBLE_BYTE: readonly Candidate[] = [
  { charset: 'shift_jis', common: HIRAGANA, shareMin: 0.2 },
  { charset: 'euc-jp', common: HIRAGANA, shareMin: 0.2 },
  { charset: 'gb18030', common: SIMPLIFIED, shareMin: 0.15 },
  { charset: 'big5', common: TRADITIONAL, shareMin: 0.15 },
  { charset: 'euc-kr', common: HANGUL, shareMin: 0.25 },
];
const CYRILLIC_CHARSETS: readonly Candidate[] = [
  { charset: 'windows-1251', common: CYRILLIC, shareMin: 0.6 },
  { charset: 'koi8-r', common: CYRILLIC, shareMin: 0.6 },
  { charset: 'ibm866', common: CYRILLIC, shareMin: 0.6 },
];

function byLetters(sample: Uint8Array, candidates: readonly Candidate[]): string | null {
  let best: { charset: string; share: number } | null = null;
  for (const { charset, common, shareMin } of candidates) {
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

/**
 * Decodes a sample, or returns `null` if it has invalid bytes. `stream` allows the sample to end inside a character.
 */
function decodeStrictly(sample: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}
