import type { PdfLine, RuledRow, Segment } from '#extract/pdf/segments.ts';
import { roundSize } from '#extract/pdf/style.ts';
import type { TextStyle } from '#extract/pdf/style.ts';
import { edgesAndCentre, isNumeric } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';
import { spanOf } from './open-blocks.ts';
import { findPdfTables } from './tables.ts';
import type { FoundTable } from './tables.ts';

/** A table at the end of a page, which may continue on the next one. `head` has the lines of its header. */
export type OpenTable = { head: readonly PdfLine[]; rows: readonly PdfLine[]; columns: number };
export type RegionTables = { lines: readonly PdfLine[]; tables: readonly FoundTable[]; open: OpenTable | null };
type Cell = HorizontalSpan & { plain: string; size: number };

/** Maximum distance between the edges of the cells of a column on two pages, in multiples of the text size. */
const SAME_EDGE_MAX_EM = 0.2;
/** Maximum lines at the start of a page that are searched for a row without empty cells. */
const LINES_MAX = 5;
/** Distance between two rows, in multiples of the text size, if the page before has only one row. */
const PITCH_EM = 1.4;
const YEAR = /^(?:1[5-9]|20)\d\d$/;

/**
 * Finds the tables of a region. If the first lines continue `before`, the table at the end of the page before, `lines`
 * begin with a copy of its header. `open` is the table at the end of the region, above notes; `null` if it has no certain header.
 */
export function findTablesAcross(
  given: readonly PdfLine[],
  before: OpenTable | null,
  isRow: (line: PdfLine) => boolean,
  style: TextStyle,
): RegionTables {
  const head = before === null ? [] : copyHead(before, given);
  let lines = [...head, ...given];
  let tables = findPdfTables(lines, isRow, style);
  const [first] = tables;
  if (head.length > 0 && (first?.from !== 0 || first.to === head.length || !first.isCertain)) {
    lines = [...given];
    tables = findPdfTables(lines, isRow, style);
  }
  const last = tables.at(-1);
  const isAtEnd = lines.slice(last?.to).every(({ size }) => roundSize(size) < style.body);
  if (last === undefined || !isAtEnd || last.head.length === 0) return { lines, tables, open: null };
  return { lines, tables, open: { head: last.head, rows: lines.slice(last.from + 1, last.to), columns: last.columns } };
}

/**
 * Returns copies of the header of the table that ends the page before, if the lines of this page continue its rows: its
 * columns are at the same places, and numbers are below numbers. Returns an empty list for other lines.
 */
function copyHead({ head, rows, columns }: OpenTable, lines: readonly PdfLine[]): PdfLine[] {
  const [first] = lines;
  const row = lines
    .slice(0, LINES_MAX)
    .map(cellsOf)
    .find(({ length }) => length === columns);
  const last = rows.map(cellsOf).findLast(({ length }) => length === columns);
  if (first === undefined || row === undefined || last === undefined) return [];
  const start = cellsOf(first)[0];
  if (start === undefined || cellsOf(first).length < 2 || !shareEdge(start, last[0])) return [];
  if (!row.every((cell, at) => shareEdge(cell, last[at]) && isNumeric(cell.plain) === isNumeric(last[at]?.plain ?? '')))
    return [];
  // The first line is the header of another table if it has words or years only.
  const values = cellsOf(first).filter(({ plain }) => isNumeric(plain));
  if (values.every(({ plain }) => YEAR.test(plain))) return [];
  const [above, below] = rows.slice(-2);
  const pitch = above === undefined || below === undefined ? PITCH_EM * first.size : below.y - above.y;
  const copies = head.map((line, index) => {
    const copy = withCellsLike(line, first, columns);
    return copy === null ? [] : [{ ...copy, y: first.y - (head.length - index) * pitch, isCopiedHead: true }];
  });
  return copies.some(({ length }) => length === 0) ? [] : copies.flat();
}

/** Returns a line of the header with its cells as those of `row`, in the table's grid or not; `null` if it cannot. */
function withCellsLike(line: PdfLine, { ruled }: PdfLine, columns: number): PdfLine | null {
  const { ruled: own, ...unruled } = line;
  if (own === undefined && ruled === undefined) return line;
  if (ruled !== undefined && ruled.grid.columns !== columns) return null;
  if (ruled !== undefined && own !== undefined) return { ...line, ruled: { grid: ruled.grid, cells: own.cells } };
  const cells = own === undefined ? line.cells : own.cells.flatMap(joinLines);
  if (cells.length !== columns) return null;
  if (ruled === undefined) return { ...unruled, cells };
  const placed = cells.map((cell, at) => ({ from: at, to: at, lines: [cell] }));
  return { ...line, ruled: { grid: ruled.grid, cells: placed } };
}

function joinLines({ from, to, lines }: RuledRow['cells'][number]): Segment[] {
  const [first] = lines;
  if (first === undefined || to > from) return [];
  const { left, right } = spanOf(lines);
  const text = lines.map((line) => line.text).join(' ');
  return [{ ...first, left, right, text, plain: lines.map(({ plain }) => plain).join(' ') }];
}

/** Returns the cells of a row from left to right; fewer than columns if some are empty. */
function cellsOf({ ruled, cells }: PdfLine): Cell[] {
  if (ruled === undefined) return [...cells];
  return ruled.cells.map(({ lines }) => ({
    ...spanOf(lines),
    plain: lines.map(({ plain }) => plain).join(' '),
    size: lines[0]?.size ?? 0,
  }));
}

function shareEdge(one: Cell, other: Cell | undefined): boolean {
  if (other === undefined) return false;
  const edges = edgesAndCentre(other);
  return edgesAndCentre(one).some(
    (at, kind) => Math.abs(at - (edges[kind] ?? Infinity)) <= SAME_EDGE_MAX_EM * one.size,
  );
}
