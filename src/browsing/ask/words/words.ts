import { EASTERN_LANGUAGES } from './eastern.ts';
import { GERMANIC_LANGUAGES } from './germanic.ts';
import type { ActionLexicon, ActionMeaning } from './lexicon.ts';
import { ROMANCE_LANGUAGES } from './romance.ts';
import { SLAVIC_LANGUAGES } from './slavic.ts';

export type LexiconText = {
  /** Words in lower case, without accents. */
  words: readonly string[];
  /** The text as a whole, for languages without spaces. */
  text: string;
};

/** Maximum characters of a text that are compared. Callers already shorten texts; this limits the work in any case. */
const READ_CHARS_MAX = 400;

export function toLexiconText(text: string): LexiconText {
  // Zero-width spaces and soft hyphens are invisible and would split a word such as `delete`.
  const plain = text
    .slice(0, READ_CHARS_MAX)
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase();
  return { words: wordsIn(plain), text: plain };
}

/** Splits class names and ids into words: `btnDelete` contains `delete`, and `icon_trash` contains `trash`. */
export function hintsToLexiconText(hints: string): LexiconText {
  return toLexiconText(
    hints
      .slice(0, READ_CHARS_MAX)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
      .replaceAll('_', ' '),
  );
}

function wordsIn(plain: string): string[] {
  const folded = plain
    .normalize('NFD')
    // Removes accents, but keeps the vowel signs of Indian scripts.
    .replaceAll(/\p{Script=Inherited}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
  const words = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.map(withoutLookalikes);
}

/** Replaces Cyrillic and Greek letters that look Latin, as in `Рay` with a Cyrillic `Р`. */
function withoutLookalikes(word: string): string {
  if (!/[a-z]/u.test(word) || !/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)) return word;
  return Array.from(word, (letter) => LATIN[LOOKALIKES.indexOf(letter)] ?? letter).join('');
}

const LOOKALIKES = 'аеорсухіјѕһԁɡӏкмтвнαεορυιντκ';
const LATIN = 'aeopcyxijshdglkmtbhaeopuivtk';

/**
 * `written`: the phrase with its accents, for a short phrase that could mean something else without them (`öde`,
 * `ode`).
 */
type Phrase = { words: readonly string[]; written: string | null; meaning: ActionMeaning };

/**
 * Maximum letters of a phrase that must match with its accents. Without them, Polish `płacę` (I pay) would equal
 * `place`.
 */
const ACCENTED_MAX = 5;

/** Phrases indexed by their first word, so that one pass over a text finds all phrases. */
class Phrases {
  readonly #byFirst = new Map<string, Phrase[]>();
  readonly #texts: { text: string; meaning: ActionMeaning }[] = [];

  add({ by }: ActionLexicon, list: string, meaning: ActionMeaning): void {
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
      const isShort = words.join('').length <= ACCENTED_MAX && words.join(' ') !== text;
      const phrase = { words, written: isShort ? text : null, meaning };
      const known = this.#byFirst.get(first);
      if (known === undefined) this.#byFirst.set(first, [phrase]);
      else known.push(phrase);
    }
  }

  /** Yields each phrase found in a text: the index of its first word, its number of words, and its meaning. */
  *places({ words, text }: LexiconText): Iterable<Place> {
    for (const [at, word] of words.entries()) {
      for (const phrase of this.#byFirst.get(word) ?? []) {
        if (phrase.written !== null && !text.includes(phrase.written)) continue;
        const count = matchedWords(words, at, phrase.words);
        if (count > 0) yield { at, count, meaning: phrase.meaning };
      }
    }
  }

  /** Finds the first listed phrase that occurs in a text without spaces. */
  inText(text: string): ActionMeaning | null {
    return this.#texts.find((one) => text.includes(one.text))?.meaning ?? null;
  }

  isText(text: string): boolean {
    return this.#texts.some((one) => one.text === text);
  }

  without(text: string): string {
    let left = text;
    for (const { text: phrase } of this.#texts) left = left.replaceAll(phrase, ' ');
    return left;
  }
}

type Place = { at: number; count: number; meaning: ActionMeaning };

/** Number of words at index `at` that match a phrase, with articles between (`delete the file`); 0 for no match. */
function matchedWords(words: readonly string[], at: number, phrase: readonly string[]): number {
  let next = at;
  for (const one of phrase) {
    if (next > at && !isWord(words[next], one) && ARTICLES.has(words[next] ?? '')) next += 1;
    if (!isWord(words[next], one)) return 0;
    next += 1;
  }
  return next - at;
}

const ARTICLES: ReadonlySet<string> = new Set(
  'a an the this my your our all der die das den mein meine meinen diese diesen le la les l ma mon mes votre cette el los las mi tu su il lo i gli un una mia mio tua tuo o os as meu minha seu sua de het een mijn je uw min mitt mina din ditt'.split(
    ' ',
  ),
);

function isWord(word: string | undefined, wanted: string): boolean {
  if (word === undefined) return false;
  return wanted.endsWith('*') ? word.startsWith(wanted.slice(0, -1)) : word === wanted;
}

const LEXICONS: readonly ActionLexicon[] = [
  GERMANIC_LANGUAGES.ENGLISH,
  GERMANIC_LANGUAGES.GERMAN,
  ROMANCE_LANGUAGES.FRENCH,
  ROMANCE_LANGUAGES.SPANISH,
  ROMANCE_LANGUAGES.ITALIAN,
  ROMANCE_LANGUAGES.PORTUGUESE,
  GERMANIC_LANGUAGES.DUTCH,
  SLAVIC_LANGUAGES.POLISH,
  EASTERN_LANGUAGES.JAPANESE,
  EASTERN_LANGUAGES.CHINESE,
  EASTERN_LANGUAGES.KOREAN,
  SLAVIC_LANGUAGES.RUSSIAN,
  SLAVIC_LANGUAGES.UKRAINIAN,
  SLAVIC_LANGUAGES.CZECH,
  GERMANIC_LANGUAGES.SWEDISH,
  GERMANIC_LANGUAGES.DANISH,
  GERMANIC_LANGUAGES.NORWEGIAN,
  EASTERN_LANGUAGES.TURKISH,
  EASTERN_LANGUAGES.ARABIC,
  EASTERN_LANGUAGES.HINDI,
];

const MEANINGS: readonly ActionMeaning[] = [
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

function listed(of: (lexicon: ActionLexicon) => string): Phrases {
  const phrases = new Phrases();
  for (const lexicon of LEXICONS) phrases.add(lexicon, of(lexicon), 'accept');
  return phrases;
}

function meant(of: (lexicon: ActionLexicon, meaning: ActionMeaning) => string): Phrases {
  const phrases = new Phrases();
  for (const meaning of MEANINGS) for (const lexicon of LEXICONS) phrases.add(lexicon, of(lexicon, meaning), meaning);
  return phrases;
}

function nounPhrases({ nounUses }: ActionLexicon): string {
  if (nounUses === undefined) return '';
  const [acts, before, after] = [nounUses.acts, nounUses.before, nounUses.after].map((list) => list.split(', '));
  return (acts ?? [])
    .flatMap((act) => [...(before ?? []).map((one) => `${one} ${act}`), ...(after ?? []).map((one) => `${act} ${one}`)])
    .join();
}

/** Phrases in which a verb turns a noun into an act: `complete order`, `place new order`. */
function madePhrases({ acts, nounUses }: ActionLexicon, meaning: ActionMeaning): string[] {
  const nouns = new Set(nounUses?.acts.split(', '));
  const made = acts[meaning].split(', ').filter((act) => nouns.has(act));
  const makers = nounUses?.makers.split(', ') ?? [];
  return made.flatMap((noun) => makers.flatMap((maker) => [`${maker} ${noun}`, `${maker} new ${noun}`]));
}

const ACTS = meant((lexicon, meaning) => [lexicon.acts[meaning], ...madePhrases(lexicon, meaning)].join());
const NOUNS = meant(({ nouns }, meaning) => nouns[meaning] ?? '');
const HARMLESS = listed((lexicon) => `${lexicon.harmless}, ${nounPhrases(lexicon)}`);
const CONFIRMS = listed(({ confirms }) => confirms);
const CONTINUES = listed(({ continues }) => continues);
const REPLIES = listed(({ replies }) => replies);
const ASIDE = listed(({ aside }) => aside);
const MESSAGES = listed(({ messages }) => messages);
const COOKIES = listed(({ cookies }) => cookies);
const ORDINARY = listed(({ ordinary }) => ordinary);

/** The act that a text names, in `count` words from index `at` on. In a text without spaces, `at` is 0. */
type Found = { meaning: ActionMeaning; at: number; count: number };

export function findActionMeaning(read: LexiconText): Found | null {
  const masked = new Set<number>();
  for (const { at, count } of HARMLESS.places(read)) for (let word = at; word < at + count; word += 1) masked.add(word);
  let found: Place | null = null;
  for (const place of ACTS.places(read)) {
    if (isMasked(place, masked)) continue;
    if (found === null || place.count > found.count) found = place;
  }
  if (found !== null) return found;
  const meaning = ACTS.inText(HARMLESS.without(read.text));
  return meaning === null ? null : { meaning, at: 0, count: read.words.length };
}

/**
 * True if harmless phrases cover all words of an act. In `place my order`, the harmless `my order` covers only a part.
 */
function isMasked({ at, count }: Place, masked: ReadonlySet<number>): boolean {
  for (let word = at; word < at + count; word += 1) if (!masked.has(word)) return false;
  return true;
}

export function findNounMeaning(read: LexiconText): ActionMeaning | null {
  for (const { meaning } of NOUNS.places(read)) return meaning;
  return NOUNS.inText(read.text);
}

function has(phrases: Phrases, read: LexiconText): boolean {
  for (const _ of phrases.places(read)) return true;
  return phrases.inText(read.text) !== null;
}

/** True if a short text begins with one of the phrases, such as `Yes, delete it`. */
function begins(phrases: Phrases, read: LexiconText): boolean {
  if (read.words.length > CONFIRMING_WORDS_MAX) return false;
  for (const { at } of phrases.places(read)) if (at === 0) return true;
  return read.text.length <= CONFIRMING_CHARS_MAX && phrases.inText(read.text) !== null;
}

const CONFIRMING_WORDS_MAX = 5;
const CONFIRMING_CHARS_MAX = 6;

/** True if the whole name is one listed phrase, such as `Search`. */
export function isHarmlessPhrase(read: LexiconText): boolean {
  for (const { at, count } of ORDINARY.places(read)) if (at === 0 && count === read.words.length) return true;
  return ORDINARY.isText(read.text.trim());
}

export const beginsWithConfirmWord = (read: LexiconText) => begins(CONFIRMS, read);
export const beginsWithContinueWord = (read: LexiconText) => begins(CONTINUES, read);
export const beginsWithReplyWord = (read: LexiconText) => begins(REPLIES, read);
export const hasSecondaryActionWord = (read: LexiconText) => has(ASIDE, read);
export const isMessageFieldText = (read: LexiconText) => has(MESSAGES, read);
export const isAboutCookies = (read: LexiconText) => has(COOKIES, read);
