import { CHARSET_SAMPLE_BYTES_MAX } from './limits.ts';

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
export function guessLegacyCharset(bytes: Uint8Array): string | null {
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
