import { detectLanguage, stemInLanguage, stemWords } from '#core/words/languages.ts';
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
 * that occur in any phrasing or are synonyms of such words. `own` counts, for each rewording, the words that occur in no
 * other phrasing. `quoted` counts, for each phrasing, the words that the line has in the same sequence, three or more at
 * a time; it is empty if most words of the line occur in no phrasing.
 */
export type LineTermHits = {
  words: number;
  asked: number;
  own: readonly number[];
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
  owners: ReadonlyMap<string, number>;
  /** The phrasings that contain each sequence of three stems. */
  sequences: ReadonlyMap<string, readonly number[]>;
  mayMatch: (line: string) => boolean;
};

/** A question and its rewordings. Each line of a document is split into words only once, for all phrasings together. */
export class PhrasingMatcher {
  readonly questions: readonly Question[];
  /** The number of words of each phrasing. */
  readonly lengths: readonly number[];
  readonly #wanted = new Map<Language, Wanted>();

  constructor(questions: readonly Question[]) {
    this.questions = questions;
    this.lengths = questions.map(({ repeated }) => stemWords(repeated, detectLanguage(repeated)).length);
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
  const owners = new Map<string, number>();
  const sequences = new Map<string, number[]>();
  const wordsAt = (stem: string, phrasing: number) => {
    if (phrasing > 0 && !stems.has(stem)) owners.set(stem, phrasing);
    else if (owners.get(stem) !== phrasing) owners.delete(stem);
    return listAt(stems, stem);
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
    const all = stemWords(repeated, language);
    for (const stem of all) wordsAt(stem, phrasing);
    for (const key of new Set(sequencesOf(all))) listAt(sequences, key).push(phrasing);
  }
  const identifiers = questions.flatMap((one) => one.identifiers.map(({ text }) => text));
  const sought = [...stems].flatMap(([stem, known]) => (known.length === 0 ? [] : [stem]));
  return { language, stems, owners, sequences, mayMatch: filterFor([...sought, ...identifiers]) };
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Number of successive words that a line and a phrasing must share for the line to quote the phrasing. */
const SEQUENCE_WORDS = 3;

function sequencesOf(words: readonly string[]): string[] {
  return words.slice(SEQUENCE_WORDS - 1).map((_, at) => words.slice(at, at + SEQUENCE_WORDS).join(' '));
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
  line.countQuoted(words, wanted);
  line.countIdentifiers(text);
  return line.found();
}

class LineReader {
  readonly #questions: readonly Question[];
  readonly #words: number;
  readonly #of: (TermHits | null)[];
  readonly #last: (number[] | null)[];
  readonly #own: number[];
  #quoted: readonly number[] = [];
  #asked = 0;

  constructor(questions: readonly Question[], words: number) {
    this.#questions = questions;
    this.#words = words;
    this.#of = questions.map(() => null);
    this.#last = questions.map(() => null);
    this.#own = questions.map(() => 0);
  }

  countWords(words: readonly string[], { stems, owners }: Pick<Wanted, 'stems' | 'owners'>): void {
    let at = -1;
    for (const stem of words) {
      at += 1;
      const known = stems.get(stem);
      if (known === undefined) continue;
      this.#asked += 1;
      const rewording = owners.get(stem);
      if (rewording !== undefined) this.#own[rewording] = (this.#own[rewording] ?? 0) + 1;
      for (const one of known) this.#count(one, at);
    }
  }

  countQuoted(words: readonly string[], { sequences }: Pick<Wanted, 'sequences'>): void {
    if (2 * this.#asked <= words.length) return;
    const quoted = this.#questions.map(() => 0);
    const ends = this.#questions.map(() => 0);
    for (const [at, key] of sequencesOf(words).entries()) {
      for (const phrasing of sequences.get(key) ?? []) {
        const end = at + SEQUENCE_WORDS;
        quoted[phrasing] = (quoted[phrasing] ?? 0) + Math.min(SEQUENCE_WORDS, end - (ends[phrasing] ?? 0));
        ends[phrasing] = end;
      }
    }
    this.#quoted = quoted;
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
    return isAny
      ? { words: this.#words, asked: this.#asked, own: this.#own, quoted: this.#quoted, of: this.#of }
      : null;
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
