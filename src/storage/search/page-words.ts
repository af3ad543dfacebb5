import {
  FREQUENT_COUNT_MIN,
  FREQUENT_WORDS_MAX,
  HEADING_WORDS_MAX,
  PAGE_WORDS_CHARS_MAX,
  PAGE_WORDS_MAX,
  TITLE_WORDS_MAX,
} from '#storage/limits.ts';
import { CodeFences } from '#core/text/plain.ts';
import { isStopWord, stemOf, wordsOf } from '#core/text/words.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { sha256Hex } from '#core/text/text.ts';

/** Share of all words of the page, without stop words. */
const FREQUENT_SHARE_MIN = 0.01;

/**
 * What the index records about a word: that a page has it, has it in its title, or is about it (in a heading, or
 * repeated); that a chunk of a long page has it. `every` is not a word: each page has it.
 */
const WORD_KINDS = { page: 'w', title: 't', about: 'a', chunk: 'p', every: 'e' } as const;
export type WordKind = keyof typeof WORD_KINDS;

/**
 * How a kind of word is written in the index. Words hold letters and digits only, so it is one token.
 * @param mark of the owner of a private document: its words are other words to everybody else, so that nobody's search
 *   counts, weighs or is crowded by the pages of others
 */
export function indexToken(kind: WordKind, stem: string, mark = ''): string {
  return mark + WORD_KINDS[kind] + stem;
}

/** Begins with a letter that no kind has. Two owners with the same mark would still not find each other's pages. */
export async function ownerMark(owner: string | null): Promise<string> {
  return owner === null ? '' : `x${(await sha256Hex(`owner ${owner}`)).slice(0, OWNER_MARK_DIGITS)}`;
}

const OWNER_MARK_DIGITS = 10;

const HEADING = /^#{1,6}\s/;
const TITLE_CHARS_READ_MAX = 1_000;

/** Gathers the words of one document, chunk by chunk. However often a page repeats a word, it is counted once. */
export class PageWords {
  readonly #title: string[];
  readonly #headings = new Set<string>();
  readonly #counts = new Map<string, number>();
  #chars = 0;
  #total = 0;
  readonly #fences = new CodeFences();

  readonly #mark: string;

  /** @param mark of the owner; empty for what is for everyone */
  constructor(title: string | null, mark = '') {
    this.#mark = mark;
    this.#title = stemsOf(wordsOf((title ?? '').slice(0, TITLE_CHARS_READ_MAX))).slice(0, TITLE_WORDS_MAX);
  }

  /** @returns the words of this chunk, as the index has them */
  add(body: string): string {
    const lines = body.split('\n').map((line) => this.#visible(line));
    const counts = new Map<string, number>();
    for (const word of wordsOf(lines.join('\n'))) counts.set(word, (counts.get(word) ?? 0) + 1);
    const stems = new Set<string>();
    for (const [word, count] of counts) {
      const stem = stemOf(word);
      stems.add(stem);
      this.#count(stem, count);
      if (!isStopWord(word)) this.#total += count;
    }
    return tokens('chunk', stems, this.#mark);
  }

  /** The words of the whole page, as the index has them. */
  ofPage(): string {
    const about = new Set([...this.#headings, ...this.#frequent()]);
    return [
      indexToken('every', '', this.#mark),
      tokens('title', this.#title, this.#mark),
      tokens('about', about, this.#mark),
      tokens('page', new Set([...this.#title, ...this.#headings, ...this.#counts.keys()]), this.#mark),
    ].join(' ');
  }

  #visible(line: string): string {
    const wasCode = this.#fences.open !== null;
    if (this.#fences.take(line)) return wasCode && this.#fences.open !== null ? line : '';
    const text = visibleText(line);
    if (HEADING.test(line)) this.#addHeading(text);
    return text;
  }

  #addHeading(text: string): void {
    if (this.#headings.size >= HEADING_WORDS_MAX) return;
    for (const stem of stemsOf(wordsOf(text)).slice(0, HEADING_WORDS_MAX - this.#headings.size)) {
      this.#headings.add(stem);
    }
  }

  #count(stem: string, count: number): void {
    const before = this.#counts.get(stem);
    if (before === undefined) {
      if (this.#counts.size >= PAGE_WORDS_MAX || this.#chars + stem.length > PAGE_WORDS_CHARS_MAX) return;
      this.#chars += stem.length;
    }
    this.#counts.set(stem, (before ?? 0) + count);
  }

  #frequent(): string[] {
    const least = Math.max(FREQUENT_COUNT_MIN, this.#total * FREQUENT_SHARE_MIN);
    return [...this.#counts]
      .filter(([stem, count]) => count >= least && !isStopWord(stem))
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, FREQUENT_WORDS_MAX)
      .map(([stem]) => stem);
  }
}

function stemsOf(words: readonly string[]): string[] {
  return [...new Set(words.filter((word) => !isStopWord(word)).map(stemOf))];
}

function tokens(kind: WordKind, stems: Iterable<string>, mark: string): string {
  return Array.from(stems, (stem) => indexToken(kind, stem, mark)).join(' ');
}
