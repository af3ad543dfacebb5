import { TABLE_COLUMNS_MAX } from '#extract/limits.ts';
import { escapeInline } from '#extract/escape.ts';
import { toPlain } from '#core/text/plain.ts';
import { BLOCK_TAGS, isText, nextInside } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { isBlank } from '#core/text/blank.ts';
import type { EnterResult, MarkdownWriter } from '#extract/html/markdown/markdown-writer.ts';
import { ROW_SPAN_MAX, spanOf } from './table.ts';

/** A header may end in one. */
const COLON = /:\s*(\*\*)?$/;

type Column = { label: string; above: string; rows: number };

/**
 * Writes a table whose cells hold too much for a line: each row is a list item with its cells in order, each behind the
 * name of its column. A cell over several rows is told in each of them, as text.
 */
export class Records {
  private readonly writing: MarkdownWriter;
  private readonly columns: Column[] = [];
  private readonly marker: string;
  private group: DomElement | null = null;
  private isBegun = false;
  private isHeader = false;
  private at = 0;

  constructor(writing: MarkdownWriter) {
    this.writing = writing;
    this.marker = writing.blocks.listMarker('-', '*');
  }

  enterRow(row: DomElement, group: DomElement | null): EnterResult {
    const cells = row.children.filter(({ localName }) => localName === 'td' || localName === 'th');
    if (cells.length === 0) return 'skip';
    this.isHeader = !this.isBegun && cells.every(({ localName }) => localName === 'th') && cells.length > 1;
    this.isBegun = true;
    if (group !== this.group) for (const column of this.columns) column.rows = 0;
    this.group = group;
    this.at = 0;
    if (this.isHeader) return 'descend';
    const { writing } = this;
    writing.breakBlock();
    writing.blocks.push(`${this.marker} `, '  ', false);
    return () => {
      this.tellAbove();
      writing.blocks.pop();
    };
  }

  enterCell(cell: DomElement): EnterResult {
    const columns = spanOf(cell, 'colspan', TABLE_COLUMNS_MAX);
    const rows = spanOf(cell, 'rowspan', ROW_SPAN_MAX);
    return this.isHeader ? this.enterHeader(columns) : this.enterValue(cell, columns, rows);
  }

  end(): void {
    this.writing.breakBlock();
    this.writing.blocks.endList(this.marker);
  }

  private enterHeader(columns: number): EnterResult {
    const { writing } = this;
    writing.startLine('space');
    const mark = writing.openMark('strong', '**', '**');
    return () => {
      if (mark !== null) writing.closeMark(mark);
      const label = writing.endLine().replace(COLON, '$1');
      for (let column = 0; column < columns && this.columns.length < TABLE_COLUMNS_MAX; column += 1)
        this.columns.push({ label, above: '', rows: 0 });
    };
  }

  private enterValue(cell: DomElement, columns: number, rows: number): EnterResult {
    this.tellAbove();
    const { writing } = this;
    const text = rows > 1 ? textOf(cell) : '';
    const isAlone = cell.parentElement?.children.length === 1;
    const labels = new Set<string>();
    for (let column = 0; column < columns && this.at < TABLE_COLUMNS_MAX; column += 1, this.at += 1) {
      const own = (this.columns[this.at] ??= { label: '', above: '', rows: 0 });
      own.above = column === 0 ? text : '';
      own.rows = rows - 1;
      if (!isAlone) labels.add(own.label);
    }
    const label = this.repeated([...labels].filter((name) => name !== '').join(', '));
    if (label !== '' && beginsWithText(cell)) writing.raw(`${label}: `);
    else if (label !== '') {
      writing.atom(`${label}:`);
      writing.space();
    }
    return () => {
      writing.breakBlock();
      writing.raw('');
    };
  }

  /** The cells that rows above extend into this one. */
  private tellAbove(): void {
    const { writing } = this;
    for (let column = this.columns[this.at]; column !== undefined && column.rows > 0; column = this.columns[this.at]) {
      column.rows -= 1;
      this.at += 1;
      const text = this.repeated(column.above);
      if (text === '') continue;
      const label = this.repeated(column.label);
      writing.blocks.paragraph(label === '' ? text : `${label}: ${text}`);
    }
  }

  private repeated(text: string): string {
    const { repeats } = this.writing;
    if (text.length > repeats.left) return '';
    repeats.left -= text.length;
    return text;
  }
}

/** Whether a paragraph comes first. It continues the line of the label. */
function beginsWithText(cell: DomElement): boolean {
  for (let node = cell.firstChild; node !== null; node = nextInside(cell, node)) {
    if (isText(node)) {
      if (!isBlank(node.textContent)) return true;
    } else if (BLOCK_TAGS.has(node.localName) && node.localName !== 'p' && node.localName !== 'div') return false;
  }
  return false;
}

function textOf(cell: DomElement): string {
  const text = toPlain(cell.textContent).replace(/\s+/g, ' ').trim();
  return escapeInline(text, { inLink: false, inCell: false });
}
