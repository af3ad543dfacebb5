import { WORD_CHARS_MAX } from './limits.ts';
import { stem } from './stem.ts';

/** Scripts that are written without spaces between words, and Korean, whose words carry their particles. */
const RUN =
  /[[\p{L}\p{N}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv;
const UNSPACED = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/v;
const ASCII_RUN = /[a-z0-9]+/g;
const NOT_ASCII = /[^\x00-\x7f]/;
/** Accents of Latin, Greek and Cyrillic, and the vowel points that Hebrew and Arabic are mostly written without. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+/g;

/**
 * The words of a text in order, in the form in which they are compared: lower case, full width and accents folded; forms
 * of one word have the same `stemOf`. Text without spaces gives its characters and the pairs of neighbours, for nobody
 * can tell where its words begin. Linear.
 */
export function wordsOf(text: string): string[] {
  if (!NOT_ASCII.test(text)) return asciiWords(text);
  const words: string[] = [];
  for (const run of folded(text).match(RUN) ?? []) {
    if (UNSPACED.test(run)) pushCharactersAndPairs(run, words);
    else words.push(capped(run));
  }
  return words;
}

/** What a query asks for: words as of `wordsOf`, but of text without spaces the pairs only, where there is a pair. */
export function askedWords(text: string): string[] {
  return (folded(text).match(RUN) ?? []).flatMap((run) => {
    if (!UNSPACED.test(run)) return [capped(run)];
    const all: string[] = [];
    pushCharactersAndPairs(run, all);
    return all.length === 1 ? all : all.filter((_, index) => index % 2 === 1);
  });
}

/** The stems of a text one after another; text without spaces as its characters. Phrases are searched in this. */
export function stemSequence(text: string): string[] {
  return (folded(text).match(RUN) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? Array.from(run) : [stemOf(capped(run))],
  );
}

/** What all forms of a word share. */
export function stemOf(word: string): string {
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}

/** Where the first wanted word begins in the text; 0 if there is none. */
export function placeOf(text: string, isWanted: (stem: string) => boolean): number {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!UNSPACED.test(run)) {
      if (isWanted(stemOf(capped(folded(run))))) return index;
      continue;
    }
    const at = askedPlace(run, isWanted);
    if (at !== null) return index + at;
  }
  return 0;
}

function askedPlace(run: string, isWanted: (stem: string) => boolean): number | null {
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
  return words.map((word) => (word.length > WORD_CHARS_MAX ? word.slice(0, WORD_CHARS_MAX) : word));
}

/** `abc` gives a, ab, b, bc, c. */
function pushCharactersAndPairs(run: string, words: string[]): void {
  let before = '';
  for (const character of run) {
    if (before !== '') words.push(before + character);
    words.push(character);
    before = character;
  }
}

function folded(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

function capped(word: string): string {
  return word.length <= WORD_CHARS_MAX ? word : word.slice(0, WORD_CHARS_MAX).replace(/[\ud800-\udbff]$/, '');
}
