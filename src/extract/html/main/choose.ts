import { SEGMENTS_CLASSIFIED_MAX } from '#extract/limits.ts';
import { BLOCK_TAGS } from '#extract/html/tree.ts';
import type { TextSegment } from './segments.ts';

export type ChosenSegments = {
  keep: boolean[];
  /** Minimum chance of being content at which a text is worth choosing. */
  bar: number;
};

/**
 * Chooses the texts with the highest expected F1 score, counted in words.
 * @param chances the chance of each text to be content
 */
export function chooseSegments(chances: readonly number[], sizes: readonly number[]): ChosenSegments {
  const order = chances.map((_, index) => index).sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0) || a - b);
  let expected = 0;
  for (const [index, chance] of chances.entries()) expected += chance * (sizes[index] ?? 0);
  let keptWords = 0;
  let right = 0;
  let best = 0;
  let bestCount = 0;
  for (const [count, index] of order.entries()) {
    keptWords += sizes[index] ?? 0;
    right += (chances[index] ?? 0) * (sizes[index] ?? 0);
    const score = (2 * right) / (keptWords + expected);
    if (score > best) {
      best = score;
      bestCount = count + 1;
    }
  }
  const keep = chances.map(() => false);
  for (const index of order.slice(0, bestCount)) keep[index] = true;
  return { keep, bar: best / 2 };
}

/**
 * Returns for each text the index of the text whose features it uses, which is usually itself. On a page with very many
 * texts, which resemble each other, only every n-th text with the same tag gets its own features, and the others share
 * them.
 */
export function mapToSampledSegments(segments: readonly TextSegment[]): Int32Array {
  const step = Math.max(1, Math.ceil(segments.length / SEGMENTS_CLASSIFIED_MAX));
  const judged = new Int32Array(segments.length);
  const kinds = new Map<string, { count: number; last: number }>();
  for (const { index, kind, frame } of segments) {
    const name = kind === 'text' && BLOCK_TAGS.has(frame.element.localName) ? frame.element.localName : kind;
    const alike = kinds.get(name) ?? { count: 0, last: index };
    kinds.set(name, alike);
    if (alike.count % step === 0) alike.last = index;
    alike.count += 1;
    judged[index] = alike.last;
  }
  return judged;
}
