import type { PdfLine, Segment } from '#extract/pdf/segments.ts';

export type TextGrid = {
  columns: number;
  rows: string[][];
  plain: string[][];
  fonts: string[][];
  hasRuledHead: boolean;
};

type Column = { left: number; right: number };
type Placed = { cell: Segment; from: number; to: number };

/** Maximum distance of a cell's edge from the median edge of its column, in multiples of the text size. */
const EDGE_MAX = 0.7;
/** Minimum distance from all columns at which cells form another column, in multiples of the text size. */
const APART_MIN = 1;
/** Maximum distance of a row whose texts continue those of the row above, in multiples of the text size. */
const CLOSE_PITCH_MAX = 1.35;
/** Minimum share of a column's cells at the median edge (`EDGE_MAX`) for the column to be regular. */
const REGULAR_CELLS_MIN = 0.7;
/** Minimum share of regular columns (`REGULAR_CELLS_MIN`) in a table. */
const REGULAR_COLUMNS_MIN = 0.6;
/** Maximum share of a table's rows in which two cells are in the same column. */
const CONFLICTS_MAX = 0.1;
/** Minimum share of a table's cells that have text. */
const FILLED_MIN = 0.4;
/** Minimum share of its column's width that a text fills if it may continue in the row below. */
const FULL_MIN = 0.8;
/** Minimum length of the line below a header, in multiples of the width of each text. */
const LINE_TIMES_MIN = 1.5;
/** Maximum distance of two left edges in one column, in points. */
const LEFT_EDGE_MAX = 0.8;
const COLUMNS_MAX = 40;

/** Returns columns and rows of lines whose cells are below each other; `null` for other lines. */
export function findGrid(lines: readonly PdfLine[]): TextGrid | null {
  const columns = columnsOf(lines);
  if (columns === null || columns.length > COLUMNS_MAX) return null;
  const rows = lines.map(({ cells }) => cells.map((cell) => place(cell, columns)));
  if (!isRegular(rows, columns) || hasConflicts(rows)) return null;
  // Rows that only continue a cell are not counted, because they do not make a table emptier.
  const full = rows.filter((row) => row.length > 1 || row[0]?.from === 0);
  const cells = full.reduce((sum, row) => sum + row.length, 0);
  if (cells < FILLED_MIN * full.length * columns.length) return null;
  return writeGrid(lines, rows, columns);
}

/** Returns the columns of the rows with the most cells. Other rows may widen them and add columns. */
function columnsOf(lines: readonly PdfLine[]): Column[] | null {
  const most = lines.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  if (most > COLUMNS_MAX) return null;
  const between = columnsBetweenHeads(lines, most);
  if (between !== null) return between;
  const full = lines.filter(({ cells }) => cells.length === most);
  const columns = seedsOf(full.map(({ cells }) => cells)) ?? seedsOf(full.slice(0, 1).map(({ cells }) => cells));
  if (columns === null) return null;
  const loose: Segment[] = [];
  for (const cell of lines.flatMap(({ cells }) => cells)) {
    const over = columns.filter((column) => cell.left < column.right && cell.right > column.left);
    const [only] = over;
    if (only === undefined) loose.push(cell);
    else if (over.length === 1) widen(only, cell);
  }
  for (const group of groupsOf(loose)) {
    const [first] = group.cells;
    if (first === undefined) continue;
    const near = nearest(group, columns);
    const distance = Math.max(near.left - group.right, group.left - near.right);
    const isOwn = group.cells.length > 1 && distance > APART_MIN * first.size;
    if (isOwn) columns.push({ left: group.left, right: group.right });
    else if (isBesideEmpty(group, near, columns, lines)) return null;
    else widen(near, group);
  }
  columns.sort((one, other) => one.left - other.left);
  return columns.every((column, index) => index === 0 || column.left >= (columns[index - 1]?.right ?? 0) - 1)
    ? columns
    : null;
}

/**
 * True for cells between the nearest column and one that has only a name: numbers at the right edge of their column may
 * be nearer to the name of the next one.
 */
function isBesideEmpty(cells: Column, near: Column, columns: readonly Column[], lines: readonly PdfLine[]): boolean {
  const before = columns.filter(({ right }) => right <= cells.left).sort((one, other) => other.right - one.right)[0];
  const after = columns.filter(({ left }) => left >= cells.right).sort((one, other) => one.left - other.left)[0];
  const other = near === before ? after : before;
  if (other === undefined || other === near) return false;
  const body = lines.slice(1).flatMap((line) => line.cells);
  return !body.some(({ left, right }) => left < other.right && right > other.left);
}

/**
 * Returns the columns of rows whose cells the page draws apart, if each is between the left edges of two neighbours of
 * the first row: numbers at the right edge of a column need not be below its name.
 */
function columnsBetweenHeads([head, ...body]: readonly PdfLine[], most: number): Column[] | null {
  if (head === undefined || head.cells.length < most || !head.cells.slice(1).every(({ isApart }) => isApart))
    return null;
  const columns = head.cells.map(({ left, right }) => ({ left, right }));
  for (const cell of body.flatMap(({ cells }) => cells)) {
    const at = columns.findLastIndex(({ left }) => left <= cell.left + LEFT_EDGE_MAX);
    const column = columns[at];
    if (column === undefined || cell.right > (columns[at + 1]?.left ?? Infinity)) return null;
    column.right = Math.max(column.right, cell.right);
  }
  return columns;
}

function seedsOf(rows: readonly (readonly Segment[])[]): Column[] | null {
  const columns: Column[] = [];
  for (const cells of rows) {
    for (const [index, { left, right }] of cells.entries()) {
      const column = columns[index];
      if (column === undefined) columns.push({ left, right });
      else widen(column, { left, right });
    }
  }
  const isApart = columns.every((column, index) => index === 0 || column.left >= (columns[index - 1]?.right ?? 0));
  return columns.length > 0 && isApart ? columns : null;
}

function widen(column: Column, { left, right }: Column): void {
  column.left = Math.min(column.left, left);
  column.right = Math.max(column.right, right);
}

function groupsOf(cells: readonly Segment[]): (Column & { cells: Segment[] })[] {
  const groups: (Column & { cells: Segment[] })[] = [];
  for (const cell of [...cells].sort((one, other) => one.left - other.left)) {
    const last = groups.at(-1);
    if (last !== undefined && cell.left < last.right) {
      last.cells.push(cell);
      widen(last, cell);
    } else groups.push({ left: cell.left, right: cell.right, cells: [cell] });
  }
  return groups;
}

function nearest(to: Column, columns: readonly Column[]): Column {
  const distance = (column: Column) => Math.max(column.left - to.right, to.left - column.right);
  return columns.reduce((best, column) => (distance(column) < distance(best) ? column : best), columns[0] ?? to);
}

function place(cell: Segment, columns: readonly Column[]): Placed {
  let from = -1;
  let to = -1;
  for (const [index, column] of columns.entries()) {
    if (cell.left >= column.right || cell.right <= column.left) continue;
    if (from < 0) from = index;
    to = index;
  }
  if (from >= 0) return { cell, from, to };
  const at = Math.max(0, columns.indexOf(nearest(cell, columns)));
  return { cell, from: at, to: at };
}

/** True if, in most columns, the cells share their left edge, right edge or middle. */
function isRegular(rows: readonly (readonly Placed[])[], columns: readonly Column[]): boolean {
  let known = 0;
  let regular = 0;
  for (const index of columns.keys()) {
    const cells = rows.flat().filter(({ from, to }) => from === index && to === index);
    if (cells.length < 2) continue;
    known += 1;
    const edges = [
      ({ cell }: Placed) => cell.left,
      ({ cell }: Placed) => cell.right,
      ({ cell }: Placed) => (cell.left + cell.right) / 2,
    ];
    if (edges.some((edge) => shareAtMedian(cells, edge) >= REGULAR_CELLS_MIN)) regular += 1;
  }
  return known > 1 && regular >= REGULAR_COLUMNS_MIN * columns.length;
}

function shareAtMedian(cells: readonly Placed[], edge: (cell: Placed) => number): number {
  const sorted = cells.map(edge).sort((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return cells.filter((one) => Math.abs(edge(one) - median) <= EDGE_MAX * one.cell.size).length / cells.length;
}

function hasConflicts(rows: readonly (readonly Placed[])[]): boolean {
  const conflicts = rows.filter((row) =>
    row.some((one, index) => index > 0 && one.from <= (row[index - 1]?.to ?? -1)),
  ).length;
  return conflicts > CONFLICTS_MAX * rows.length;
}

function writeGrid(
  lines: readonly PdfLine[],
  rows: readonly (readonly Placed[])[],
  columns: readonly Column[],
): TextGrid {
  const grid: TextGrid = { columns: columns.length, rows: [], plain: [], fonts: [], hasRuledHead: isRuledHead(lines) };
  for (const [index, row] of rows.entries()) {
    const texts = Array.from(columns, () => '');
    const plain = Array.from(columns, () => '');
    // A header over several columns is written in each of them.
    for (const { cell, from, to } of row) {
      for (let at = from; at <= (index === 0 ? to : from); at += 1) {
        texts[at] = joined(texts[at] ?? '', cell.text);
        plain[at] = joined(plain[at] ?? '', cell.plain);
      }
    }
    const above = grid.rows.at(-1);
    if (
      above !== undefined &&
      grid.rows.length > 1 &&
      goesOn(row, rows[index - 1] ?? [], columns, pitchOf(lines, index))
    ) {
      for (const [at, text] of texts.entries()) above[at] = joined(above[at] ?? '', text);
      const plainAbove = grid.plain.at(-1) ?? [];
      for (const [at, text] of plain.entries()) plainAbove[at] = joined(plainAbove[at] ?? '', text);
      continue;
    }
    grid.rows.push(texts);
    grid.plain.push(plain);
    grid.fonts.push(row.map(({ cell }) => cell.font));
  }
  return grid;
}

/** True if, apart from the last row, only the first has a line below it that is longer than its texts, or if it is copied. */
function isRuledHead(lines: readonly PdfLine[]): boolean {
  const isUnderlined = ({ cells }: PdfLine) =>
    cells.every(
      ({ underline, left, right }) =>
        underline !== undefined && underline.to - underline.from > LINE_TIMES_MIN * (right - left),
    );
  const [head, ...body] = lines;
  if (head?.isCopiedHead === true) return true;
  return head !== undefined && body.length > 1 && isUnderlined(head) && !body.slice(0, -1).some(isUnderlined);
}

function joined(before: string, text: string): string {
  return before === '' || text === '' ? before + text : `${before} ${text}`;
}

function pitchOf(lines: readonly PdfLine[], index: number): number {
  const [line, before] = [lines[index], lines[index - 1]];
  return line === undefined || before === undefined ? Infinity : (line.y - before.y) / line.size;
}

/**
 * True for a row that only continues cells of the row above, whose text fills its column or continues in lower case.
 */
function goesOn(row: readonly Placed[], before: readonly Placed[], columns: readonly Column[], pitch: number): boolean {
  if (pitch > CLOSE_PITCH_MAX || row.some(({ from }) => from === 0)) return false;
  return row.every(({ cell, from }) => {
    const above = before.find((one) => one.from === from)?.cell;
    const column = columns[from];
    if (above === undefined || column === undefined || /^[\d\s.,%−–-]+$/.test(cell.plain)) return false;
    const isFull = above.right - column.left >= FULL_MIN * (column.right - column.left);
    return isFull || /^[\p{Ll}(]/u.test(cell.plain);
  });
}
