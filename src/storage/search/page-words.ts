import {
  INDEXED_FREQUENT_WORDS_MAX,
  INDEXED_HEADING_WORDS_MAX,
  INDEXED_WORDS_CHARS_MAX,
  INDEXED_WORDS_PER_PAGE_MAX,
  INDEXED_TITLE_WORDS_MAX,
} from '#storage/limits.ts';
import { CodeFences } from '#core/text/plain.ts';
import { detectLanguage, stemInLanguage } from '#core/words/languages.ts';
import type { Language } from '#core/words/stop-words.ts';
import {
  splitIntoCharactersAndPairs,
  isStopWord,
  isUnspacedScript,
  splitIntoWordRuns,
  stemEnglish,
  removeAccents,
} from '#core/words/words.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { sha256Hex } from '#core/text/text.ts';

const FREQUENT_COUNT_MIN = 3;
/** Minimum share of a repeated word in a page, without stop words. A rarer word is not the subject of the page. */
const FREQUENT_SHARE_MIN = 0.01;

/**
 * Kinds of index entries for a word. A page contains the word, has it in its title, or is about it (in a heading, or
 * repeated); a chunk of a long page contains it. `every` has no word and matches every page.
 */
const WORD_KINDS = { page: 'w', title: 't', about: 'a', chunk: 'p', every: 'e' } as const;
export type WordKind = keyof typeof WORD_KINDS;

/**
 * Encodes a word and its kind as one index token; words contain only letters and digits.
 * @param mark {@link hashOwnerMark} of a private document. It makes the document's words different for everyone else, so
 *   that no other user's search counts or ranks by them
 */
export function indexToken(kind: WordKind, stem: string, mark = ''): string {
  return mark + WORD_KINDS[kind] + stem;
}

/**
 * Mark of an owner: `x`, which is not a word kind, and a short hash. Empty for public documents. Even owners with equal
 * marks find only their own pages, because results are also checked.
 */
export async function hashOwnerMark(owner: string | null): Promise<string> {
  return owner === null ? '' : `x${(await sha256Hex(`owner ${owner}`)).slice(0, OWNER_MARK_DIGITS)}`;
}

const OWNER_MARK_DIGITS = 10;

const HEADING = /^#{1,6}\s/;
const TITLE_CHARS_READ_MAX = 1_000;

/**
 * Collects the words of one document, chunk by chunk. Each word is indexed once, however often the page repeats it. It
 * is indexed under its English stem (or unchanged, in other scripts) and under its stem in the page's language.
 */
export class PageWords {
  readonly #title: readonly string[];
  readonly #headings = new Set<string>();
  readonly #counts = new Map<string, number>();
  #language: Language | null = null;
  /** Stems in the page's language that differ from the English stems, by English stem. */
  readonly #foreign = new Map<string, Set<string>>();
  #chars = 0;
  #total = 0;
  readonly #fences = new CodeFences();

  readonly #mark: string;

  /** @param mark {@link hashOwnerMark} of the document */
  constructor(title: string | null, mark = '') {
    this.#mark = mark;
    this.#title = wordsIn((title ?? '').slice(0, TITLE_CHARS_READ_MAX));
  }

  /** @returns the index tokens of this chunk */
  add(body: string): string {
    const lines = body.split('\n').map((line) => this.#visible(line));
    const text = lines.join('\n');
    this.#language ??= detectLanguage(text);
    const counts = new Map<string, number>();
    for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const stems = new Set<string>();
    for (const [word, count] of counts) {
      const stem = this.#stemOf(word);
      stems.add(stem);
      this.#count(stem, count);
      if (!isStopWord(removeAccents(word))) this.#total += count;
    }
    return this.#tokens('chunk', stems);
  }

  ofPage(): string {
    const title = this.#telling(this.#title).slice(0, INDEXED_TITLE_WORDS_MAX);
    const about = new Set([...this.#headings, ...this.#frequent()]);
    return [
      indexToken('every', '', this.#mark),
      this.#tokens('title', title),
      this.#tokens('about', about),
      this.#tokens('page', new Set([...title, ...this.#headings, ...this.#counts.keys()])),
    ].join(' ');
  }

  /** Records the stem in the page's language. @returns the English stem */
  #stemOf(word: string): string {
    const stem = stemEnglish(removeAccents(word));
    if (this.#language === null || this.#language === 'english') return stem;
    const foreign = stemInLanguage(word, this.#language);
    if (foreign === stem) return stem;
    const known = this.#foreign.get(stem);
    if (known !== undefined) known.add(foreign);
    else if (this.#foreign.size < INDEXED_WORDS_PER_PAGE_MAX) this.#foreign.set(stem, new Set([foreign]));
    return stem;
  }

  #telling(words: readonly string[]): string[] {
    const telling = words.filter((word) => !isStopWord(removeAccents(word)));
    return [...new Set(telling.map((word) => this.#stemOf(word)))];
  }

  #tokens(kind: WordKind, stems: Iterable<string>): string {
    const all = new Set(Array.from(stems, (stem) => [stem, ...(this.#foreign.get(stem) ?? [])]).flat());
    return Array.from(all, (stem) => indexToken(kind, stem, this.#mark)).join(' ');
  }

  #visible(line: string): string {
    const wasCode = this.#fences.open !== null;
    if (this.#fences.take(line)) return wasCode && this.#fences.open !== null ? line : '';
    const text = visibleText(line);
    if (HEADING.test(line)) this.#addHeading(text);
    return text;
  }

  #addHeading(text: string): void {
    if (this.#headings.size >= INDEXED_HEADING_WORDS_MAX) return;
    for (const stem of this.#telling(wordsIn(text)).slice(0, INDEXED_HEADING_WORDS_MAX - this.#headings.size)) {
      this.#headings.add(stem);
    }
  }

  #count(stem: string, count: number): void {
    const before = this.#counts.get(stem);
    if (before === undefined) {
      if (this.#counts.size >= INDEXED_WORDS_PER_PAGE_MAX || this.#chars + stem.length > INDEXED_WORDS_CHARS_MAX)
        return;
      this.#chars += stem.length;
    }
    this.#counts.set(stem, (before ?? 0) + count);
  }

  #frequent(): string[] {
    const least = Math.max(FREQUENT_COUNT_MIN, this.#total * FREQUENT_SHARE_MIN);
    return [...this.#counts]
      .filter(([stem, count]) => count >= least && !isStopWord(stem))
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, INDEXED_FREQUENT_WORDS_MAX)
      .map(([stem]) => stem);
  }
}

/** Words in order, with accents. Scripts without spaces yield each character and each pair of neighbours. */
function wordsIn(text: string): string[] {
  return splitIntoWordRuns(text).flatMap((run) =>
    isUnspacedScript(run) ? splitIntoCharactersAndPairs(removeAccents(run)) : run,
  );
}
