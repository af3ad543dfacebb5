import { SEGMENTS_JUDGED_MAX } from '#extract/html/limits.ts';
import { BLOCK_TAGS } from '#extract/html/tags.ts';
import type { Segment } from './segments.ts';

/**
 * For each segment, the number of the one that is judged for it: as a rule itself. On a page of very many, every second or
 * third with the same tag is judged for the next ones, too: pages get so long by repeating themselves.
 */
export function judgedFor(segments: readonly Segment[]): Int32Array {
  const step = Math.max(1, Math.ceil(segments.length / SEGMENTS_JUDGED_MAX));
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
