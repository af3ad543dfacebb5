import { TABLE_COLUMNS_MAX } from '#extract/limits.ts';
import type { DomElement } from '#extract/html/tree.ts';
import type { NamedAnchor } from '#extract/html/markdown/blocks.ts';

type Cell = { text: string; columns: number; rows: number; isHeader: boolean };
/** Characters that cells over several rows or columns may still repeat, in all tables of the page together. */
export type SpanRepeatBudget = { left: number };
type Row = { cells: Cell[]; inHead: boolean; startsGroup: boolean };

export class MarkdownTableBuilder {
  caption = '';
  private readonly repeats: SpanRepeatBudget;
  private readonly rows: Row[] = [];
  private group: DomElement | null = null;
  private readonly names: { name: string; row: number }[] = [];

  constructor(repeats: SpanRepeatBudget) {
    this.repeats = repeats;
  }

  /** @param group the element around the row, such as `tbody`. No cell extends beyond its group. */
  startRow(inHead: boolean, group: DomElement | null): void {
    this.rows.push({ cells: [], inHead, startsGroup: group !== this.group });
    this.group = group;
  }

  anchor(name: string): void {
    this.names.push({ name, row: Math.max(0, this.rows.length - 1) });
  }

  addCell(text: string, columns: number, rows: number, isHeader: boolean): void {
    if (this.rows.length === 0) this.startRow(false, null);
    this.rows.at(-1)?.cells.push({ text, columns, rows, isHeader });
  }

  anchors(): NamedAnchor[] {
    // The Markdown table has one line more than the HTML table (the delimiter row), or two more if the HTML table has
    // no header.
    const extra = this.hasHeader() ? 1 : 2;
    return this.names.map(({ name, row }) => ({ name, line: row === 0 && extra === 1 ? 0 : row + extra }));
  }

  /** Returns the lines of the Markdown table; none if all cells are empty. */
  toLines(): string[] {
    const grid = this.expand();
    const width = this.width(grid);
    if (width === 0 || !grid.some((row) => row.some((cell) => cell !== ''))) return [];
    const hasHeader = this.hasHeader();
    const header = hasHeader ? (grid[0] ?? []) : [];
    const body = hasHeader ? grid.slice(1) : grid;
    const head = header.length === 0 ? Array.from({ length: width }, () => '') : header;
    return [line(head, width), `|${' --- |'.repeat(width)}`, ...body.map((row) => line(row, width))];
  }

  private hasHeader(): boolean {
    const [first] = this.rows;
    if (first === undefined || first.cells.length === 0) return false;
    return first.inHead || areHeaders(first.cells);
  }

  private width(grid: readonly string[][]): number {
    let width = 0;
    for (const row of grid) width = Math.max(width, row.length);
    return width;
  }

  private expand(): string[][] {
    // Spans are filled only up to the last cell of a row, because the full grid could be much larger than the page.
    const pending: { text: string; rows: number }[] = [];
    return this.rows.map((row) => {
      const out: string[] = [];
      if (row.startsGroup) pending.length = 0;
      const fillFromAbove = () => {
        for (let above = pending[out.length]; above !== undefined && above.rows > 0; above = pending[out.length]) {
          above.rows -= 1;
          out.push(this.repeated(above.text));
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

  private repeated(text: string): string {
    if (text.length > this.repeats.left) return '';
    this.repeats.left -= text.length;
    return text;
  }

  /**
   * Adds a cell to a row. A cell over several columns is repeated in each, so that each row can be read alone. The only
   * cell of a row is a heading and is not repeated.
   */
  private placeCell(cell: Cell, cellsInRow: number, out: string[], pending: { text: string; rows: number }[]): void {
    const isWholeRow = cellsInRow === 1;
    const columns = isWholeRow && cell.rows === 1 ? 1 : cell.columns;
    for (let column = 0; column === 0 || (column < columns && out.length < TABLE_COLUMNS_MAX); column += 1) {
      const text = column === 0 ? cell.text : isWholeRow ? '' : this.repeated(cell.text);
      if (out.length < TABLE_COLUMNS_MAX)
        pending[out.length] = { text: column > 0 && isWholeRow ? '' : cell.text, rows: cell.rows - 1 };
      out.push(text);
    }
  }
}

/** True if the cells are column headers. The corner above row headers may be an empty plain cell. */
function areHeaders([corner, ...cells]: readonly Cell[]): boolean {
  if (!cells.every((cell) => cell.isHeader)) return false;
  return corner?.isHeader === true || (corner?.text === '' && cells.length > 0);
}

/** Writes a table row. Empty cells fill short rows, except in very wide tables, which would become too large. */
function line(cells: readonly string[], width: number): string {
  let out = '|';
  const columns = width > TABLE_COLUMNS_MAX ? Math.max(1, cells.length) : width;
  for (let column = 0; column < columns; column += 1) out += ` ${cells[column] ?? ''} |`;
  return out;
}
