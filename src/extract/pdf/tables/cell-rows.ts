import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import {
  createCellAtom,
  toCellAtoms,
  findCellColumns,
  TABLE_COLUMNS_MIN,
  edgesAndCentre,
  isNumeric,
  LIST_ITEM_MARK_PATTERN,
  measureOverlap,
} from './cell-edges.ts';
import type { CellAtom, CellColumn, HorizontalSpan } from './cell-edges.ts';
import { estimateWordPositions } from './word-places.ts';

/**
 * A part of a row, and the columns that it covers: `from` and `to` are twice a column's index plus one, or even between
 * two columns. `first` and `last` are names of these columns that are the same in all rows.
 */
type Cell = { from: number; to: number; first: string; last: string; atom: CellAtom };
type Row = {
  pieces: readonly PdfPiece[];
  cells: Cell[];
  /** True if the row has cells in several columns. A header cell may cover two columns. */
  isRow: boolean;
  /** True if the row also has each cell in a single column, and most cells at the edges of their columns. */
  isFull: boolean;
};
type Pair = {
  count: number;
  wide: number;
  apart: number;
  numbers: number;
  words: number;
  heads: number;
  least: number;
  most: number;
};

/** Maximum distance of a cell's edge from that of its column, in multiples of the text size. */
const ALIGNED_MAX = 0.4;
/** Maximum distance of a cell's edge from that of its column in a line without gaps, in multiples of the text size. */
const STRICT_MAX = 0.25;
/** Minimum gap between cells that words of running text rarely have, in multiples of the text size. */
const WIDE_GAP_MIN = 0.7;
const PARTS_MIN = 3;
const COVERED_MAX = 2;
const ROWS_MIN = 3;
const SINGLE_MAX = 6;
/** Minimum share of a row's cells that are at the edges of their columns. */
const ALIGNED_MIN = 0.6;
/** Minimum share of rows with a wide gap (`WIDE_GAP_MIN`) between two columns for these to be separate. */
const WIDE_MIN = 0.3;
/** Minimum share of rows with a cell that the page draws apart (`isApart`) for its column to be separate. */
const APART_MIN = 0.8;
/** Minimum share of rows with numbers in both columns for columns without wide gaps to be separate. */
const NUMBERS_MIN = 0.6;
/** Minimum share of rows with a section and a rising page number for a table to count as a table of contents. */
const CONTENTS_MIN = 0.7;
/** Columns of numbers are separate if all gaps are at least this wide, in multiples of the text size. */
const SPACE_MAX = 0.36;
/** Columns of numbers are separate if their gaps differ by at least this, in multiples of the text size. */
const VARIES_MIN = 0.3;
const HAS_WORD = /\p{L}{2}/u;
const NO_PAIR: Pair = { count: 0, wide: 0, apart: 0, numbers: 0, words: 0, heads: 0, least: Infinity, most: -Infinity };
const SECTION = /^(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,4}\.?(?:\s|$)/;

/**
 * Splits rows into table cells, however narrow the gaps are, if several rows have cells in the same columns. Running
 * text is not split, even if some words are below each other.
 */
export function divideRows(rows: readonly (readonly PdfPiece[])[]): PdfPiece[][][] {
  const atoms = rows.map(toCellAtoms);
  const columns = findCellColumns(atoms);
  const found = atoms.map((row, index) => rowOf(row, columns[index] ?? [], rows[index] ?? []));
  const divided = new Map<Row, Cell[]>();
  let group: Row[] = [];
  let single = 0;
  const close = () => {
    const pairs = pairsIn(group);
    const joined = group.map((row) => joinWords(row, pairs));
    if (isTable(joined)) for (const [index, row] of group.entries()) divided.set(row, joined[index] ?? []);
    group = [];
  };
  for (const row of found) {
    single = row.cells.length > 1 ? 0 : single + 1;
    if (row.isFull || (row.isRow && group.every(({ isFull }) => !isFull))) group.push(row);
    else if (row.cells.length > 1 || single > SINGLE_MAX) close();
  }
  close();
  return found.map((row) => divided.get(row)?.map(({ atom }) => atom.pieces) ?? [[...row.pieces]]);
}

function rowOf(atoms: readonly CellAtom[], columns: readonly CellColumn[], pieces: readonly PdfPiece[]): Row {
  const cells = (
    columns.length < TABLE_COLUMNS_MIN ? atoms : atoms.flatMap((one) => splitAtom(one, columns, atoms.length === 1))
  ).map((atom) => cellOf(atom, columns));
  const isRow =
    columns.length >= TABLE_COLUMNS_MIN &&
    cells.length > 1 &&
    cells.every(({ from, to }, index) => to - from <= 2 * (COVERED_MAX - 1) && from > (cells[index - 1]?.to ?? -1));
  const isFull = isRow && cells.every(({ from, to }) => from === to) && areAtEdges(cells, columns);
  return { pieces, cells, isRow, isFull };
}

function cellOf(atom: CellAtom, columns: readonly CellColumn[]): Cell {
  const { from, to } = placeOf(atom, columns);
  const nameOf = (at: number) =>
    at % 2 === 1 ? `${columns[(at - 1) / 2]?.left}` : `after ${columns[at / 2 - 1]?.left}`;
  return { atom, from, to, first: nameOf(from), last: nameOf(to) };
}

/** True if most cells of a row are at the edges of their columns, as words of running text rarely are. */
function areAtEdges(cells: readonly Cell[], columns: readonly CellColumn[]): boolean {
  const inner = cells.filter(({ from }) => from > 0);
  const aligned = inner.filter(({ from, atom }) => isAtEdge(atom, columns[(from - 1) / 2]));
  return aligned.length >= ALIGNED_MIN * inner.length;
}

/** For each two neighbouring columns, counts the cells, those far apart, and those that are both numbers. */
function pairsIn(rows: readonly Row[]): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const next = cells[index + 1];
      if (next === undefined) continue;
      const name = `${cell.last} ${next.first}`;
      const pair = pairs.get(name) ?? { ...NO_PAIR };
      pairs.set(name, pair);
      pair.count += 1;
      const gap = (next.atom.left - cell.atom.right) / cell.atom.size;
      const [text, nextText] = [textOf(cell), textOf(next)];
      if (gap >= WIDE_GAP_MIN) pair.wide += 1;
      if (next.atom.pieces[0]?.isApart === true) pair.apart += 1;
      if (isNumeric(text) && isNumeric(nextText)) pair.numbers += 1;
      if (HAS_WORD.test(text) && HAS_WORD.test(nextText)) pair.heads += 1;
      if (cell.atom.source !== undefined && cell.atom.source === next.atom.source) pair.words += 1;
      else {
        pair.least = Math.min(pair.least, gap);
        pair.most = Math.max(pair.most, gap);
      }
    }
  }
  return pairs;
}

/** Merges two columns whose cells are rarely farther apart than words, unless they are numbers. */
function joinWords({ cells }: Row, pairs: ReadonlyMap<string, Pair>): Cell[] {
  const joined: Cell[] = [];
  for (const cell of cells) {
    const last = joined.at(-1);
    const pair = pairs.get(`${last?.last} ${cell.first}`);
    if (last === undefined || pair === undefined || isApart(pair)) joined.push(cell);
    else joined[joined.length - 1] = joinCells(last, cell);
  }
  return joined;
}

/** True if two columns are separate: their gaps are wide, or they have numbers with varying gaps or with headers. */
function isApart({ count, wide, apart, numbers, words, heads, least, most }: Pair): boolean {
  if (wide >= WIDE_MIN * count || apart >= APART_MIN * count) return true;
  if (numbers < NUMBERS_MIN * count) return false;
  return (words > 0 && heads > 0) || (words < count && (least >= SPACE_MAX || most - least >= VARIES_MIN));
}

function joinCells(one: Cell, next: Cell): Cell {
  const { source } = one.atom;
  const { left, right } = { left: one.atom.left, right: next.atom.right };
  const atom =
    source !== undefined && source === next.atom.source
      ? createCellAtom(source, { left, right, text: `${textOf(one)} ${textOf(next)}` }, one.atom.first)
      : { ...one.atom, right, pieces: [...one.atom.pieces, ...next.atom.pieces] };
  return { ...one, to: next.to, last: next.last, atom };
}

function isTable(rows: readonly (readonly Cell[])[]): boolean {
  const used = new Map<string, number>();
  for (const cells of rows) {
    for (const cell of cells) {
      if (!LIST_ITEM_MARK_PATTERN.test(textOf(cell))) used.set(cell.first, (used.get(cell.first) ?? 0) + 1);
    }
  }
  const full = rows.filter((cells) => cells.length > 1);
  const columns = [...used.values()].filter((count) => count >= ROWS_MIN);
  return full.length >= ROWS_MIN && columns.length > TABLE_COLUMNS_MIN && !isContents(rows);
}

function isContents(rows: readonly (readonly Cell[])[]): boolean {
  const entries = rows.flatMap((cells) => {
    const [first] = cells;
    const last = cells.at(-1);
    return first === undefined || last === undefined || cells.length < 2
      ? []
      : [{ title: textOf(first), page: textOf(last) }];
  });
  let before = 0;
  let rising = 0;
  for (const { title, page } of entries) {
    if (!SECTION.test(title) || !/^\d{1,4}$/.test(page) || Number(page) < before) continue;
    before = Number(page);
    rising += 1;
  }
  return rising >= CONTENTS_MIN * entries.length;
}

function textOf({ atom }: Cell): string {
  return atom.pieces
    .map(({ text }) => text)
    .join(' ')
    .trim();
}

function placeOf(atom: HorizontalSpan, columns: readonly CellColumn[]): { from: number; to: number } {
  const covered = columns.flatMap((column, index) => (measureOverlap(atom, column) > 0 ? [2 * index + 1] : []));
  const [from] = covered;
  if (from !== undefined) return { from, to: covered.at(-1) ?? from };
  const between = 2 * columns.filter(({ right }) => right <= atom.left).length;
  return { from: between, to: between };
}

/** Splits text that pdf.js joined across narrow gaps: between words, if each part is at the edge of its own column. */
function splitAtom(atom: CellAtom, columns: readonly CellColumn[], isAlone: boolean): CellAtom[] {
  const [piece] = atom.pieces;
  if (piece === undefined || atom.pieces.length > 1 || piece.rtl || !piece.text.trim().includes(' ')) return [atom];
  if (!columns.some((column) => measureOverlap(atom, column) > 0)) return [atom];
  const parts: { at: number; left: number; right: number; text: string }[] = [];
  for (const word of estimateWordPositions(piece)) {
    const at = mostCovered(word, columns);
    const part = parts.at(-1);
    if (part !== undefined && part.at === at) {
      part.text += ` ${word.text}`;
      part.right = word.right;
    } else parts.push({ ...word, at });
  }
  const isSplit = parts.every(
    ({ at, left, right }, index) =>
      (at === 0 && index === 0 && atom.first) || isAtEdge({ left, right, size: atom.size }, columns[(at - 1) / 2]),
  );
  const isLine = isAlone && (parts.length < PARTS_MIN || !shareEdges(parts.slice(1), columns, atom.size));
  if (parts.length < 2 || !isSplit || isLine) return [atom];
  return parts.map((part, index) => createCellAtom(piece, part, atom.first && index === 0));
}

function mostCovered(word: HorizontalSpan, columns: readonly CellColumn[]): number {
  let best = -1;
  let most = 0;
  for (const [index, column] of columns.entries()) {
    const shared = measureOverlap(word, column);
    if (shared > most) [best, most] = [index, shared];
  }
  return best >= 0 ? 2 * best + 1 : placeOf(word, columns).from;
}

/**
 * True if a cell shares an edge or its middle with the column. Which one may differ, because a header is often aligned
 * in another way than the cells.
 */
function isAtEdge({ left, right, size }: HorizontalSpan & { size: number }, column: CellColumn | undefined): boolean {
  if (column === undefined) return false;
  const edges = edgesAndCentre({ left, right });
  return edgesAndCentre(column).some((edge, kind) => Math.abs((edges[kind] ?? Infinity) - edge) <= ALIGNED_MAX * size);
}

/**
 * True if all parts of a line are at the same edge of their columns, or each at the edge that made its column. Other
 * lines are running text.
 */
function shareEdges(
  parts: readonly (HorizontalSpan & { at: number })[],
  columns: readonly CellColumn[],
  size: number,
): boolean {
  const shifts = parts.map(({ at, left, right }) => {
    const column = columns[(at - 1) / 2];
    const edges = column === undefined ? [] : edgesAndCentre(column);
    const shift = edgesAndCentre({ left, right }).map(
      (edge, kind) => Math.abs(edge - (edges[kind] ?? Infinity)) <= STRICT_MAX * size,
    );
    return [...shift, shift[column?.kind ?? -1] === true];
  });
  return [0, 1, 2, 3].some((kind) => shifts.every((shift) => shift[kind] === true));
}
