import type { Viewport } from '#core/document.ts';
import { isStopWord } from '#core/text/words.ts';
import type { Pause } from '#core/flow/turns.ts';
import { folded } from '#reading/find/reading-blocks.ts';
import { NEAR_SHARE_MIN, QUOTE_STEP_CHARS } from '#reading/limits.ts';
import { LineForm } from './quote-text.ts';
import type { Chunks, FormedLine } from './quote-text.ts';

/** The lines whose words come nearest to those of a quote, as they are read. */
export type NearPassage = { lines: Viewport; text: string };

/** Words; of scripts without spaces between them, each character. */
const PIECES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]]+/gv;
/** What a word counts against one that stands in every text. */
const TELLING_WEIGHT = 4;

/**
 * The passage that shares most words with a quote, if it shares enough. One look through the text with a window of as
 * many words as the quote has, so that the work grows with the text alone.
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

/** More of the quote is better, and then fewer lines. */
function isBetter(best: { score: number; lines: FormedLine[] }, score: number, lineCount: number): boolean {
  return score > best.score || (score === best.score && lineCount < best.lines.length);
}

/** The lines that the window lies in. */
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

/** Lines that are passed are let go of in groups. */
const RECENT_DROPPED_MAX = 1_000;

function wordsOf(text: string): string[] {
  return folded(text).match(PIECES) ?? [];
}

/** The last words of a text, as many as the quote has, and how much of the quote is among them. */
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

  /** How many of a word are still missing goes up or down; those beyond what the quote has say nothing. */
  #count(word: string, change: 1 | -1): void {
    const missing = this.#wanted.get(word);
    if (missing === undefined) return;
    this.#wanted.set(word, missing + change);
    if (change < 0 ? missing > 0 : missing >= 0) this.#score -= change * weightOf(word);
  }
}

function weightOf(word: string): number {
  return isStopWord(word) ? 1 : TELLING_WEIGHT;
}
