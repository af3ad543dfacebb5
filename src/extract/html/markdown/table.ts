import { TABLE_COLUMNS_MAX } from '#core/limits.ts';
import type { DomElement } from '#extract/html/dom.ts';

type Cell = { text: string; columns: number; rows: number; isHeader: boolean };
type Row = { cells: Cell[]; inHead: boolean };

/** A cell longer than this is page layout, not data. */
const DATA_CELL_CHARS_MAX = 2_000;
const DATA_CLASS = /(?:^|\s)(?:wikitable|dataframe|docutils|infobox|data-?table|confluenceTable|table-striped)(?:\s|$)/;

/** Whether rows and columns mean something, or only place things on the page. Nested tables and code mean layout. */
export function isDataTable(table: DomElement): boolean {
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none') return false;
  if (table.querySelector('table') !== null) return false;
  for (const code of table.querySelectorAll('pre')) {
    if ((code.textContent ?? '').trim().includes('\n')) return false;
  }
  if (table.querySelector('th, thead, caption') !== null || DATA_CLASS.test(table.getAttribute('class') ?? ''))
    return true;
  if (table.querySelector('h1, h2, h3, form, article, section, blockquote') !== null) return false;
  let widest = 0;
  for (const row of table.querySelectorAll('tr')) {
    let cells = 0;
    for (const cell of row.children) {
      cells += 1;
      if ((cell.textContent ?? '').length > DATA_CELL_CHARS_MAX) return false;
    }
    widest = Math.max(widest, cells);
  }
  return widest > 1;
}

/** Collects the cells of one table and writes them as a GFM table with every span spelled out. */
export class Table {
  caption = '';
  private readonly rows: Row[] = [];

  startRow(inHead: boolean): void {
    this.rows.push({ cells: [], inHead });
  }

  addCell(text: string, columns: number, rows: number, isHeader: boolean): void {
    if (this.rows.length === 0) this.startRow(false);
    this.rows.at(-1)?.cells.push({ text, columns, rows, isHeader });
  }

  /** Empty when no cell holds anything. */
  toLines(): string[] {
    const grid = this.expand();
    const width = this.width(grid);
    if (width === 0 || !grid.some((row) => row.some((cell) => cell !== ''))) return [];
    const first = this.rows[0];
    const hasHeader =
      first !== undefined && (first.inHead || first.cells.every((cell) => cell.isHeader)) && first.cells.length > 0;
    const header = hasHeader ? (grid[0] ?? []) : [];
    const body = hasHeader ? grid.slice(1) : grid;
    return [line(header, width), `|${' --- |'.repeat(width)}`, ...body.map((row) => line(row, width))];
  }

  private width(grid: readonly string[][]): number {
    let width = 0;
    for (const row of grid) width = Math.max(width, row.length);
    return width;
  }

  private expand(): string[][] {
    const pending: { text: string; rows: number }[] = [];
    return this.rows.map((row) => {
      const out: string[] = [];
      const fillFromAbove = () => {
        for (let above = pending[out.length]; above !== undefined && above.rows > 0; above = pending[out.length]) {
          above.rows -= 1;
          out.push(above.text);
        }
      };
      for (const cell of row.cells) {
        fillFromAbove();
        this.placeCell(cell, row.cells.length, out, pending);
      }
      fillFromAbove();
      return out;
    });
  }

  /** A cell over some columns is repeated in each, so that a line can be read alone; over a whole row it is a heading. */
  private placeCell(cell: Cell, cellsInRow: number, out: string[], pending: { text: string; rows: number }[]): void {
    for (let column = 0; column === 0 || (column < cell.columns && out.length < TABLE_COLUMNS_MAX); column += 1) {
      const text = column > 0 && cellsInRow === 1 ? '' : cell.text;
      pending[out.length] = { text, rows: cell.rows - 1 };
      out.push(text);
    }
  }
}

function line(cells: readonly string[], width: number): string {
  let out = '|';
  for (let column = 0; column < width; column += 1) out += ` ${cells[column] ?? ''} |`;
  return out;
}

export function spanOf(cell: DomElement, attribute: 'colspan' | 'rowspan', max: number): number {
  const span = Number.parseInt(cell.getAttribute(attribute) ?? '1', 10);
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), max) : 1;
}
