import { stemInLanguage, stemWords } from '#core/words/languages.ts';
import type { Language } from '#core/words/stop-words.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { foldCaseAndSpaces, hasIdentifier } from './question.ts';
import type { Question } from './question.ts';
import { synonymsOf } from './synonyms.ts';

/**
 * Terms of one phrasing in a line. `pairs`: terms followed, within `PAIR_DISTANCE_MAX` words, by the same term as in
 * the phrasing.
 */
export type TermHits = { mask: number; pairs: number; counts: Uint8Array };

/**
 * Terms found in a line: `of` has an entry per phrasing (the question, then its rewordings). `asked` counts the words
 * that occur in any phrasing or are synonyms of such words. `quoted` counts, for each rewording, the words that occur
 * in no other phrasing.
 */
export type LineTermHits = {
  words: number;
  asked: number;
  quoted: readonly number[];
  of: readonly (TermHits | null)[];
};

/**
 * A term with a given stem: its phrasing, its index in the phrasing, and the value of one occurrence (1 for a synonym,
 * otherwise 2).
 */
type Known = { phrasing: number; index: number; counts: number };

/**
 * The stems of all phrasings in one language. A stem without terms is a word that is not searched, such as the stop
 * word "the".
 */
type Wanted = {
  language: Language;
  stems: ReadonlyMap<string, readonly Known[]>;
  /** For each stem that only one rewording contains, that rewording. */
  quotes: ReadonlyMap<string, number>;
  mayMatch: (line: string) => boolean;
};

/** A question and its rewordings. Each line of a document is split into words only once, for all phrasings together. */
export class PhrasingMatcher {
  readonly questions: readonly Question[];
  readonly #wanted = new Map<Language, Wanted>();

  constructor(questions: readonly Question[]) {
    this.questions = questions;
  }

  /** @returns a function that finds the terms of all phrasings in a line of this language */
  finder(language: Language): FindTermHits {
    const wanted = this.#wanted.get(language) ?? wantedIn(language, this.questions);
    this.#wanted.set(language, wanted);
    return (raw, isCode) => hitsIn(raw, isCode, this.questions, wanted);
  }
}

/** Finds the terms of all phrasings in a line; `null` if it has none. @param isCode true if the line is not Markdown */
export type FindTermHits = (raw: string, isCode: boolean) => LineTermHits | null;

function wantedIn(language: Language, questions: readonly Question[]): Wanted {
  const stems = new Map<string, Known[]>();
  const quotes = new Map<string, number>();
  const wordsAt = (stem: string, phrasing: number) => {
    if (phrasing > 0 && !stems.has(stem)) quotes.set(stem, phrasing);
    else if (quotes.get(stem) !== phrasing) quotes.delete(stem);
    const known = stems.get(stem) ?? [];
    stems.set(stem, known);
    return known;
  };
  for (const [phrasing, { terms, repeated }] of questions.entries()) {
    const own = new Map<string, Known>();
    const words = terms.flatMap(({ text, isIdentifier }, index) =>
      isIdentifier ? [] : [{ stem: stemInLanguage(text, language), index }],
    );
    for (const { stem, index } of words)
      for (const one of synonymsOf(stem, language)) own.set(one, { phrasing, index, counts: SYNONYM_COUNTS });
    for (const { stem, index } of words) own.set(stem, { phrasing, index, counts: WORD_OCCURRENCE_VALUE });
    for (const [stem, known] of own) wordsAt(stem, phrasing).push(known);
    for (const stem of stemWords(repeated, language)) wordsAt(stem, phrasing);
  }
  const identifiers = questions.flatMap((one) => one.identifiers.map(({ text }) => text));
  const sought = [...stems].flatMap(([stem, known]) => (known.length === 0 ? [] : [stem]));
  return { language, stems, quotes, mayMatch: filterFor([...sought, ...identifiers]) };
}

const NOT_ASCII = /[^\x00-\x7f]/;
const PIECE = /[a-z0-9]+/;
/** Maximum leading characters of a word that the filter compares. Stemming changes only the end of a word. */
const BEGINNING_CHARS_MAX = 5;

/**
 * Builds a fast test for lines with a word that begins like a term. Lines with characters outside ASCII always pass.
 * Only lines that pass are stemmed.
 */
function filterFor(sought: readonly string[]): (line: string) => boolean {
  const beginnings = sought
    .flatMap((text) => (NOT_ASCII.test(text) ? [] : (PIECE.exec(text)?.[0] ?? [])))
    .map((text) => text.slice(0, Math.max(1, Math.min(BEGINNING_CHARS_MAX, text.length - 1))));
  if (beginnings.length === 0) return (line) => NOT_ASCII.test(line);
  const pattern = new RegExp(`(?:^|[^a-z0-9])(?:${[...new Set(beginnings)].join('|')})`, 'i');
  return (line) => NOT_ASCII.test(line) || pattern.test(line);
}

function hitsIn(raw: string, isCode: boolean, questions: readonly Question[], wanted: Wanted): LineTermHits | null {
  if (!wanted.mayMatch(raw)) return null;
  const text = isCode ? raw : visibleText(raw);
  const words = stemWords(text, wanted.language);
  const line = new LineReader(questions, words.length);
  line.countWords(words, wanted);
  line.countIdentifiers(text);
  return line.found();
}

class LineReader {
  readonly #questions: readonly Question[];
  readonly #words: number;
  readonly #of: (TermHits | null)[];
  readonly #last: (number[] | null)[];
  readonly #quoted: number[];
  #asked = 0;

  constructor(questions: readonly Question[], words: number) {
    this.#questions = questions;
    this.#words = words;
    this.#of = questions.map(() => null);
    this.#last = questions.map(() => null);
    this.#quoted = questions.map(() => 0);
  }

  countWords(words: readonly string[], { stems, quotes }: Pick<Wanted, 'stems' | 'quotes'>): void {
    let at = -1;
    for (const stem of words) {
      at += 1;
      const known = stems.get(stem);
      if (known === undefined) continue;
      this.#asked += 1;
      const rewording = quotes.get(stem);
      if (rewording !== undefined) this.#quoted[rewording] = (this.#quoted[rewording] ?? 0) + 1;
      for (const one of known) this.#count(one, at);
    }
  }

  countIdentifiers(text: string): void {
    let folded: string | null = null;
    for (const [phrasing, { identifiers, terms }] of this.#questions.entries()) {
      for (const { index, text: identifier } of identifiers) {
        folded ??= foldCaseAndSpaces(text);
        if (!hasIdentifier(folded, identifier)) continue;
        const hits = this.#hitsOf(phrasing, terms.length);
        hits.counts[index] = WORD_OCCURRENCE_VALUE;
        hits.mask |= 1 << index;
      }
    }
  }

  found(): LineTermHits | null {
    const isAny = this.#of.some((hits) => hits !== null);
    return isAny ? { words: this.#words, asked: this.#asked, quoted: this.#quoted, of: this.#of } : null;
  }

  #count({ phrasing, index, counts }: Known, at: number): void {
    const question = this.#questions[phrasing];
    if (question === undefined) return;
    const hits = this.#hitsOf(phrasing, question.terms.length);
    const last = (this.#last[phrasing] ??= question.terms.map(() => -Infinity));
    hits.mask |= 1 << index;
    hits.counts[index] = Math.min(TERM_VALUE_MAX, (hits.counts[index] ?? 0) + counts);
    last[index] = at;
    for (const from of question.preceding[index] ?? [])
      if (at - (last[from] ?? -Infinity) <= PAIR_DISTANCE_MAX) hits.pairs |= 1 << from;
  }

  #hitsOf(phrasing: number, terms: number): TermHits {
    return (this.#of[phrasing] ??= { mask: 0, pairs: 0, counts: new Uint8Array(terms) });
  }
}

/** Maximum distance, in words, between two words that are neighbours in the question, for them to count as a pair. */
const PAIR_DISTANCE_MAX = 3;

/** Value of one occurrence of a word of the question. */
export const WORD_OCCURRENCE_VALUE = 2;
/** Value of one occurrence of a synonym of a word of the question. */
const SYNONYM_COUNTS = 1;
/** Maximum value of a term in a unit: three occurrences of the word. */
export const TERM_VALUE_MAX = 3 * WORD_OCCURRENCE_VALUE;
