import type { TextWithCuts } from '#core/text/page-texts.ts';

/**
 * What stands behind a cut is sent as far as six letters of a secret may reach, in whatever form: then what begins before
 * the cut is known, and hidden.
 */
export const BEHIND_CHARS = 500;
/** What stands before a cut: all of a secret of the greatest length, with each letter encoded. */
const BEFORE_CHARS = 6_000;

/**
 * The first `max` characters of a text. Secrets are hidden in it before it is cut, outside the page: this is how every text
 * is cut in a page.
 */
export function cut(text: string, max: number): TextWithCuts {
  return cutBetween(text, 0, max);
}

/** What stands from `start` up to `end`. */
export function cutBetween(text: string, start: number, end: number): TextWithCuts {
  const from = Math.max(0, start - BEFORE_CHARS);
  const uncut = text.slice(from, end + BEHIND_CHARS);
  const last = Math.min(uncut.length, end - from);
  const parts: [number, number][] = [
    [0, Math.max(0, start - from)],
    [last, uncut.length],
  ];
  return { uncut, leftOut: parts.filter(([begun, ended]) => begun < ended) };
}

/** A text that is written piece by piece, with parts that are left out. */
export class CutText {
  #text = '';
  #left = 0;
  readonly #leftOut: [number, number][] = [];

  /** Characters that are not left out. */
  get chars(): number {
    return this.#text.length - this.#left;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** As much as is told; what is left out behind it, and a sign of that. @param written how a text is written here */
  addCut(text: string, max: number, written: (text: string) => string, sign = '…'): void {
    this.add(written(text.slice(0, max)));
    if (text.length <= max) return;
    const start = this.#text.length;
    this.add(written(text.slice(max, max + BEHIND_CHARS)));
    this.#leftOut.push([start, this.#text.length]);
    this.#left += this.#text.length - start;
    this.add(sign);
  }

  /** The first `max` characters, those that are left out not counted. */
  cut(max: number): TextWithCuts {
    let end = max;
    for (const [start, ended] of this.#leftOut) if (start < end) end += ended - start;
    const uncut = this.#text.slice(0, end + BEHIND_CHARS);
    const inside = this.#leftOut.filter(([start]) => start < end);
    return { uncut, leftOut: end < uncut.length ? [...inside, [end, uncut.length]] : inside };
  }
}
