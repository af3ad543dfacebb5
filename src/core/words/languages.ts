import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { STOP_WORDS } from './stop-words.ts';
import type { Language } from './stop-words.ts';
import {
  splitIntoCharactersAndPairs,
  isUnspacedScript,
  splitIntoWordRuns,
  stem,
  removeAccents,
  splitWords,
} from './words.ts';

/** The stemmer of each language. English uses this project's own. */
const STEMMERS: Readonly<Record<Language, (word: string) => string>> = {
  english: stem,
  danish,
  dutch,
  finnish,
  french,
  german,
  hungarian,
  italian,
  norwegian,
  portuguese,
  romanian,
  russian,
  spanish,
  swedish,
  turkish,
};

/**
 * Detects the language of a text by its common short words; English if they are not recognized.
 * @param text a sample, such as the beginning; a few words are enough if all are in one language
 */
export function detectLanguage(text: string): Language {
  const words = splitWords(text.slice(0, SAMPLE_CHARS)).filter((word) => LETTERS.test(word));
  const counts = new Map<Language, number>();
  for (const word of words)
    for (const language of languagesOf(word)) counts.set(language, (counts.get(language) ?? 0) + 1);
  const foreign = words.filter((word) => CYRILLIC.test(word) && !RUSSIAN.test(word)).length;
  if (foreign > (counts.get('russian') ?? 0) * FOREIGN_SHARE_MAX) counts.delete('russian');
  const [best, next] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (best === undefined) return 'english';
  const [language, count] = best;
  return count > (next?.[1] ?? 0) && count >= words.length * STOP_WORD_SHARE_MIN ? language : 'english';
}

const SAMPLE_CHARS = 6_000;
/**
 * Minimum share of stop words for trusting the detected language. A third of the words of prose are stop words; lists
 * have few.
 */
const STOP_WORD_SHARE_MIN = 0.06;
const LETTERS = /^\p{L}+$/u;

function languagesOf(word: string): readonly Language[] {
  if (CYRILLIC.test(word)) return RUSSIAN.test(word) ? ['russian'] : [];
  return LANGUAGES.get(word) ?? [];
}

const CYRILLIC = /^\p{sc=Cyrl}/u;
/**
 * Maximum ratio of words with letters that Russian lacks to Russian words in a Russian text. In Ukrainian, the ratio is
 * 0.2.
 */
const FOREIGN_SHARE_MAX = 0.1;
const RUSSIAN = /^[а-я]+$/;
const LATIN = /^\p{sc=Latn}+$/u;
const ASCII_LETTERS = /^[a-z]+$/;

const LANGUAGES: ReadonlyMap<string, readonly Language[]> = new Map(
  [
    ...Map.groupBy(
      STOP_WORDS.flatMap(([language, words]) => words.split(' ').map((word) => ({ language, word }))),
      ({ word }) => word,
    ),
  ].map(([word, having]) => [word, having.map(({ language }) => language)]),
);

/**
 * The stems of a text in the order of its words, folded like in `splitWords`. Words in another script than the
 * language's have English stems, or stay unchanged.
 */
export function stemWords(text: string, language: Language): string[] {
  if (!NOT_ASCII.test(text)) {
    const known = knownIn(language);
    return splitIntoWordRuns(text).map((run) => known.get(run) ?? stemInLanguage(run, language));
  }
  return splitIntoWordRuns(text).flatMap((run) =>
    isUnspacedScript(run) ? splitIntoCharactersAndPairs(removeAccents(run)) : [stemInLanguage(run, language)],
  );
}

const NOT_ASCII = /[^\x00-\x7f]/;

/** Cache of stems, because texts repeat their words. */
const KNOWN = new Map<Language, Map<string, string>>();
const KNOWN_MAX = 20_000;

/** @param run a word as returned by `splitIntoWordRuns` */
export function stemInLanguage(run: string, language: Language): string {
  const known = knownIn(language);
  const before = known.get(run);
  if (before !== undefined) return before;
  const word = removeAccents(run);
  const found = removeAccents(stemmerFor(word, language)?.(run) ?? word);
  known.set(run, found);
  return found;
}

/**
 * The stems of a word in every supported language. Used for queries, because they are too short to detect their
 * language.
 * @param run a word as returned by `splitIntoWordRuns`
 */
export function stemsInAnyLanguage(run: string): string[] {
  return [
    ...new Set(
      Object.keys(STEMMERS)
        .filter(isLanguage)
        .map((language) => stemInLanguage(run, language)),
    ),
  ];
}

function isLanguage(name: string): name is Language {
  return name in STEMMERS;
}

function knownIn(language: Language): Map<string, string> {
  let known = KNOWN.get(language);
  if (known === undefined || known.size >= KNOWN_MAX) KNOWN.set(language, (known = new Map()));
  return known;
}

function stemmerFor(word: string, language: Language): ((run: string) => string) | null {
  const hasEnglish = language === 'english' || language === 'russian';
  if (hasEnglish && ASCII_LETTERS.test(word)) return stem;
  if (language === 'russian') return CYRILLIC.test(word) ? russian : null;
  return !hasEnglish && LATIN.test(word) ? STEMMERS[language] : null;
}
