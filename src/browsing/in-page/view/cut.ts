import type { TextWithCuts } from '#core/text/page-texts.ts';

/**
 * Characters sent after a cut, so that a secret that crosses the cut can be recognized and masked: the length of six
 * letters of a secret in the longest encoding.
 */
export const CHARS_AFTER_CUT = 500;
/** Characters sent before a cut: the length of the longest secret with each letter encoded. */
export const BEFORE_CHARS = 6_000;

/**
 * The first `max` characters of a text, with some more after the cut. Secrets are masked outside the page before the
 * text is shortened, so every in-page script must use this function.
 */
export function truncateWithContext(text: string, max: number): TextWithCuts {
  return sliceWithContext(text, 0, max);
}

export function sliceWithContext(text: string, start: number, end: number): TextWithCuts {
  const from = Math.max(0, start - BEFORE_CHARS);
  const uncut = text.slice(from, end + CHARS_AFTER_CUT);
  const last = Math.min(uncut.length, end - from);
  const parts: [number, number][] = [
    [0, Math.max(0, start - from)],
    [last, uncut.length],
  ];
  return { uncut, leftOut: parts.filter(([begun, ended]) => begun < ended) };
}

/** A text written in pieces. Omitted parts are included and marked, so that secrets across a cut can be masked. */
export class TextWithCutsBuilder {
  #text = '';
  #left = 0;
  readonly #leftOut: [number, number][] = [];

  /** Number of characters that are not omitted. */
  get chars(): number {
    return this.#text.length - this.#left;
  }

  add(text: string): void {
    this.#text += text;
  }

  /**
   * Adds the first `max` characters, some following ones marked as omitted, and `sign` if there were more.
   * @param written encodes a text for this context, such as HTML
   */
  addCut(text: string, max: number, written: (text: string) => string, sign = '…'): void {
    this.add(written(text.slice(0, max)));
    if (text.length <= max) return;
    const start = this.#text.length;
    this.add(written(text.slice(max, max + CHARS_AFTER_CUT)));
    this.#leftOut.push([start, this.#text.length]);
    this.#left += this.#text.length - start;
    this.add(sign);
  }

  /** The first `max` characters, not counting omitted ones. */
  cut(max: number): TextWithCuts {
    let end = max;
    for (const [start, ended] of this.#leftOut) if (start < end) end += ended - start;
    const uncut = this.#text.slice(0, end + CHARS_AFTER_CUT);
    const inside = this.#leftOut.filter(([start]) => start < end);
    return { uncut, leftOut: end < uncut.length ? [...inside, [end, uncut.length]] : inside };
  }
}
