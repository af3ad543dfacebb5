import { SEGMENTS_JUDGED_MAX } from '#extract/html/limits.ts';
import { BLOCK_TAGS } from '#extract/html/tags.ts';
import type { Segment } from './segments.ts';

/**
 * For each segment, the number of the segment that is judged in its place; usually itself. On a page with very many
 * segments, every second or third one with the same tag is also judged for those after it, because pages become that
 * long by repeating themselves.
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
