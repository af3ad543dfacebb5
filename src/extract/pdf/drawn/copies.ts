import { accentedLetter } from './accents.ts';
import type { Glyph } from './drawn-text.ts';
import type { PdfTextRun } from './pieces.ts';
import { replaceRunText } from './seen-text.ts';
import type { NearbyGlyphs } from './seen-text.ts';

/**
 * Maximum distance between two copies of a text that together look bold, relative to the text size. Different texts are
 * farther apart.
 */
const COPY_DISTANCE = 0.12;
const REACH_MIN = 0.01;
/**
 * Combines row and column of a grid cell into one number. Each text is compared with those in its own cell and the
 * neighbouring cells.
 */
const ROWS = 1e6;
const BESIDE = [-1, 0, 1];
/** Minimum overlap of neighbouring letters drawn twice. Kerning moves letters by less. */
const OVERLAP_MIN = 0.15;
/** Minimum overlaps in a line for its letters to count as drawn twice. */
const OVERLAPS_MIN = 3;
const SAME_LINE = 0.1;

/** Removes text that repeats another in the same place. Without a bold font, programs draw text twice. */
export function removeRepeatedRuns(runs: readonly PdfTextRun[]): PdfTextRun[] {
  const found = new Map<string, Map<number, PdfTextRun>>();
  return runs.filter((run) => {
    if (run.str.trim() === '') return true;
    const reach = Math.max(COPY_DISTANCE * sizeOf(run), REACH_MIN);
    const [column, row] = [Math.floor(xOf(run) / reach), Math.floor(yOf(run) / reach)];
    const cell = (by: number, down: number) => (column + by) * ROWS + row + down;
    const same = found.get(run.str) ?? new Map<number, PdfTextRun>();
    found.set(run.str, same);
    const isCopy = BESIDE.some((by) =>
      BESIDE.some((down) => {
        const one = same.get(cell(by, down));
        return one !== undefined && Math.hypot(xOf(one) - xOf(run), yOf(one) - yOf(run)) <= reach;
      }),
    );
    if (!isCopy) same.set(cell(0, 0), run);
    return !isCopy;
  });
}

/** Returns lines whose letters are each drawn twice, as lists of their runs. */
export function findDoubledLines(runs: readonly PdfTextRun[]): PdfTextRun[][] {
  const lines: PdfTextRun[][] = [];
  let line: PdfTextRun[] = [];
  for (const run of runs) {
    if (run.str.trim() === '') continue;
    const last = line.at(-1);
    const isSameLine =
      last !== undefined &&
      Math.abs(yOf(last) - yOf(run)) <= SAME_LINE * sizeOf(run) &&
      xOf(run) >= xOf(last) &&
      run.transform[1] === 0;
    if (!isSameLine) {
      lines.push(line);
      line = [];
    }
    line.push(run);
  }
  return [...lines, line].filter((one) => overlapsIn(one) >= OVERLAPS_MIN);
}

function overlapsIn(line: readonly PdfTextRun[]): number {
  return line.filter((run, index) => {
    const before = line[index - 1];
    if (before === undefined || accentedLetter(before.str, run.str) !== null) return false;
    return xOf(before) + before.width - xOf(run) > OVERLAP_MIN * sizeOf(run);
  }).length;
}

/** Replaces each line with doubled letters by one run, which has each letter once. */
export function mergeDoubledLetters(
  runs: readonly PdfTextRun[],
  lines: readonly PdfTextRun[][],
  near: NearbyGlyphs,
): PdfTextRun[] {
  const single = new Map<PdfTextRun, PdfTextRun | null>();
  for (const line of lines) {
    const [first] = line;
    if (first === undefined) continue;
    const around = near.glyphs(first);
    if (around === null) break;
    const right = line.reduce((most, run) => Math.max(most, xOf(run) + run.width), -Infinity);
    const glyphs = once(
      around.filter(
        ({ x, y, text }) =>
          text.trim() !== '' &&
          Math.abs(y - yOf(first)) <= SAME_LINE * sizeOf(first) &&
          x >= xOf(first) - 1 &&
          x <= right,
      ),
    );
    if (glyphs.length === 0) continue;
    for (const run of line) single.set(run, null);
    const whole = { ...first, width: right - xOf(first) };
    single.set(first, replaceRunText(whole, glyphs, { isWide: false, hasSpaces: true }));
  }
  return runs.flatMap((run) => {
    const one = single.get(run);
    return one === undefined ? [run] : one === null ? [] : [one];
  });
}

function once(glyphs: readonly Glyph[]): Glyph[] {
  const seen: Glyph[] = [];
  for (const glyph of [...glyphs].sort((one, other) => one.x - other.x)) {
    const isCopy = seen
      .slice(-3)
      .some(({ text, x }) => text === glyph.text && glyph.x - x <= COPY_DISTANCE * glyph.size);
    if (!isCopy) seen.push(glyph);
  }
  return seen;
}

function xOf({ transform }: PdfTextRun): number {
  return transform[4] ?? 0;
}

function yOf({ transform }: PdfTextRun): number {
  return transform[5] ?? 0;
}

function sizeOf({ transform: [, , c = 0, d = 1] }: PdfTextRun): number {
  return Math.hypot(c, d);
}
