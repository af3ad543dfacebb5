import type { PdfLine, Segment } from '#extract/pdf/segments.ts';
import { measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';

/** The header of one column: the cells below each other in it, from top to bottom. `y` is that of the topmost. */
export type Stack = HorizontalSpan & { cells: readonly [Segment, ...Segment[]]; y: number };
export type Range = { from: number; to: number };

/** Maximum distance between the middle of a name and that of the columns below it, in multiples of the text size. */
const CENTRED_MAX = 0.6;
/** The same if columns are exactly as wide as their widest cell. */
const EXACT_MAX = 0.12;
/** Maximum difference between gaps that count as equal, in multiples of the text size. */
const EQUAL_GAPS_MAX = 0.12;
/** Maximum distance of all names from the middle of their columns, in multiples of the text size. */
const SHIFT_MAX = 5;
const NAMES_MAX = 6;
/** Maximum tries to place names over columns. Real tables take far fewer; text of hostile sizes fits everywhere. */
const TRIES_MAX = 20_000;
/** Maximum distance between the edges or middles of two lines of a header cell, in multiples of the text size. */
export const ALIGNED_MAX = 0.2;
export const HEAD_COLUMNS_MAX = 20;

/** Returns the columns below the line under each name; `null` if a name has none, or if its columns are not clear. */
export function rangesAboveLines(
  names: readonly Segment[],
  stacks: readonly Stack[],
  body: readonly PdfLine[],
): Range[] | null {
  const columns = stacks.map((stack) => widthWithCells(stack, stacks, body));
  const ranges: Range[] = [];
  for (const name of names) {
    const { underline, left: start, right: end, size } = name;
    // A line as long as the name only underlines it.
    if (underline === undefined || underline.to - underline.from < end - start + size) return null;
    // Lines that touch are one line: the names above it divide its columns among them.
    const above = names.filter((other) => other.underline === underline);
    if (above[0] !== name) continue;
    const isBelow = ({ left, right }: HorizontalSpan) =>
      (left + right) / 2 > underline.from && (left + right) / 2 < underline.to;
    const [from, to] = [columns.findIndex(isBelow), columns.findLastIndex(isBelow)];
    if (from < 1 || from <= (ranges.at(-1)?.to ?? 0)) return null;
    const divided = divideColumns(above, columns, { from, to });
    if (divided === null) return null;
    ranges.push(...divided);
  }
  return ranges.length === 0 ? null : ranges;
}

/** Divides columns among the names above them, of which each is at the left edge or in the middle of its columns. */
function divideColumns(
  names: readonly Segment[],
  columns: readonly HorizontalSpan[],
  { from, to }: Range,
): Range[] | null {
  if (names.length === 1) return [{ from, to }];
  const starts = names.map(({ left, size }) =>
    columns.findIndex((column) => Math.abs(column.left - left) <= ALIGNED_MAX * size),
  );
  if (starts[0] === from && starts.every((start, index) => start > (starts[index - 1] ?? 0) && start <= to))
    return starts.map((start, index) => ({ from: start, to: (starts[index + 1] ?? to + 1) - 1 }));
  const ranges: Range[] = [];
  for (const { left, right, size } of names) {
    const first = (ranges.at(-1)?.to ?? from - 1) + 1;
    const end = left + right - (columns[first]?.left ?? 0);
    const last = columns.findIndex(
      (column, index) => index >= first && Math.abs(column.right - end) <= 2 * CENTRED_MAX * size,
    );
    if (last < first) return null;
    ranges.push({ from: first, to: last });
  }
  return ranges.at(-1)?.to === to ? ranges : null;
}

/**
 * Returns the columns below each name if the names of the columns repeat below it: `2022 2023 2022 2023` below two
 * names. Returns `null` if they do not repeat, or repeat at several places.
 */
export function rangesAboveRepeated(names: readonly Segment[], stacks: readonly Stack[]): Range[] | null {
  const groups = names.length;
  if (groups < 2 || stacks.length > HEAD_COLUMNS_MAX) return null;
  const found: Range[][] = [];
  for (let size = 2; size * groups <= stacks.length; size += 1) {
    for (let first = 0; first + size * groups <= stacks.length; first += 1) {
      const below = stacks.slice(first, first + size * groups);
      const texts = below.map(({ cells }) => cells.map(({ plain }) => plain).join(' '));
      const isRepeated = texts.every((text, at) => text === texts[at % size]);
      if (!isRepeated || new Set(texts).size < size) continue;
      const ranges = names.map((_, at) => ({ from: first + at * size, to: first + (at + 1) * size - 1 }));
      if (names.every((name, at) => isAboveOnly(name, stacks, ranges[at]))) found.push(ranges);
    }
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : only;
}

/** True if a name is above some of its columns and above no other. */
function isAboveOnly(name: Segment, stacks: readonly Stack[], { from, to }: Range = { from: 0, to: 0 }): boolean {
  const [left, right] = [stacks[from]?.left ?? 0, stacks[to]?.right ?? 0];
  if (name.left >= right || name.right <= left) return false;
  return stacks.every((stack, at) => (at >= from && at <= to) || measureOverlap(stack, name) <= 0);
}

/**
 * Returns all columns of the lowest line for a single name above it, if other columns have their name higher: a column
 * without the name of a group would not have its own in the lowest line.
 * @param added headers in the line of the name
 */
export function rangeAboveLowest(
  names: readonly Segment[],
  stacks: readonly Stack[],
  added: readonly Segment[],
): Range[] | null {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return null;
  const lowest = stacks.reduce((most, { y }) => Math.max(most, y), 0);
  const from = stacks.findIndex(({ y }) => y === lowest);
  const to = stacks.findLastIndex(({ y }) => y === lowest);
  const below = stacks.slice(from, to + 1);
  if (below.length < 2 || below.some(({ y }) => y < lowest)) return null;
  const left = below[0]?.left ?? 0;
  // The name of the first column is in another line, as are those of all columns without a group.
  const isFirstHigher = from > 0 || added.some((cell) => cell.right <= left);
  const middle = (name.left + name.right) / 2;
  const isAmong = middle > left && middle < (below.at(-1)?.right ?? 0);
  return isFirstHigher && isAmong && isAboveOnly(name, stacks, { from, to }) ? [{ from, to }] : null;
}

/**
 * Returns the columns below each name, of which it is at the middle: the only choice with all columns, or the only
 * choice.
 */
export function chooseRanges(
  names: readonly Segment[],
  stacks: readonly Stack[],
  body: readonly PdfLine[],
): Range[] | null {
  if (names.length > NAMES_MAX || stacks.length > HEAD_COLUMNS_MAX) return null;
  const columns = stacks.map((stack) => ({ y: stack.y, ...widthWithCells(stack, stacks, body) }));
  const lowest = stacks.reduce((most, { y }) => Math.max(most, y), 0);
  const tries = { left: TRIES_MAX };
  const choices = choose(names, columns, { first: 1, shift: null, tries });
  if (tries.left <= 0) return null;
  const isAtLeft = (name: Segment | undefined, column: HorizontalSpan | undefined) =>
    name !== undefined && column !== undefined && Math.abs(column.left - name.left) <= ALIGNED_MAX * name.size;
  if (haveEqualGaps(columns, names[0]?.size ?? 0)) {
    const [only, ...more] = choices.filter((ranges) =>
      ranges.every(
        ({ from, shift }, at) =>
          Math.abs(shift) <= EXACT_MAX &&
          columns.every((column, index) => index === from || !isAtLeft(names[at], column)),
      ),
    );
    if (only !== undefined && more.length === 0) return only;
  }
  // Names at the left edge of their first column do not show their last one.
  if (names.every((name) => columns.some((column) => isAtLeft(name, column)))) return null;
  const all = stacks.slice(1).filter(({ y }) => y === lowest).length;
  const isWhole = (ranges: readonly Range[]) => ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0) === all;
  const exact = choices.filter((ranges) => ranges.every(({ shift }) => Math.abs(shift) <= CENTRED_MAX));
  const whole = exact.filter(isWhole);
  // Columns may be wider than their cells show: then all names are at the same distance from the middle.
  if (whole.length === 0 && choices.some((ranges) => !exact.includes(ranges) && isWhole(ranges))) return null;
  const [chosen, ...others] = whole.length > 0 ? whole : exact;
  return others.length > 0 ? null : (chosen ?? null);
}

/** True if columns are exactly as wide as their widest cell, because all gaps between them are equal. */
function haveEqualGaps(columns: readonly HorizontalSpan[], size: number): boolean {
  const gaps = columns.slice(1).map(({ left }, index) => left - (columns[index]?.right ?? 0));
  return gaps.length > 1 && Math.max(...gaps) - Math.min(...gaps) <= EQUAL_GAPS_MAX * size;
}

type Placed = Range & { shift: number };

/** Returns all ways to give each name successive columns, at the same distance (`shift`) from their middle. */
function choose(
  names: readonly Segment[],
  columns: readonly (HorizontalSpan & { y: number })[],
  { first, shift, tries }: { first: number; shift: number | null; tries: { left: number } },
): Placed[][] {
  const [name, ...others] = names;
  if (name === undefined) return [[]];
  const found: Placed[][] = [];
  for (const [from, { left, y }] of columns.entries()) {
    if (from < first) continue;
    for (let to = from; columns[to]?.y === y && tries.left > 0; to += 1) {
      tries.left -= 1;
      const right = columns[to]?.right ?? 0;
      const own = (left + right - name.left - name.right) / (2 * name.size);
      const isInside = name.left < right && name.right > left;
      if (!isInside || Math.abs(own) > SHIFT_MAX || Math.abs(own - (shift ?? own)) > CENTRED_MAX) continue;
      for (const rest of choose(others, columns, { first: to + 1, shift: shift ?? own, tries })) {
        found.push([{ from, to, shift: own }, ...rest]);
      }
    }
  }
  return found;
}

/** Returns the width of a column: that of its header and of all its cells. */
export function widthWithCells(stack: Stack, stacks: readonly Stack[], body: readonly PdfLine[]): HorizontalSpan {
  const width = { left: stack.left, right: stack.right };
  for (const cell of body.flatMap(({ cells }) => cells)) {
    if (measureOverlap(stack, cell) <= 0 || stacks.some((other) => other !== stack && measureOverlap(other, cell) > 0))
      continue;
    width.left = Math.min(width.left, cell.left);
    width.right = Math.max(width.right, cell.right);
  }
  return width;
}
