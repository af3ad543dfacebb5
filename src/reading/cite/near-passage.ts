import type { Viewport } from '#core/document.ts';
import { isStopWord } from '#core/text/words.ts';
import type { Pause } from '#core/flow/turns.ts';
import { foldForSearch } from '#reading/find/reading-blocks.ts';
import { QUOTE_STEP_CHARS } from '#reading/limits.ts';
import { LineForm } from './quote-text.ts';
import type { Chunks, FormedLine } from './quote-text.ts';

/** Of the words of a quote, weighted: a passage that shares less is another one. */
const NEAR_SHARE_MIN = 0.4;

type NearPassage = { lines: Viewport; text: string };

const PIECES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]]+/gv;
/** Weight of a word that few texts have; a stop word counts 1. */
const DISTINCTIVE_WEIGHT = 4;

/**
 * `null` when no passage shares enough words. One pass with a window of as many words as the quote has, so the work
 * grows with the text alone.
 */
export async function nearestPassage(quote: string, chunks: Chunks, pause: Pause): Promise<NearPassage | null> {
  const window = new Window(wordsOf(quote));
  const form = new LineForm('read');
  const recent = new RecentLines();
  let best: { score: number; lines: FormedLine[] } | null = null;
  let chars = 0;
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, line] of lines.entries()) {
      const loc = firstLine + offset;
      const text = form.take(line);
      recent.add({ loc, text });
      for (const word of wordsOf(text)) {
        const { score, from } = window.add(word, loc);
        recent.dropBefore(from);
        if (best === null || isBetter(best, score, recent.count)) best = { score, lines: recent.list() };
      }
      chars += line.length;
      if (chars < QUOTE_STEP_CHARS) continue;
      chars = 0;
      await pause();
    }
  }
  const [first] = best?.lines ?? [];
  if (best === null || first === undefined || best.score < window.full * NEAR_SHARE_MIN) return null;
  const texts = best.lines.map(({ text }) => text).filter((text) => text !== '');
  return { lines: { start: first.loc, end: best.lines.at(-1)?.loc ?? first.loc }, text: texts.join('\n') };
}

function isBetter(best: { score: number; lines: FormedLine[] }, score: number, lineCount: number): boolean {
  return score > best.score || (score === best.score && lineCount < best.lines.length);
}

class RecentLines {
  readonly #lines: FormedLine[] = [];
  #first = 0;

  get count(): number {
    return this.#lines.length - this.#first;
  }

  add(line: FormedLine): void {
    this.#lines.push(line);
  }

  dropBefore(loc: number): void {
    while ((this.#lines[this.#first]?.loc ?? loc) < loc) this.#first += 1;
    if (this.#first < RECENT_DROPPED_MAX) return;
    this.#lines.splice(0, this.#first);
    this.#first = 0;
  }

  list(): FormedLine[] {
    return this.#lines.slice(this.#first);
  }
}

/** Passed lines are dropped in groups: each drop moves the others. */
const RECENT_DROPPED_MAX = 1_000;

function wordsOf(text: string): string[] {
  return foldForSearch(text).match(PIECES) ?? [];
}

class Window {
  readonly full: number;
  readonly #size: number;
  readonly #wanted = new Map<string, number>();
  readonly #words: { word: string; loc: number }[] = [];
  #first = 0;
  #score = 0;

  constructor(quote: readonly string[]) {
    this.#size = Math.max(1, quote.length);
    for (const word of quote) this.#wanted.set(word, (this.#wanted.get(word) ?? 0) + 1);
    this.full = quote.reduce((sum, word) => sum + weightOf(word), 0);
  }

  add(word: string, loc: number): { score: number; from: number } {
    this.#words.push({ word, loc });
    this.#count(word, -1);
    if (this.#words.length - this.#first > this.#size) this.#drop();
    return { score: this.#score, from: this.#words[this.#first]?.loc ?? loc };
  }

  #drop(): void {
    this.#count(this.#words[this.#first]?.word ?? '', 1);
    this.#first += 1;
    if (this.#first <= this.#size) return;
    this.#words.splice(0, this.#first);
    this.#first = 0;
  }

  /** Words beyond those that the quote has do not count. */
  #count(word: string, change: 1 | -1): void {
    const missing = this.#wanted.get(word);
    if (missing === undefined) return;
    this.#wanted.set(word, missing + change);
    if (change < 0 ? missing > 0 : missing >= 0) this.#score -= change * weightOf(word);
  }
}

function weightOf(word: string): number {
  return isStopWord(word) ? 1 : DISTINCTIVE_WEIGHT;
}
