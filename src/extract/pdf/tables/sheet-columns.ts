import type { PdfLine, RuledRow } from '#extract/pdf/segments.ts';
import { isNumeric, measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';
import { isColumnOfText } from './running-text.ts';

type Regions = readonly (readonly PdfLine[])[];

const ROWS_MIN = 4;
/** Maximum distance between the places of one row on two pages, in points. */
const SAME_PLACE = 0.3;
/** Maximum lines above and below the rows of a sheet. */
const MARGIN_LINES_MAX = 4;
/** Maximum lines of a page that is compared. A page of a sheet has far fewer. */
const LINES_MAX = 300;

/**
 * Finds pages with further columns of a sheet that is wider than a page: their rows are at the places of the rows on the
 * page before. On such a page, also one or two columns of words are a table. Returns the lines of each such page as rows.
 */
export function findSheetColumns(pages: readonly Regions[]): Map<number, PdfLine[]> {
  const found = new Map<number, PdfLine[]>();
  let sheet: readonly PdfLine[] = [];
  for (const [page, regions] of pages.entries()) {
    const lines = regions.flat().sort((one, other) => one.y - other.y);
    const rows = rowsOfSheet(lines, sheet);
    if (rows === null) sheet = lines;
    else found.set(page, rows);
  }
  return found;
}

function rowsOfSheet(lines: readonly PdfLine[], sheet: readonly PdfLine[]): PdfLine[] | null {
  if (lines.length < ROWS_MIN || lines.length > LINES_MAX || !lines.some(isDrawnApart)) return null;
  const before = sheet.filter(isRow);
  const places = new Set(before.flatMap(({ y }) => [-1, 0, 1].map((near) => placeOf(y) + near)));
  const own = lines.filter(({ y }) => places.has(placeOf(y)));
  // The name of the sheet and the page number stand alone in the margins.
  const isInMargin = ({ y, cells }: PdfLine) =>
    cells.length === 1 && (y < (own[0]?.y ?? 0) || y > (own.at(-1)?.y ?? Infinity));
  const [ofSheet, ofPage] = [sheet.filter((line) => !isRow(line)), lines.filter((line) => !own.includes(line))];
  if (![...ofSheet, ...ofPage].every(isInMargin) || ofSheet.length > MARGIN_LINES_MAX) return null;
  if (ofPage.length > MARGIN_LINES_MAX || own.length < ROWS_MIN || own.length !== before.length) return null;
  if (!own.every(isDrawnApart) || own.some(({ y }, index) => !isAt(y, before[index]))) return null;
  const columns = columnsOf(own);
  const names = own[0]?.cells ?? [];
  const most = before.reduce((max, line) => Math.max(max, countCells(line)), 0);
  if (names.length !== columns.length || columns.length >= most || names.some(({ plain }) => isNumeric(plain)))
    return null;
  const isText = columns.some((column) => {
    const cells = own.flatMap((line) => line.cells.filter((cell) => measureOverlap(column, cell) > 0));
    return isColumnOfText({ ...column, cells });
  });
  if (isText) return null;
  const [left, right] = [columns[0]?.left ?? 0, columns.at(-1)?.right ?? 0];
  const grid = { left, right, columns: columns.length, rows: [] };
  const rows = own.map((line) => ({ ...line, ruled: toRow(line, columns, grid) }));
  return [...ofPage, ...rows].sort((one, other) => one.y - other.y);
}

function toRow({ cells }: PdfLine, columns: readonly HorizontalSpan[], grid: RuledRow['grid']): RuledRow {
  const placed = cells.map((cell) => {
    const at = columns.findIndex((column) => measureOverlap(column, cell) > 0);
    return { from: at, to: at, lines: [cell] };
  });
  return { grid, cells: placed };
}

function placeOf(y: number): number {
  return Math.round(y / SAME_PLACE);
}

function isAt(y: number, line: PdfLine | undefined): boolean {
  return line !== undefined && Math.abs(line.y - y) <= SAME_PLACE;
}

/** True for a line of several cells that the page draws apart, or that are already those of a table. */
function isRow(line: PdfLine): boolean {
  return countCells(line) > 1 && (line.ruled !== undefined || isDrawnApart(line));
}

function countCells({ ruled, cells }: PdfLine): number {
  return ruled === undefined ? cells.length : ruled.cells.length;
}

function isDrawnApart({ ruled, cells }: PdfLine): boolean {
  return ruled === undefined && cells.every(({ isApart }) => isApart === true);
}

function columnsOf(lines: readonly PdfLine[]): HorizontalSpan[] {
  const columns: HorizontalSpan[] = [];
  for (const { left, right } of lines.flatMap(({ cells }) => cells).sort((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}
