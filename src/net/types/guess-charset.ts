import { analyse } from 'chardet';
import { KIB } from '#core/limits.ts';

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
/** Minimum score of a charset, on the detector's scale up to 100. A lower score means hardly any evidence. */
const CONFIDENCE_MIN = 15;
/** Minimum ratio between the scores of the best charset and the next one. */
const LEAD_MIN = 1.2;
/**
 * Minimum number of bytes outside ASCII to choose a Latin charset. Fewer accented letters can tell a script such as
 * Greek from Latin, but not one Latin charset from another.
 */
const FOREIGN_BYTES_MIN = 6;

/** Guesses a legacy charset from the letters. Returns `null` if the evidence is unclear. */
export function guessCharset(bytes: Uint8Array): string | null {
  const sample = sampleOf(bytes);
  if (sample.length === 0) return null;
  const script = scriptIn(sample);
  if (script !== null) return script;
  const [best, next] = detected(sample).filter(({ charset }) => LATIN_SCRIPTS.has(charset));
  const isClear = best !== undefined && best.confidence >= Math.max(CONFIDENCE_MIN, LEAD_MIN * (next?.confidence ?? 0));
  return isClear && foreignIn(sample) >= FOREIGN_BYTES_MIN ? best.charset : null;
}

export function guessScript(bytes: Uint8Array): string | null {
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

/** Returns the bytes from the first one outside ASCII on, without tags. Tag names would look like a language. */
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
