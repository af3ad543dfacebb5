/** Counts of one text for the model. All but `words` are of the beginning of the text. */
type CharacterCounts = {
  words: number;
  commas: number;
  sentences: number;
  digits: number;
  /** Words that begin with a capital letter. */
  capitals: number;
  functionWords: number;
  /** True if the text has two capital letters in a row and no small letter. */
  isUpper: boolean;
};

const [OTHER, DIGIT, CAPITAL, SMALL, COMMA, SENTENCE_END] = [0, 1, 2, 3, 4, 5];
const SPACE = 0x20;
const ASCII_MAX = 0x7f;
const ASCII_KINDS = Uint8Array.from({ length: ASCII_MAX + 1 }, (_, code) => kindOf(String.fromCharCode(code)));
const OTHER_KINDS: ReadonlyMap<number, number> = new Map(
  ['，', '、', '。', '！', '？'].map((mark) => [mark.charCodeAt(0), kindOf(mark)]),
);
const FIRST_CAPITAL = /^\p{Lu}/u;
const SMALL_LETTER = /\p{Ll}/u;
const TWO_CAPITALS = /\p{Lu}{2}/u;
/** Bit that differs between a capital and a small ASCII letter. */
const CASE = 0x20;
const FUNCTION_WORDS: ReadonlySet<number> = new Set(
  'the a an of to and in is are was for that it with you i this on be as have not we or'.split(' ').map(keyOf),
);
const FUNCTION_WORD_CHARS_MAX = 4;

function kindOf(character: string): number {
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/[a-z]/.test(character)) return SMALL;
  if (/[,;，、]/.test(character)) return COMMA;
  return /[.!?。！？]/.test(character) ? SENTENCE_END : OTHER;
}

/**
 * Counts in one pass, because a regular expression for each count takes several times as long.
 * @param text text in which all white space is single spaces, none at its ends
 * @param sample beginning of the text
 */
export function countCharacters(text: string, sample: string): CharacterCounts {
  const counts = { words: countWords(text), commas: 0, sentences: 0, digits: 0, capitals: 0, functionWords: 0 };
  let isAscii = true;
  let hasSmall = false;
  let hasTwoCapitals = false;
  let wordStart = 0;
  let kind = OTHER;
  for (let at = 0; at < sample.length; at += 1) {
    const code = sample.charCodeAt(at);
    const before = kind;
    kind = (code > ASCII_MAX ? OTHER_KINDS.get(code) : ASCII_KINDS[code]) ?? OTHER;
    if (code === SPACE) {
      if (isFunctionWord(sample, wordStart, at)) counts.functionWords += 1;
      wordStart = at + 1;
    } else if (kind === SMALL) hasSmall = true;
    else if (kind === CAPITAL) {
      if (at === wordStart) counts.capitals += 1;
      hasTwoCapitals ||= before === CAPITAL;
    } else if (kind === DIGIT) counts.digits += 1;
    else if (kind === COMMA) counts.commas += 1;
    else if (kind === SENTENCE_END && isWordEnd(sample, at + 1)) counts.sentences += 1;
    if (code <= ASCII_MAX) continue;
    isAscii = false;
    if (at === wordStart && FIRST_CAPITAL.test(sample.slice(at, at + 2))) counts.capitals += 1;
  }
  if (isFunctionWord(sample, wordStart, sample.length)) counts.functionWords += 1;
  const isUpper = isAscii ? hasTwoCapitals && !hasSmall : TWO_CAPITALS.test(sample) && !SMALL_LETTER.test(sample);
  return { ...counts, isUpper };
}

function isWordEnd(text: string, at: number): boolean {
  return at === text.length || text.charCodeAt(at) === SPACE;
}

function isFunctionWord(text: string, start: number, end: number): boolean {
  if (end - start > FUNCTION_WORD_CHARS_MAX) return false;
  let key = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > ASCII_MAX) return false;
    key = key * (ASCII_MAX + 1) + (code | CASE);
  }
  return FUNCTION_WORDS.has(key);
}

/** Packs a word of small letters into a number. */
function keyOf(word: string): number {
  let key = 0;
  for (const letter of word) key = key * (ASCII_MAX + 1) + letter.charCodeAt(0);
  return key;
}

const LETTERS = /[\p{L}\p{N}_]+/gu;
const UNDERSCORE = 0x5f;

/** Counts the runs of letters, digits and underscores. */
export function countLetterRuns(text: string): number {
  let runs = 0;
  let isInRun = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > ASCII_MAX) return countMatches(text, LETTERS);
    const kind = ASCII_KINDS[code] ?? OTHER;
    const isLetter = kind === SMALL || kind === CAPITAL || kind === DIGIT || code === UNDERSCORE;
    if (isLetter && !isInRun) runs += 1;
    isInRun = isLetter;
  }
  return runs;
}

function countMatches(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found += 1;
  return found;
}

function countWords(text: string): number {
  let words = text === '' ? 0 : 1;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) words += 1;
  return words;
}
