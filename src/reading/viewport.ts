import type { Extent } from '#client/move-viewport.ts';
import type { Viewport } from '#core/document.ts';
import { VIEWPORT_BYTES_MAX } from './limits.ts';
import { utf8Bytes } from '#core/text.ts';

/** The last line of a viewport of `numLines` from `start`: a viewport never shows both main part and rest. Pure. */
export function lastLine(start: number, numLines: number, { lineCount, restStart }: Extent): number {
  const end = restStart !== null && start < restStart ? restStart : lineCount;
  return Math.min(start + numLines, end) - 1;
}

/** Lines of a document, numbered from `start`. `cut` tells that the size limit ended the viewport early. */
export type Slice = { viewport: Viewport; lines: string[]; cut: boolean };

/**
 * The part of `lines` (which begin at line `start`) that fits into one result. Whole lines only; at least one, since no
 * stored line is larger than a result. Pure.
 */
export function fitViewport(lines: readonly string[], start: number): Slice {
  const count = fitting(lines);
  return {
    viewport: { start, end: start + count - 1 },
    lines: lines.slice(0, count),
    cut: count < lines.length,
  };
}

/** How many of the lines fit. Most views fit by far, which their number of characters tells. */
function fitting(lines: readonly string[]): number {
  const overhead = lines.length * LINE_OVERHEAD_BYTES;
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  if (chars * CHARACTER_BYTES_MAX + overhead <= VIEWPORT_BYTES_MAX) return lines.length;
  let bytes = 0;
  let count = 0;
  for (const line of lines) {
    bytes += utf8Bytes(line) + LINE_OVERHEAD_BYTES;
    if (count > 0 && bytes > VIEWPORT_BYTES_MAX) break;
    count += 1;
  }
  return count;
}

/** Of UTF-8, for one of the 16-bit units that a string counts. */
const CHARACTER_BYTES_MAX = 3;
/** `L12345: ` and the line break. */
const LINE_OVERHEAD_BYTES = 12;
