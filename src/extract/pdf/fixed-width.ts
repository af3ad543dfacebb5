import type { PdfTextRun } from '#extract/pdf/drawn/pieces.ts';
import { estimateCharacterWidth } from '#extract/pdf/tables/word-places.ts';

/** Least and largest mean width of the characters of a run. */
type WidthRange = { least: number; most: number };

/** Minimum runs of a font from which their widths are compared. */
const RUNS_MIN = 3;
/** Minimum range of the widths that a proportional font would have, as a share of the largest. */
const EXPECTED_RANGE_MIN = 0.08;
/** Maximum range of the widths of a monospaced font, as a share of the largest. Spaces may be a little wider or narrower. */
const RANGE_MAX = 0.01;

/**
 * Sets `mono` for Latin fonts whose characters all have the same width. Some programs, such as Ghostscript, do not
 * declare them as monospaced.
 */
export function markMonospaced(runs: PdfTextRun[]): PdfTextRun[] {
  const fonts = new Map<string, { count: number; drawn: WidthRange; expected: WidthRange }>();
  for (const { str, width, transform, font, mono } of runs) {
    if (mono || !/[a-z]/i.test(str)) continue;
    const of = fonts.get(font) ?? { count: 0, drawn: noWidths(), expected: noWidths() };
    fonts.set(font, of);
    of.count += 1;
    const characters = Array.from(str);
    const [a = 0, b = 0] = transform;
    add(of.drawn, width / Math.hypot(a, b) / characters.length);
    add(of.expected, characters.reduce((sum, one) => sum + estimateCharacterWidth(one), 0) / characters.length);
  }
  const fixed = new Set<string>();
  for (const [font, { count, drawn, expected }] of fonts) {
    if (count >= RUNS_MIN && rangeOf(expected) >= EXPECTED_RANGE_MIN && rangeOf(drawn) <= RANGE_MAX) fixed.add(font);
  }
  return fixed.size === 0 ? runs : runs.map((run) => (fixed.has(run.font) ? { ...run, mono: true } : run));
}

function noWidths(): WidthRange {
  return { least: Infinity, most: 0 };
}

function add(range: WidthRange, width: number): void {
  range.least = Math.min(range.least, width);
  range.most = Math.max(range.most, width);
}

/** Returns the range as a share of the largest width. */
function rangeOf({ least, most }: WidthRange): number {
  return (most - least) / most;
}
