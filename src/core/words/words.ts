import { INDEXED_WORD_CHARS_MAX } from '#core/limits.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Matches runs of scripts without spaces between words, and of Korean, whose words include their particles. */
const RUN =
  /[[\p{L}\p{N}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv;
const UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/v;
const ASCII_RUN = /[a-z0-9]+/g;
const NOT_ASCII = /[^\x00-\x7f]/;
/** Accents of Latin, Greek and Cyrillic, and vowel points of Hebrew and Arabic, which most texts omit. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+/g;

/**
 * Splits a text into words in lower case, with width and accents folded. In scripts without spaces, each character and
 * each pair of neighbours is a word, because word boundaries are unknown. Takes linear time.
 */
export function splitWords(text: string): string[] {
  if (!NOT_ASCII.test(text)) return asciiWords(text);
  const words: string[] = [];
  for (const run of folded(text).match(RUN) ?? []) {
    if (UNSPACED.test(run)) for (const word of splitIntoCharactersAndPairs(run)) words.push(word);
    else words.push(capped(run));
  }
  return words;
}

/** Like `splitWords`, but keeps accents and does not split runs of scripts without spaces. */
export function splitIntoWordRuns(text: string): string[] {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return asciiWords(lower);
  const runs = (lower.normalize('NFKC').match(RUN) ?? []).map((run) => (isUnspacedScript(run) ? run : capped(run)));
  // Accents alone do not count as a word.
  return runs.filter((run) => removeAccents(run) !== '');
}

export function isUnspacedScript(run: string): boolean {
  return UNSPACED.test(run);
}

/** Pairs of neighbouring characters: `abc` yields ab, bc. A single character yields itself. */
export function splitIntoPairs(run: string): string[] {
  const all = splitIntoCharactersAndPairs(run);
  return all.length === 1 ? all : all.filter((_, index) => index % 2 === 1);
}

/** Stems of a text in the order of its words, for phrase search. Scripts without spaces yield single characters. */
export function stemSequence(text: string): string[] {
  return (folded(text).match(RUN) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? Array.from(run) : [stemEnglish(capped(run))],
  );
}

export function stemEnglish(word: string): string {
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}

export function findIndexOfStem(text: string, isWanted: (stem: string) => boolean): number {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!UNSPACED.test(run)) {
      if (isWanted(stemEnglish(capped(folded(run))))) return index;
      continue;
    }
    const at = indexInUnspaced(run, isWanted);
    if (at !== null) return index + at;
  }
  return 0;
}

function indexInUnspaced(run: string, isWanted: (stem: string) => boolean): number | null {
  let before = '';
  let at = 0;
  for (const character of run) {
    const word = folded(character);
    if (before !== '' && isWanted(before + word)) return Math.max(0, at - before.length);
    if (isWanted(word)) return at;
    before = word;
    at += character.length;
  }
  return null;
}

function asciiWords(text: string): string[] {
  const words = text.toLowerCase().match(ASCII_RUN) ?? [];
  return words.map((word) => (word.length > INDEXED_WORD_CHARS_MAX ? word.slice(0, INDEXED_WORD_CHARS_MAX) : word));
}

/** Characters and pairs of a run: `abc` yields a, ab, b, bc, c. */
export function splitIntoCharactersAndPairs(run: string): string[] {
  const words: string[] = [];
  let before = '';
  for (const character of run) {
    if (before !== '') words.push(before + character);
    words.push(character);
    before = character;
  }
  return words;
}

function folded(text: string): string {
  return removeAccents(text.toLowerCase());
}

export function removeAccents(text: string): string {
  return NOT_ASCII.test(text) ? text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC') : text;
}

function capped(word: string): string {
  return word.length <= INDEXED_WORD_CHARS_MAX
    ? word
    : word.slice(0, INDEXED_WORD_CHARS_MAX).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Stem of a word by M. F. Porter's algorithm (1980): "running", "runs" and "run" have the stem "run". Words of other
 * languages are shortened a little, but consistently.
 * @param word lower-case letters a to z
 */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const base = replaced(replaced(finalY(pastAndProgressive(plural(word))), LONG), MEDIUM);
  return doubleL(finalE(ending(base)));
}

/** Matches a consonant. `y` is a consonant at the start of a word or after a vowel. */
const CONSONANT = '(?:[^aeiouy]|(?<=^|[aeiou])y)';
const VOWEL = '(?:[aeiou]|(?<=[^aeiou])y)';
const MEASURED = new RegExp(`^${CONSONANT}*(?:${VOWEL}+${CONSONANT}+)`);
const MEASURED_TWICE = new RegExp(`^${CONSONANT}*(?:${VOWEL}+${CONSONANT}+){2}`);
const MEASURED_ONCE = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}+${VOWEL}*$`);
const WITH_VOWEL = new RegExp(VOWEL);
const SHORT = new RegExp(`${CONSONANT}${VOWEL}(?![wxy])${CONSONANT}$`);
const NOT_DOUBLED = /[aeioulsz]$/;

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function pastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return MEASURED.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = word.replace(/(?:ed|ing)$/, '');
  if (base === word || !WITH_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (base.at(-1) === base.at(-2) && !NOT_DOUBLED.test(base)) return base.slice(0, -1);
  return MEASURED_ONCE.test(base) && SHORT.test(base) ? `${base}e` : base;
}

function finalY(word: string): string {
  return word.endsWith('y') && WITH_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

const LONG = suffixes({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
});
const MEDIUM = suffixes({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' });

type Suffixes = readonly (readonly [suffix: string, replacement: string])[];

function suffixes(table: Readonly<Record<string, string>>): Suffixes {
  return Object.entries(table).sort(([a], [b]) => b.length - a.length);
}

function replaced(word: string, table: Suffixes): string {
  const found = table.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const [suffix, replacement] = found;
  const base = word.slice(0, -suffix.length);
  return MEASURED.test(base) ? base + replacement : word;
}

const ENDING = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

function ending(word: string): string {
  const base = word.replace(ENDING, '');
  return base !== word && MEASURED_TWICE.test(base) ? base : word;
}

function finalE(word: string): string {
  if (!word.endsWith('e')) return word;
  const base = word.slice(0, -1);
  const goes = MEASURED_TWICE.test(base) || (MEASURED.test(base) && !(MEASURED_ONCE.test(base) && SHORT.test(base)));
  return goes ? base : word;
}

function doubleL(word: string): string {
  return word.endsWith('ll') && MEASURED_TWICE.test(word.slice(0, -1)) ? word.slice(0, -1) : word;
}

/**
 * Languages whose stop words searches ignore in texts of any language. Other languages are missing because their stop
 * words can be meaningful elsewhere: Swedish "men" (but) is an English noun.
 */
const ANYWHERE: readonly string[] = ['english', 'german', 'french', 'spanish', 'russian'];
const STOP_WORDS_ANYWHERE: ReadonlySet<string> = new Set(
  STOP_WORDS.flatMap(([language, words]) => (ANYWHERE.includes(language) ? words.split(' ') : [])),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS_ANYWHERE.has(word);
}
