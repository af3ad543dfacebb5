import { joinHyphenatedLines } from '#extract/pdf/hyphens.ts';
import type { PdfLine, Segment } from '#extract/pdf/segments.ts';
import type { TextStyle } from '#extract/pdf/style.ts';
import { edgesAndCentre, isNumeric, measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';

/** The header of one column: the cells below each other in it, from top to bottom. `y` is that of the topmost. */
type Stack = HorizontalSpan & { cells: readonly [Segment, ...Segment[]]; y: number };

/** Maximum lines of a header. Two lines next to a cell at their middle are three. */
const HEAD_LINES_MAX = 4;
/** Maximum distance between two lines of a header cell, in multiples of the text size. */
const LINE_PITCH_MAX = 1.45;
/** Maximum distance between two lines of a header cell, relative to the distance between the rows of the table. */
const CLOSE_MAX = 0.9;
/** Maximum distance between the edges or middles of two lines of a header cell, in multiples of the text size. */
const ALIGNED_MAX = 0.2;
/** Maximum distance between the middle of a name and that of the columns below it, in multiples of the text size. */
const CENTRED_MAX = 0.6;
/** The same if columns are exactly as wide as their widest cell. */
const EXACT_MAX = 0.12;
/** Maximum difference between gaps that count as equal, in multiples of the text size. */
const EQUAL_GAPS_MAX = 0.12;
/** Maximum distance of all names from the middle of their columns, in multiples of the text size. */
const SHIFT_MAX = 5;
/** Maximum distance between a name of several columns and their headers, relative to the distance between rows. */
const EVEN_MAX = 1.1;
/** Minimum distance of a header from the text above it, relative to the distance between its lines. */
const APART_MIN = 1.2;
const NAMES_MAX = 6;
const COLUMNS_MAX = 20;
/** Maximum tries to place names over columns. Real tables take far fewer; text of hostile sizes fits everywhere. */
const TRIES_MAX = 20_000;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const GOES_ON = /^[\p{Ll}(%]/u;

/**
 * Joins the lines of a header into one. A name above several columns is added to each of them. Returns `null` if the
 * header is one line or is not found, and `uncertain` if it is not clear which columns a name is above.
 */
export function joinHead(lines: readonly PdfLine[], style: TextStyle): PdfLine[] | 'uncertain' | null {
  const depth = headDepth(lines);
  if (depth < 2) return null;
  const body = lines.slice(depth);
  const stacks = stackCells(lines.slice(0, depth), body);
  const last = lines[depth - 1];
  if (stacks === null || last === undefined) return 'uncertain';
  const cells = stacks.map((stack) => joinStack(stack, style));
  const left = cells.reduce((least, cell) => Math.min(least, cell.left), Infinity);
  const right = cells.reduce((most, cell) => Math.max(most, cell.right), -Infinity);
  const joined = { text: cells.map(({ text }) => text).join('   '), plain: cells.map(({ plain }) => plain).join(' ') };
  return [{ ...last, ...joined, left, right, cells, isRow: true }, ...body];
}

/**
 * Returns the line at which a table begins that is found from line `from` on. Lines above are in it if they are in its
 * header: further lines of its cells, or names of its columns.
 * @param least first line that may be in the table
 */
export function headStart(
  lines: readonly PdfLine[],
  { from, to, least }: { from: number; to: number; least: number },
  style: TextStyle,
): number {
  let start = from;
  while (start > least && from - start < HEAD_LINES_MAX - 1) {
    const [line, next] = [lines[start - 1], lines[start]];
    if (line === undefined || next === undefined || line.ruled !== undefined) break;
    const pitch = next.y - line.y;
    const rows = lines.slice(start, to);
    const isClose = pitch <= LINE_PITCH_MAX * line.size;
    if (!isClose && (pitch < CLOSE_MAX * rowPitch(rows) || pitch > EVEN_MAX * rowPitch(rows))) break;
    if (isTextAbove(line, rows)) break;
    const above = lines[start - 2];
    if (above !== undefined && line.y - above.y < pitch * APART_MIN) break;
    const [without, joined] = [joinHead(rows, style), joinHead([line, ...rows], style)];
    if (without === 'uncertain' || joined === 'uncertain' || joined === null) break;
    // A name above the table is not the header of one more column.
    const most = joined.slice(1).reduce((max, { cells }) => Math.max(max, cells.length), 0);
    const count = joined[0]?.cells.length ?? 0;
    if (count > most && count > ((without ?? rows)[0]?.cells.length ?? 0)) break;
    start -= 1;
  }
  return start;
}

/** Returns the number of lines before the first row of the table, or 0 if it is unknown. */
function headDepth(lines: readonly PdfLine[]): number {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  const values = lines.findIndex((line) => hasValues(line, left));
  const limit = Math.min(HEAD_LINES_MAX, lines.length - 2);
  const own = ownFontDepth(lines);
  if (own > 0) return own <= limit && (values < 0 || values >= own) ? own : 0;
  return values >= 2 && values <= limit && isHead(lines, values) ? values : 0;
}

/** True for a row with numbers. Years may also be names of columns, unless the row has a name. */
function hasValues({ cells, left: start, size }: PdfLine, left: number): boolean {
  const isNamed = start <= left + size;
  return cells.some(
    ({ plain }, index) => (index > 0 || !isNamed) && isNumeric(plain) && (isNamed || !YEAR.test(plain)),
  );
}

/** Returns the number of first lines whose fonts no other line has. */
export function ownFontDepth(lines: readonly PdfLine[]): number {
  const fonts = new Set(lines.slice(Math.min(HEAD_LINES_MAX, lines.length - 1)).flatMap(fontsOf));
  const depth = lines.findIndex((line) => fontsOf(line).some((font) => fonts.has(font)));
  const own = new Set(lines.slice(0, Math.max(0, depth)).flatMap(fontsOf));
  return lines.slice(depth).some((line) => fontsOf(line).some((font) => own.has(font))) ? 0 : depth;
}

function fontsOf({ cells }: PdfLine): string[] {
  return cells.map(({ font }) => font);
}

/** True if the lines before the first values are one header, as opposed to a header and rows without values. */
function isHead(lines: readonly PdfLine[], depth: number): boolean {
  const pitch = rowPitch(lines.slice(depth));
  const numbers = lines.slice(depth).flatMap(({ cells }) => cells.slice(1).filter(({ plain }) => isNumeric(plain)));
  const head = lines.slice(0, depth);
  const most = head.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  const isUneven = head.some(({ cells }) => cells.length < most);
  return head.slice(1).every((line, index) => {
    if (line.y - (head[index]?.y ?? 0) < CLOSE_MAX * pitch || GOES_ON.test(line.cells[0]?.plain ?? '')) return true;
    return isUneven && line.cells.some((cell) => numbers.some((number) => measureOverlap(cell, number) > 0));
  });
}

/** Returns the median distance between two rows. */
function rowPitch(rows: readonly PdfLine[]): number {
  const pitches = rows.slice(1).map((line, index) => line.y - (rows[index]?.y ?? 0));
  return [...pitches].sort((one, other) => one - other)[Math.floor(pitches.length / 2)] ?? 0;
}

/** Returns the header of each column, or `null` if it is not clear which columns a name is above. */
function stackCells(head: readonly PdfLine[], body: readonly PdfLine[]): Stack[] | null {
  const stacks: Stack[] = [];
  const rowDistance = rowPitch(body);
  for (const [index, line] of [...head.entries()].reverse()) {
    const pitch = (head[index + 1]?.y ?? line.y) - line.y;
    // Names of several columns may be as far above the next line as a row. Lines of one cell are closer.
    const isApart = pitch > LINE_PITCH_MAX * line.size && pitch > CLOSE_MAX * rowDistance;
    const added = line.cells.filter((cell) => isOwnColumn(cell, stacks, body));
    const above = line.cells.filter((cell) => !added.includes(cell));
    const ranges = isApart ? null : placeEach(above, stacks, body);
    const ruled = rangesAboveLines(above, stacks, body);
    const names = above.length === 0 ? [] : chooseRanges(above, stacks, body);
    // Lines of three cells and the name of three columns look the same, unless the next line goes on in lower case.
    const isAmbiguous =
      names?.some(({ from, to }) => to > from) === true && ranges?.some(({ from }) => !goesOn(stacks[from])) === true;
    const chosen = ruled ?? (isAmbiguous ? null : (ranges ?? names));
    if (chosen === null) return null;
    for (const [at, range] of chosen.entries()) {
      const cell = above[at];
      if (cell !== undefined) for (const stack of stacks.slice(range.from, range.to + 1)) put(stack, cell, range);
    }
    for (const cell of added) stacks.push({ left: cell.left, right: cell.right, cells: [cell], y: line.y });
    stacks.sort((one, other) => one.left - other.left);
  }
  return stacks.length > COLUMNS_MAX ? null : stacks;
}

/** True for a line that begins above the first column and is wider, as a short line of text may be. */
function isTextAbove({ cells, left, size }: PdfLine, rows: readonly PdfLine[]): boolean {
  const right = rows.reduce((most, row) => Math.max(most, row.cells[0]?.right ?? 0), 0);
  const next = rows.reduce((least, row) => Math.min(least, row.cells[1]?.left ?? Infinity), Infinity);
  return left < Math.min(right, next) && (cells[0]?.right ?? 0) > right + size;
}

type Range = { from: number; to: number };

function goesOn(stack: Stack | undefined): boolean {
  return GOES_ON.test(stack?.cells[0]?.plain ?? '');
}

function put(stack: Stack, cell: Segment, { from, to }: Range): void {
  stack.cells = [cell, ...stack.cells];
  stack.y = cell.y;
  if (to > from) return;
  stack.left = Math.min(stack.left, cell.left);
  stack.right = Math.max(stack.right, cell.right);
}

/** True for the header of a column that has no lower line. */
function isOwnColumn(cell: Segment, stacks: readonly Stack[], body: readonly PdfLine[]): boolean {
  if (stacks.some((stack) => measureOverlap(stack, cell) > 0)) return false;
  if (stacks.length === 0) return true;
  return body.some(({ cells }) =>
    cells.some((one) => measureOverlap(one, cell) > 0 && stacks.every((stack) => measureOverlap(stack, one) <= 0)),
  );
}

/**
 * Returns the column of which each cell is a line; `null` if one is above several columns or not aligned with its
 * column.
 */
function placeEach(cells: readonly Segment[], stacks: readonly Stack[], body: readonly PdfLine[]): Range[] | null {
  const ranges: Range[] = [];
  for (const cell of cells) {
    const from = stacks.findIndex((stack) => measureOverlap(stack, cell) > 0);
    const only = stacks[from];
    const isSingle = only !== undefined && stacks.every((stack) => stack === only || measureOverlap(stack, cell) <= 0);
    if (!isSingle || !isAligned(only, cell, widthWithCells(only, stacks, body))) return null;
    ranges.push({ from, to: from });
  }
  return ranges;
}

function isAligned(stack: Stack, cell: Segment, column: HorizontalSpan): boolean {
  const edges = edgesAndCentre(cell);
  const isNear = (edge: number, kind: number) => Math.abs((edges[kind] ?? Infinity) - edge) <= ALIGNED_MAX * cell.size;
  return edgesAndCentre(stack).some(isNear) || edgesAndCentre(column).some(isNear);
}

/** Returns the columns below the line under each name; `null` if a name has none, or if its columns are not clear. */
function rangesAboveLines(
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
 * Returns the columns below each name, of which it is at the middle: the only choice with all columns, or the only
 * choice.
 */
function chooseRanges(names: readonly Segment[], stacks: readonly Stack[], body: readonly PdfLine[]): Range[] | null {
  if (names.length > NAMES_MAX || stacks.length > COLUMNS_MAX) return null;
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
function widthWithCells(stack: Stack, stacks: readonly Stack[], body: readonly PdfLine[]): HorizontalSpan {
  const width = { left: stack.left, right: stack.right };
  for (const cell of body.flatMap(({ cells }) => cells)) {
    if (measureOverlap(stack, cell) <= 0 || stacks.some((other) => other !== stack && measureOverlap(other, cell) > 0))
      continue;
    width.left = Math.min(width.left, cell.left);
    width.right = Math.max(width.right, cell.right);
  }
  return width;
}

function joinStack({ left, right, cells }: Stack, style: TextStyle): Segment {
  const [first, ...others] = cells;
  const { text, plain } = others.reduce(
    (above, next) => ({
      text: joinHyphenatedLines(above.text, next.text, style).join(''),
      plain: joinHyphenatedLines(above.plain, next.plain, style).join(''),
    }),
    { text: first.text, plain: first.plain },
  );
  return { ...(others.at(-1) ?? first), left, right, text, plain };
}
