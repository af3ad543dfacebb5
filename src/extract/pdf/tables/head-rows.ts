import { joinHyphenatedLines } from '#extract/pdf/hyphens.ts';
import type { PdfLine, Segment } from '#extract/pdf/segments.ts';
import type { TextStyle } from '#extract/pdf/style.ts';
import { edgesAndCentre, isNumeric, measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';
import {
  ALIGNED_MAX,
  chooseRanges,
  HEAD_COLUMNS_MAX,
  rangeAboveLowest,
  rangesAboveLines,
  rangesAboveRepeated,
  widthWithCells,
} from './group-names.ts';
import type { Range, Stack } from './group-names.ts';

/** Maximum lines of a header. Three lines next to two at their middle are five. */
const HEAD_LINES_MAX = 6;
/** Maximum lines of a header that is known by its font alone. */
const OWN_FONT_LINES_MAX = 4;
/** Maximum distance between two lines of a header cell, in multiples of the text size. */
const LINE_PITCH_MAX = 1.45;
/** Maximum distance between two lines of a header cell, relative to the distance between the rows of the table. */
const CLOSE_MAX = 0.9;
/** Maximum distance between a name of several columns and their headers, relative to the distance between rows. */
const EVEN_MAX = 1.1;
/** Minimum distance of a header from the text above it, relative to the distance between its lines. */
const APART_MIN = 1.2;
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
  const values = lines.findIndex((line, index) => hasValues(line, left) && !areYearsBelowNames(lines, index));
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

/** True for a line of years that repeat, as often as the line above has names: `2022 2023 2022 2023` below two names. */
function areYearsBelowNames(lines: readonly PdfLine[], index: number): boolean {
  if (index === 0 || index >= HEAD_LINES_MAX) return false;
  const years = (lines[index]?.cells ?? []).slice(1).map(({ plain }) => plain);
  const names = (lines[index - 1]?.cells ?? []).filter(({ left }) => left > (lines[index]?.cells[0]?.right ?? 0));
  const size = years.length / names.length;
  if (names.length < 2 || size < 2 || !Number.isInteger(size) || names.some(({ plain }) => isNumeric(plain)))
    return false;
  const isRising = years.slice(1, size).every((year, at) => Number(year) > Number(years[at]));
  return isRising && years.every((year, at) => YEAR.test(year) && year === years[at % size]);
}

/** Returns the number of first lines whose fonts no other line has. */
export function ownFontDepth(lines: readonly PdfLine[]): number {
  const fonts = new Set(lines.slice(Math.min(OWN_FONT_LINES_MAX, lines.length - 1)).flatMap(fontsOf));
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
    const groups =
      rangesAboveRepeated(above, stacks) ?? (ranges === null ? rangeAboveLowest(above, stacks, added) : null);
    const chosen = ruled ?? groups ?? (isAmbiguous ? null : (ranges ?? names));
    if (chosen === null) return null;
    for (const [at, range] of chosen.entries()) {
      const cell = above[at];
      if (cell !== undefined) for (const stack of stacks.slice(range.from, range.to + 1)) put(stack, cell, range);
    }
    for (const cell of added) stacks.push({ left: cell.left, right: cell.right, cells: [cell], y: line.y });
    stacks.sort((one, other) => one.left - other.left);
  }
  return stacks.length > HEAD_COLUMNS_MAX ? null : stacks;
}

/** True for a line that begins above the first column and is wider, as a short line of text may be. */
function isTextAbove({ cells, left, size }: PdfLine, rows: readonly PdfLine[]): boolean {
  const right = rows.reduce((most, row) => Math.max(most, row.cells[0]?.right ?? 0), 0);
  const next = rows.reduce((least, row) => Math.min(least, row.cells[1]?.left ?? Infinity), Infinity);
  return left < Math.min(right, next) && (cells[0]?.right ?? 0) > right + size;
}

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
