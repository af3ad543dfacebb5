import { classOf, containsAnyTag, isAllText, isElement, isText, nextAfter, nextInside } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

/**
 * The form in which a table is written: `layout`, as plain blocks, because rows and columns only position content on
 * the page; `rows`, as a Markdown table; `records`, as a list with an item per row, because cells are too large for a
 * Markdown table.
 */
type TableForm = 'layout' | 'rows' | 'records';

/**
 * Maximum characters of a cell in a Markdown table. A longer cell is a sign of page layout in a table without header;
 * with a header, and if it contains blocks, it makes the table `records`.
 */
const CELL_CHARS_MAX = 2_000;
/** Maximum lines of code in a cell. A cell with more lines, joined by `<br>`, would be unreadable. */
const CELL_CODE_LINES_MAX = 40;
/**
 * Minimum rows of equal width for a table to count as data even with long cells. Two rows of a layout may be equal by
 * chance.
 */
const FRAME_ROWS = 3;
/** Maximum `rowspan` by the HTML standard. */
export const ROW_SPAN_MAX = 65_534;
const CODE_CLASS = /(?:^|\s)(?:highlighttable|lntable|rouge-table|hljs-ln)(?:\s|$)/;
const ADMONITION = /(?:^|\s)admonitionblock(?:\s|$)/;
const DATA_CLASS = /(?:^|\s)(?:wikitable|dataframe|docutils|infobox|data-?table|confluenceTable|table-striped)(?:\s|$)/;
const NUMBERS = /^[\d\s]+$/;
const TWO_NUMBERS = /\d\s+\d/;

const PRE = new Set(['pre']);
const LISTS = new Set(['ul', 'ol', 'dl']);
/** Elements of a table inside a cell that cannot be written as one line of text. */
const LINES = new Set(['br', 'li', 'dd', 'table']);
/** Elements that occur in page layouts but not in data. A table with one of them and without header is a layout. */
const PARTS = new Set(['h1', 'h2', 'h3', 'form', 'article', 'section', 'blockquote']);
/** Elements that occur in page layouts but not in cells of data, not even in a table with a header. */
const FRAMES = new Set(['h1', 'h2', 'form', 'article', 'section']);

export function isDataTable(table: DomElement): boolean {
  return classifyTable(table) !== 'layout';
}

export function classifyTable(table: DomElement): TableForm {
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none') return 'layout';
  const className = classOf(table);
  if (CODE_CLASS.test(className) || isInAdmonition(table)) return 'layout';
  const shape = shapeOf(table);
  if (DATA_CLASS.test(className)) return shape.isHeavy ? 'records' : 'rows';
  const isData = shape.hasBlocks ? areRowsWithBlocks(shape) : shape.isHeaded || areRows(shape);
  if (!isData) return 'layout';
  return shape.isHeavy ? 'records' : 'rows';
}

function isInAdmonition(table: DomElement): boolean {
  for (let around: DomElement | null = table; around !== null; around = around.parentElement) {
    if (ADMONITION.test(classOf(around))) return true;
  }
  return false;
}

type Shape = {
  /** True if the table has `th`, `thead` or `caption`. */
  isHeaded: boolean;
  hasParts: boolean;
  hasFrames: boolean;
  /** True if a cell contains a table or several lines of code. */
  hasBlocks: boolean;
  hasTables: boolean;
  /** True if code is next to a cell with line numbers. */
  isNumbered: boolean;
  isLong: boolean;
  /** True if a cell is too large for a line of a Markdown table. */
  isHeavy: boolean;
  rows: readonly RowShape[];
};
type RowShape = { cells: number; headers: number };

function areRows({ hasParts, isLong, rows }: Shape): boolean {
  return !hasParts && !isLong && rows.some(({ cells }) => cells > 1);
}

/** True if a table that contains tables or code is data, not page layout. In data, most rows have several columns. */
function areRowsWithBlocks(shape: Shape): boolean {
  const { isHeaded, hasFrames, isNumbered, rows } = shape;
  const [first, ...others] = rows;
  if (hasFrames || isNumbered || first === undefined || others.length === 0) return false;
  const wide = rows.filter(({ cells }) => cells > 1);
  if (wide.length < rows.length / 2) return false;
  if (!isHeaded) return areAlike(rows, shape);
  if (first.cells > 1 && first.headers >= first.cells / 2) return true;
  // True if most rows have a row header. If not, a first row that is a title over all columns is not compared.
  if (wide.filter(({ headers }) => headers > 0).length >= wide.length / 2) return true;
  return areAlike(first.cells === 1 && first.headers === 1 ? others : rows, shape);
}

function areAlike(rows: readonly RowShape[], { hasParts, hasTables, isLong }: Shape): boolean {
  const width = rows[0]?.cells ?? 0;
  if (width < 2 || hasParts || (isLong && hasTables)) return false;
  if (rows.some(({ cells }) => cells !== width)) return false;
  return rows.length >= FRAME_ROWS || (!isLong && !hasTables);
}

/** Describes the cells of one table. A table inside a cell counts as part of the cell. */
function shapeOf(table: DomElement): Shape {
  const rows: RowShape[] = [];
  const shape = {
    isHeaded: false,
    hasParts: false,
    hasFrames: false,
    hasBlocks: false,
    hasTables: false,
    isNumbered: false,
  };
  let isLong = false;
  let isHeavy = false;
  const spans = new Spans();
  for (let node = table.firstChild; node !== null;) {
    let isCell = false;
    if (isElement(node)) {
      const name = node.localName;
      if (name === 'tr') rows.push({ cells: spans.nextRow(), headers: 0 });
      if (name === 'th' || name === 'thead' || name === 'caption') shape.isHeaded = true;
      isCell = name === 'td' || name === 'th';
      shape.hasParts ||= PARTS.has(name);
      shape.hasFrames ||= FRAMES.has(name);
      if (isCell) {
        const cell = cellShape(node);
        const row = rows.at(-1);
        if (row !== undefined) row.cells += 1;
        spans.take(node);
        if (row !== undefined && name === 'th') row.headers += 1;
        shape.hasParts ||= cell.hasParts;
        shape.hasFrames ||= cell.hasFrames;
        shape.hasTables ||= cell.hasTables;
        shape.hasBlocks ||= cell.hasTables || cell.codeLines > 1;
        shape.isNumbered ||= isLineNumbers(node);
        isLong ||= cell.isLong;
        isHeavy ||= isTooMuch(cell);
      }
    }
    node = isCell ? nextAfter(table, node) : nextInside(table, node);
  }
  return { ...shape, isLong, isHeavy, rows: rows.filter(({ cells }) => cells > 0) };
}

/** Counts the cells of earlier rows that extend into a row (`rowspan`). */
class Spans {
  private row = -1;
  private open = 0;
  private opening = 0;
  private readonly ends = new Map<number, number>();

  nextRow(): number {
    this.row += 1;
    this.open += this.opening - (this.ends.get(this.row) ?? 0);
    this.opening = 0;
    return this.open;
  }

  take(cell: DomElement): void {
    const rows = readCellSpan(cell, 'rowspan', ROW_SPAN_MAX);
    if (rows === 1) return;
    const end = this.row + rows;
    this.opening += 1;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
  }
}

export function readCellSpan(cell: DomElement, attribute: 'colspan' | 'rowspan', max: number): number {
  const span = Number.parseInt(cell.getAttribute(attribute) ?? '1', 10);
  // In HTML, `rowspan="0"` means all remaining rows.
  if (span === 0 && attribute === 'rowspan') return max;
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), max) : 1;
}

type CellShape = {
  hasParts: boolean;
  hasFrames: boolean;
  hasTables: boolean;
  hasLists: boolean;
  /** True if a table inside this cell has a cell with several lines or with a table. */
  isDeep: boolean;
  isLong: boolean;
  codeLines: number;
};

function isTooMuch({ hasTables, hasLists, isDeep, isLong, codeLines }: CellShape): boolean {
  if (isDeep || codeLines > CELL_CODE_LINES_MAX) return true;
  return isLong && (hasTables || hasLists || codeLines > 1);
}

function cellShape(cell: DomElement): CellShape {
  const shape = { hasParts: false, hasFrames: false, hasTables: false, hasLists: false, isDeep: false };
  let codeLines = 0;
  let chars = 0;
  for (let node: DomNode | null = cell.firstChild; node !== null;) {
    let isClosed = false;
    if (isText(node)) chars += node.textContent.length;
    else {
      const name = node.localName;
      if (PARTS.has(name)) shape.hasParts = true;
      if (FRAMES.has(name)) shape.hasFrames = true;
      if (LISTS.has(name)) shape.hasLists = true;
      if (name === 'pre') codeLines = Math.max(codeLines, linesIn(node));
      isClosed = name === 'table';
      if (isClosed) {
        shape.hasTables = true;
        shape.isDeep ||= containsAnyTag(node, LINES) || holdsCode(node);
        chars += node.textContent.length;
      }
    }
    node = isClosed ? nextAfter(cell, node) : nextInside(cell, node);
  }
  return { ...shape, codeLines, isLong: chars > CELL_CHARS_MAX };
}

function holdsCode(table: DomElement): boolean {
  for (let node = table.firstChild; node !== null; node = nextInside(table, node)) {
    if (isElement(node) && node.localName === 'pre' && linesIn(node) > 1) return true;
  }
  return false;
}

const LINE_TAGS = new Set(['br', 'div', 'li', 'tr', 'p']);

function linesIn(pre: DomElement): number {
  const text = pre.textContent.trim();
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  let elements = 0;
  for (let node = pre.firstChild; node !== null; node = nextInside(pre, node)) {
    if (isElement(node) && LINE_TAGS.has(node.localName)) elements += 1;
  }
  return Math.max(lines, elements);
}

/** True for a cell of at least two numbers, next to a cell with code. A single number may be data. */
function isLineNumbers(cell: DomElement): boolean {
  if (!isAllText(cell, NUMBERS) || !TWO_NUMBERS.test(cell.textContent)) return false;
  const next = cell.nextElementSibling;
  return next !== null && containsAnyTag(next, PRE);
}
