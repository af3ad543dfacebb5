import { FORM_VALUE_FONT } from '#extract/pdf/drawn/annotations.ts';
import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import type { DrawnLine } from '#extract/pdf/drawn/path-boxes.ts';
import { edgesAndCentre, isNumeric, LIST_ITEM_MARK_PATTERN, measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';
import { columnAt, findOpenBlocks, spanOf } from './open-blocks.ts';
import type { CellLine, OpenBlock } from './open-blocks.ts';
import type { RuledGrid } from './ruled-grids.ts';
import { areManyWords, goesOnIn, isFull, isMostly, RUNNING_SHARE_MIN } from './running-text.ts';

/** Successive lines of one column that are as close as lines of running text. */
type Chunk = { column: number; top: number; bottom: number; lines: CellLine[] };
/** The chunks of a row. Their heights overlap, whether they are aligned at the top, the middle or the bottom. */
type Row = Chunk[];

/** Maximum distance between two lines of a cell, relative to the smallest distance of two lines in a column. */
const EVEN_PITCH_MAX = 1.02;
/** Distance between two rows, relative to that of two lines of a cell, that shows where rows begin. */
const CLEAR_PITCH_MIN = 1.15;
/** Maximum distance of two lines of a cell whose rows are as close, in multiples of the text size. */
const CLOSE_PITCH_MAX_EM = 1.45;
/** Height of a line of text above and below its baseline, in multiples of the text size. */
const ASCENT = 0.75;
const DESCENT = 0.22;
/** Maximum vertical distance of texts on one baseline, in multiples of the text size. */
const SAME_BASELINE_EM = 0.1;
/** Maximum distance between names of several columns and the header below them, in multiples of the text size. */
const NAMES_PITCH_MAX_EM = 2.5;
const ROWS_MIN = 3;
/** Minimum share of cells that have text. */
const FILLED_MIN = 0.5;
/** Minimum share of a column's cells that share an edge or their middle. */
const ALIGNED_MIN = 0.8;
/** Maximum distance between the edges of cells in one column, in multiples of the text size. */
const ALIGNED_MAX_EM = 0.2;
/** Minimum share of the table's width that a line below its header covers. */
const UNDERLINE_MIN = 0.5;
/** Minimum share of rows that the page draws after the row above them. */
const IN_ORDER_MIN = 0.7;
/** Minimum mean number of words in cells with sentences. */
const SENTENCE_WORDS_MIN = 6;
/** Minimum entries of a table of contents. */
const CONTENTS_ROWS_MIN = 4;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const LABEL_END = /:$/;

/**
 * Finds tables without drawn lines that have two columns, or cells of several lines. Others are found in the lines of a
 * page. `others`: the pieces of text outside the tables.
 */
export function findOpenGrids(
  pieces: readonly PdfPiece[],
  across: readonly DrawnLine[],
): { grids: RuledGrid[]; others: readonly PdfPiece[] } {
  const grids: RuledGrid[] = [];
  const taken = new Set<PdfPiece>();
  const order = new Map(pieces.map((piece, index) => [piece, index]));
  for (const block of findOpenBlocks(pieces)) {
    const grid = toGrid(block, across, order);
    if (grid === null) continue;
    grids.push(grid);
    for (const piece of grid.rows.flat().flatMap((cell) => cell.pieces)) taken.add(piece);
  }
  return { grids, others: taken.size === 0 ? pieces : pieces.filter((piece) => !taken.has(piece)) };
}

function toGrid(
  block: OpenBlock,
  across: readonly DrawnLine[],
  order: ReadonlyMap<PdfPiece, number>,
): RuledGrid | null {
  const pieces = block.lines.flat().flatMap((line) => line.pieces);
  if (pieces.some(({ rtl, font }) => rtl || font === FORM_VALUE_FONT) || pieces.every(({ mono }) => mono)) return null;
  const columns = joinColumns(block);
  if (columns.length < 2 || hasNamesAbove(block, columns)) return null;
  const rows = rowsOf(block.lines, columns);
  if (rows === null || !isTable(rows, columns) || !hasHead(rows, columns, across)) return null;
  if (isRunningText(rows, columns)) return null;
  if (mayHaveNames(rows[0] ?? []) || !isDrawnByRow(rows, order) || isContents(rows, columns)) return null;
  return {
    left: columns[0]?.left ?? 0,
    right: columns.at(-1)?.right ?? 0,
    columns: columns.length,
    rows: rows.map((row) =>
      row
        .map(({ column, lines }) => ({ from: column, to: column, pieces: lines.flatMap((line) => line.pieces) }))
        .sort((one, other) => one.from - other.from),
    ),
  };
}

/** True if the line above may have names of several columns each, which are added to those of the columns. */
function hasNamesAbove({ above, lines: [head = []] }: OpenBlock, columns: readonly HorizontalSpan[]): boolean {
  const [first, second] = columns;
  if (first === undefined || second === undefined || above.length === 0 || above.length >= columns.length) return false;
  const pitch = (head[0]?.y ?? Infinity) - (above[0]?.y ?? 0);
  const names = above.filter(({ left }) => left > first.right);
  const isHead = above.every(({ right }, at) => at > 0 || names.length === above.length || right < second.left);
  const isOverSeveral = names.some((name) => columns.filter((column) => measureOverlap(column, name) > 0).length > 1);
  const areWords = above.every(({ text }) => !isNumeric(text));
  return (
    pitch <= NAMES_PITCH_MAX_EM * (head[0]?.size ?? 0) && isHead && areWords && (names.length > 1 || isOverSeveral)
  );
}

/** Joins a header and the cells below it that are not at the same place: only one of them has text in each line. */
function joinColumns({ columns, lines }: OpenBlock): HorizontalSpan[] {
  const joined: HorizontalSpan[] = [];
  const [head] = lines;
  const linesIn = (span: HorizontalSpan) => lines.filter((row) => row.some((line) => measureOverlap(span, line) > 0));
  for (const column of columns) {
    const last = joined.at(-1);
    const [before, own] = [last === undefined ? [] : linesIn(last), linesIn(column)];
    const [short, long] = before.length < own.length ? [before, own] : [own, before];
    const isHead = head !== undefined && short.length === 1 && short[0] === head && !long.includes(head);
    if (last !== undefined && isHead) last.right = column.right;
    else joined.push({ ...column });
  }
  return joined;
}

/** Returns the rows of a block: lines that are close are one row if some cells have more of them than others. */
function rowsOf(lines: readonly CellLine[][], columns: readonly HorizontalSpan[]): Row[] | null {
  const byColumn = columns.map((): CellLine[] => []);
  for (const line of lines.flat()) byColumn[columnAt(columns, line)]?.push(line);
  const pitches = byColumn.flatMap((own) => own.slice(1).map((line, index) => line.y - (own[index]?.y ?? 0)));
  const least = Math.min(...pitches);
  const rows = joinChunks(byColumn.flatMap((own, column) => chunksOf(own, column, least * EVEN_PITCH_MAX)));
  const between = pitches.filter((pitch) => pitch > least * EVEN_PITCH_MAX);
  if (areWrapped(rows, columns, between, least)) return rows;
  const anchored = rowsByFirst(lines, columns) ?? rowsByMiddle(byColumn, lines[0] ?? []);
  if (anchored !== null) return anchored;
  if (columns.length > 2 && !areDrawnApart(lines)) return null;
  return joinChunks(byColumn.flatMap((own, column) => chunksOf(own, column, 0)));
}

/**
 * Returns rows whose cells all have their middle at the height of the text in the first column: the rows of some
 * programs are as close as lines of one cell. Returns `null` for other lines, and if no cell has an even number of them.
 */
function rowsByMiddle(
  [first = [], ...others]: readonly (readonly CellLine[])[],
  head: readonly CellLine[],
): Row[] | null {
  const rows = first.map((line): Row => chunksOf([line], 0, 0));
  if (rows.length < ROWS_MIN || head[0] !== first[0]) return null;
  let tall = 0;
  for (const [index, lines] of others.entries()) {
    let from = 0;
    for (const [at, { y, size }] of first.entries()) {
      let sum = 0;
      let to = from;
      // The mean of successive lines rises with each line, so at most one number of lines has its middle here.
      while (to < lines.length && sum + (lines[to]?.y ?? 0) - y <= SAME_BASELINE_EM * size * (to - from + 1)) {
        sum += (lines[to]?.y ?? 0) - y;
        to += 1;
      }
      if (to === from) continue;
      if (Math.abs(sum) > SAME_BASELINE_EM * size * (to - from)) return null;
      rows[at]?.push(...chunksOf(lines.slice(from, to), index + 1, Infinity));
      // An odd number of lines may also belong to the rows around this one.
      if ((to - from) % 2 === 0) tall += 1;
      from = to;
    }
    if (from < lines.length) return null;
  }
  const areApart = rows.slice(1).every((row, index) => topOf(row) > bottomOf(rows[index] ?? []));
  return tall > 0 && areApart ? rows : null;
}

/**
 * Returns rows that begin where the first column has text, if each other line continues the cells above it: the rows of
 * some programs are as close as lines of one cell. Returns `null` if there are no other lines.
 */
function rowsByFirst(lines: readonly (readonly CellLine[])[], columns: readonly HorizontalSpan[]): Row[] | null {
  const rows: Row[] = [];
  for (const line of lines) {
    const own = line.map((text) => ({ text, column: columnAt(columns, text) }));
    const row = rows.at(-1) ?? [];
    const above = own.map(({ column }) => row.find((chunk) => chunk.column === column));
    const goesOn = own.every(({ text, column }, index) => {
      const before = above[index]?.lines.at(-1);
      const isClose = before !== undefined && text.y - before.y <= CLOSE_PITCH_MAX_EM * text.size;
      return isClose && !isNumeric(text.text) && !isNumeric(before.text) && isFull(before, text, columns[column]);
    });
    if (own.some(({ column, text }) => column === 0 && !/^[\p{Ll}(]/u.test(text.text)) || row.length === 0) {
      rows.push(own.flatMap(({ text, column }) => chunksOf([text], column, 0)));
    } else if (goesOn) for (const [index, { text }] of own.entries()) above[index]?.lines.push(text);
    else return null;
  }
  return rows.length < lines.length ? rows : null;
}

/** True if the page draws each text apart from the one to its left. */
function areDrawnApart(lines: readonly (readonly CellLine[])[]): boolean {
  const isApart = ({ pieces: [first] }: CellLine) => first?.isApart === true;
  return lines.every((row) => row.slice(1).every(isApart));
}

function chunksOf(lines: readonly CellLine[], column: number, pitchMax: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (const line of lines) {
    const last = chunks.at(-1);
    const bottom = line.y + DESCENT * line.size;
    if (last !== undefined && line.y - (last.lines.at(-1)?.y ?? 0) <= pitchMax) {
      last.lines.push(line);
      last.bottom = bottom;
    } else chunks.push({ column, top: line.y - ASCENT * line.size, bottom, lines: [line] });
  }
  return chunks;
}

function joinChunks(chunks: readonly Chunk[]): Row[] {
  const rows: Row[] = [];
  let bottom = -Infinity;
  for (const chunk of [...chunks].sort((one, other) => one.top - other.top)) {
    if (chunk.top >= bottom) rows.push([]);
    rows.at(-1)?.push(chunk);
    bottom = Math.max(bottom, chunk.bottom);
  }
  return rows;
}

/** True if the lines of each cell continue each other, and the rows are farther apart than lines of a cell. */
function areWrapped(
  rows: readonly Row[],
  columns: readonly HorizontalSpan[],
  between: readonly number[],
  pitch: number,
): boolean {
  const tall = rows.filter((row) => row.some(({ lines }) => lines.length > 1));
  if (rows.length < ROWS_MIN || tall.length === 0) return false;
  const isUneven = (row: Row) => new Set(row.map(({ lines }) => lines.length)).size > 1;
  const isClear = Math.min(...between) >= CLEAR_PITCH_MIN * pitch;
  const uneven = tall.filter((row) => isUneven(row) || row === rows[0]);
  if (isClear ? uneven.length === 0 : uneven.length < tall.length) return false;
  const ends = rows
    .flat()
    .flatMap(({ column, lines }) => lines.slice(1).map((line, index) => ({ column, line, above: lines[index] })));
  if (ends.some(({ line, above }) => isNumeric(line.text) && isNumeric(above?.text ?? ''))) return false;
  const full = ends.filter(({ column, line, above }) => above !== undefined && isFull(above, line, columns[column]));
  return isClear ? full.length * 2 >= ends.length : full.length === ends.length;
}

function isTable(rows: readonly Row[], columns: readonly HorizontalSpan[]): boolean {
  const body = rows.slice(1);
  if (rows.length < ROWS_MIN || rows.some((row) => new Set(row.map(({ column }) => column)).size < row.length))
    return false;
  if (rows.flat().length < FILLED_MIN * rows.length * columns.length || body.some((row) => row.length < 2))
    return false;
  const first = body.flatMap((row) =>
    row.filter(({ column }) => column === 0).map(({ lines }) => lines[0]?.text ?? ''),
  );
  if (first.every((text) => LIST_ITEM_MARK_PATTERN.test(text.trim()))) return false;
  if (columns.length === 2 && first.some((text) => LABEL_END.test(text.trim()))) return false;
  return columns.every((_, column) => {
    const cells = body.flatMap((row) => row.filter((chunk) => chunk.column === column));
    // Sheets align numbers and words of one column at different edges.
    const numbers = cells.filter((cell) => isNumeric(textOf(cell)));
    return areAligned(cells) || (areAligned(numbers) && areAligned(cells.filter((cell) => !numbers.includes(cell))));
  });
}

/** True for running text next to other text, as in a newsletter: most cells continue a sentence of the cell above. */
function isRunningText(rows: readonly Row[], columns: readonly HorizontalSpan[]): boolean {
  const body = rows.slice(1);
  const cells = columns.map((_, column) => body.flatMap((row) => row.filter((chunk) => chunk.column === column)));
  if (areSentences(cells[0] ?? [])) return true;
  const continued = cells.map((own, column) => countContinued(own, columns[column]));
  if (rows.flat().every(({ lines }) => lines.length === 1)) {
    return cells.some((own, column) => isMostly(continued[column] ?? 0, own.length));
  }
  if (areClearlyApart(rows)) return false;
  // Rows may begin where the first column begins a sentence: the other columns show if sentences go on.
  const others = cells.slice(1).reduce((sum, own) => sum + Math.max(0, own.length - 1), 0);
  return continued.slice(1).reduce((sum, count) => sum + count, 0) > RUNNING_SHARE_MIN * others;
}

/** True if all rows are farther apart than the lines of a cell. */
function areClearlyApart(rows: readonly Row[]): boolean {
  const pitches = rows.flatMap((row) =>
    row.flatMap(({ lines }) => lines.slice(1).map((line, index) => line.y - (lines[index]?.y ?? 0))),
  );
  const gaps = rows.slice(1).map((row, index) => topOf(row) - bottomOf(rows[index] ?? []));
  return Math.min(...gaps) >= CLEAR_PITCH_MIN * Math.min(...pitches);
}

function topOf(row: Row): number {
  return Math.min(...row.flatMap(({ lines }) => lines.map(({ y }) => y)));
}

function bottomOf(row: Row): number {
  return Math.max(...row.flatMap(({ lines }) => lines.map(({ y }) => y)));
}

/** True for cells with sentences, which the first column of a table hardly ever has. */
function areSentences(cells: readonly Chunk[]): boolean {
  const texts = cells.map(textOf);
  const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0);
  return (
    words >= SENTENCE_WORDS_MIN * texts.length &&
    texts.filter((text) => /[.!?](?:\s|$)/.test(text)).length * 2 >= texts.length
  );
}

function countContinued(cells: readonly Chunk[], column: HorizontalSpan | undefined): number {
  if (!areManyWords(cells.map(textOf))) return 0;
  return cells.slice(1).filter(({ lines: [next] }, index) => {
    const line = cells[index]?.lines.at(-1);
    return line !== undefined && next !== undefined && goesOnIn(next, line, column);
  }).length;
}

/**
 * True if the page draws the header first, or one row after the other. It draws text in columns, or lists next to each
 * other, by column.
 */
function isDrawnByRow(rows: readonly Row[], order: ReadonlyMap<PdfPiece, number>): boolean {
  const places = rows.map((row) =>
    row.flatMap(({ lines }) => lines.flatMap((line) => line.pieces.map((piece) => order.get(piece) ?? 0))),
  );
  const [head = [], ...body] = places;
  if (Math.max(...head) < Math.min(...body.flat())) return true;
  const inOrder = places.slice(1).filter((own, index) => Math.min(...own) > Math.max(...(places[index] ?? [])));
  return inOrder.length >= IN_ORDER_MIN * (rows.length - 1);
}

/** True for two columns of which the second has rising page numbers. */
function isContents(rows: readonly Row[], columns: readonly HorizontalSpan[]): boolean {
  if (columns.length > 2 || rows.length <= CONTENTS_ROWS_MIN) return false;
  const cells = rows.slice(1).map((row) => [...row].sort((one, other) => one.column - other.column).map(textOf));
  const pages = cells.map(([, page = '']) => (/^\d{1,4}$/.test(page) ? Number(page) : NaN));
  return (
    cells.every(([title = '']) => /\p{L}{2}/u.test(title)) &&
    pages.every((page, index) => page >= (pages[index - 1] ?? 0))
  );
}

/** True if most cells share their left edge, right edge or middle. */
function areAligned(cells: readonly Chunk[]): boolean {
  const edges = cells.map(({ lines }) => ({ size: lines[0]?.size ?? 0, at: edgesAndCentre(spanOf(lines)) }));
  return [0, 1, 2].some((kind) => {
    const sorted = edges.map(({ at }) => at[kind] ?? 0).sort((one, other) => one - other);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const aligned = edges.filter(({ at, size }) => Math.abs((at[kind] ?? 0) - median) <= ALIGNED_MAX_EM * size);
    return aligned.length >= ALIGNED_MIN * edges.length;
  });
}

/**
 * True if the first row has a name for each column and differs from the others: it has its own font, a line below it,
 * or words above numbers.
 */
function hasHead(rows: readonly Row[], columns: readonly HorizontalSpan[], across: readonly DrawnLine[]): boolean {
  const [head = [], ...body] = rows;
  const named = new Set(head.map(({ column }) => column));
  if (columns.some((_, column) => !named.has(column) && (column > 0 || columns.length < ROWS_MIN))) return false;
  const names = head.map((chunk) => textOf(chunk));
  if (names.some((name) => isNumeric(name)) && names.slice(1).some((name) => !YEAR.test(name))) return false;
  const fonts = new Set(body.flat().flatMap(({ lines }) => lines.map(({ font }) => font)));
  if (head.every(({ lines }) => lines.every(({ font }) => !fonts.has(font)))) return true;
  if (isUnderlined(rows, columns, across)) return true;
  const cells = rows.map((row) => row.map(({ lines: [first] }) => first).filter((line) => line !== undefined));
  if (columns.length > 2 && areDrawnApart(cells)) return true;
  const numeric = columns.map((_, column) =>
    body.flatMap((row) => row.filter((chunk) => chunk.column === column)).every((chunk) => isNumeric(textOf(chunk))),
  );
  return numeric.some(Boolean) && (columns.length > 2 || numeric.every(Boolean) || rows.length > ROWS_MIN);
}

/** True if texts of a header may be names of several columns: they are above the line in which every column has text. */
function mayHaveNames(head: Row): boolean {
  const last = Math.max(...head.map(({ lines }) => lines.at(-1)?.y ?? 0));
  const isInLast = head.every(({ lines }) => (lines.at(-1)?.y ?? 0) >= last - SAME_BASELINE_EM * (lines[0]?.size ?? 0));
  return head.length > 2 && isInLast && head.some(({ lines }) => lines.length > 1);
}

function isUnderlined(
  [head = [], next = []]: readonly Row[],
  columns: readonly HorizontalSpan[],
  across: readonly DrawnLine[],
): boolean {
  const top = Math.max(...head.map(({ bottom }) => bottom)) - 1;
  const bottom = Math.min(...next.map((chunk) => chunk.top)) + 1;
  const { left, right } = { left: columns[0]?.left ?? 0, right: columns.at(-1)?.right ?? 0 };
  const own = across.filter(({ at }) => at >= top && at <= bottom);
  const covered = own.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, right) - Math.max(from, left)), 0);
  return covered >= UNDERLINE_MIN * (right - left);
}

function textOf({ lines }: Chunk): string {
  return lines.map(({ text }) => text.trim()).join(' ');
}
