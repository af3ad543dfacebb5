import { DUTCH, ENGLISH, GERMAN } from './germanic.ts';
import type { Lexicon, Meaning } from './lexicon.ts';
import { CHINESE, JAPANESE, POLISH } from './others.ts';
import { FRENCH, ITALIAN, PORTUGUESE, SPANISH } from './romance.ts';

/** A text prepared for the lexicons. `words`: without case and accents. `text`: for scripts without spaces. */
export type Read = { words: readonly string[]; text: string };

/** Maximum characters of a text that are compared. Callers cut texts earlier; this bounds the work in any case. */
const READ_CHARS_MAX = 400;

export function readText(text: string): Read {
  const plain = text.slice(0, READ_CHARS_MAX).normalize('NFKC').toLowerCase();
  return { words: wordsIn(plain), text: plain };
}

/** Reads hints word by word. Class names and ids are split, too: `btnDelete`, `icon_trash`. */
export function readHints(hints: string): Read {
  return readText(
    hints
      .slice(0, READ_CHARS_MAX)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
      .replaceAll('_', ' '),
  );
}

function wordsIn(plain: string): string[] {
  const folded = plain.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ß', 'ss');
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

type Phrase = { words: readonly string[]; meaning: Meaning };

/** Phrases indexed by their first word, so that one pass over a text finds all phrases. */
class Phrases {
  readonly #byFirst = new Map<string, Phrase[]>();
  readonly #texts: { text: string; meaning: Meaning }[] = [];

  add({ by }: Lexicon, list: string, meaning: Meaning): void {
    for (const entry of list.split(',')) {
      const text = entry.trim().normalize('NFKC').toLowerCase();
      if (text === '') continue;
      if (by === 'characters') {
        this.#texts.push({ text, meaning });
        continue;
      }
      const words = wordsIn(text).map((word, at, all) =>
        at === all.length - 1 && text.endsWith('*') ? `${word}*` : word,
      );
      const [first = ''] = words;
      const known = this.#byFirst.get(first);
      if (known === undefined) this.#byFirst.set(first, [{ words, meaning }]);
      else known.push({ words, meaning });
    }
  }

  /** Yields the place of each phrase found: `[first word, words, meaning]`. */
  *places({ words }: Pick<Read, 'words'>): Iterable<Place> {
    for (const [at, word] of words.entries()) {
      for (const phrase of this.#byFirst.get(word) ?? []) {
        if (phrase.words.every((one, next) => isWord(words[at + next], one)))
          yield { at, count: phrase.words.length, meaning: phrase.meaning };
      }
    }
  }

  /** Finds the first phrase in a text of a script without spaces. */
  inText(text: string): Meaning | null {
    return this.#texts.find((one) => text.includes(one.text))?.meaning ?? null;
  }

  without(text: string): string {
    let left = text;
    for (const { text: phrase } of this.#texts) left = left.replaceAll(phrase, ' ');
    return left;
  }
}

type Place = { at: number; count: number; meaning: Meaning };

function isWord(word: string | undefined, wanted: string): boolean {
  if (word === undefined) return false;
  return wanted.endsWith('*') ? word.startsWith(wanted.slice(0, -1)) : word === wanted;
}

const LEXICONS: readonly Lexicon[] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  POLISH,
  JAPANESE,
  CHINESE,
];

const MEANINGS: readonly Meaning[] = [
  'transfer',
  'cancel',
  'delete',
  'order',
  'pay',
  'buy',
  'book',
  'publish',
  'send',
  'grant',
  'accept',
];

function listed(of: (lexicon: Lexicon) => string): Phrases {
  const phrases = new Phrases();
  for (const lexicon of LEXICONS) phrases.add(lexicon, of(lexicon), 'accept');
  return phrases;
}

function meant(of: (lexicon: Lexicon, meaning: Meaning) => string): Phrases {
  const phrases = new Phrases();
  for (const meaning of MEANINGS) for (const lexicon of LEXICONS) phrases.add(lexicon, of(lexicon, meaning), meaning);
  return phrases;
}

const ACTS = meant(({ acts }, meaning) => acts[meaning]);
const NOUNS = meant(({ nouns }, meaning) => nouns[meaning] ?? '');
const HARMLESS = listed(({ harmless }) => harmless);
const CONFIRMS = listed(({ confirms }) => confirms);
const CONTINUES = listed(({ continues }) => continues);
const REPLIES = listed(({ replies }) => replies);
const ASIDE = listed(({ aside }) => aside);
const MESSAGES = listed(({ messages }) => messages);
const COOKIES = listed(({ cookies }) => cookies);

/** Finds the effect that a control's text announces. `at`: index of the word; 0 in a script without spaces. */
export function findMeaning(read: Read): { meaning: Meaning; at: number } | null {
  const masked = new Set<number>();
  for (const { at, count } of HARMLESS.places(read)) for (let word = at; word < at + count; word += 1) masked.add(word);
  let found: Place | null = null;
  for (const place of ACTS.places(read)) {
    if (isMasked(place, masked)) continue;
    if (found === null || place.count > found.count) found = place;
  }
  if (found !== null) return { meaning: found.meaning, at: found.at };
  const meaning = ACTS.inText(HARMLESS.without(read.text));
  return meaning === null ? null : { meaning, at: 0 };
}

function isMasked({ at, count }: Place, masked: ReadonlySet<number>): boolean {
  for (let word = at; word < at + count; word += 1) if (masked.has(word)) return true;
  return false;
}

export function findNounMeaning(read: Read): Meaning | null {
  for (const { meaning } of NOUNS.places(read)) return meaning;
  return NOUNS.inText(read.text);
}

function has(phrases: Phrases, read: Read): boolean {
  for (const _ of phrases.places(read)) return true;
  return phrases.inText(read.text) !== null;
}

/** True if the text begins with one of the phrases and has few other words: `Yes, delete it`. */
function begins(phrases: Phrases, read: Read): boolean {
  if (read.words.length > CONFIRMING_WORDS_MAX) return false;
  for (const { at } of phrases.places(read)) if (at === 0) return true;
  return read.text.length <= CONFIRMING_CHARS_MAX && phrases.inText(read.text) !== null;
}

const CONFIRMING_WORDS_MAX = 5;
const CONFIRMING_CHARS_MAX = 6;

export const confirms = (read: Read) => begins(CONFIRMS, read);
export const continues = (read: Read) => begins(CONTINUES, read);
export const replies = (read: Read) => begins(REPLIES, read);
export const isAside = (read: Read) => has(ASIDE, read);
export const isMessageField = (read: Read) => has(MESSAGES, read);
export const isAboutCookies = (read: Read) => has(COOKIES, read);
