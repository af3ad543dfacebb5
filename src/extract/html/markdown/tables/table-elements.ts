import { TABLE_COLUMNS_MAX } from '#extract/limits.ts';
import { isBlank } from '#core/text/blank.ts';
import type { DomElement } from '#extract/html/tree.ts';
import {
  enterBold,
  findNoteIconLabel,
  isAdmonition,
  isNoteIcon,
  isNoteTitle,
  writeBoldLabel,
} from '#extract/html/markdown/block-elements.ts';
import type { EnterResult, MarkdownWriter } from '#extract/html/markdown/markdown-writer.ts';
import { ROW_SPAN_MAX, readCellSpan, classifyTable } from '#extract/html/table-form.ts';
import { MarkdownTableBuilder } from './table.ts';
import { escapeInline, PLAIN_CONTEXT } from '#extract/escape.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { BLOCK_TAGS, isText, nextInside } from '#extract/html/tree.ts';

export function enterTablePart(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (name === 'table') return enterTable(element, writing);
  if (name === 'colgroup') return 'skip';
  const table = writing.tables.at(-1) ?? null;
  if (table === null) return enterLayoutPart(element, writing);
  if (name === 'tr') {
    const group = element.parentElement;
    if (!(table instanceof MarkdownTableBuilder)) return table.enterRow(element, group);
    table.startRow(group?.localName === 'thead', group);
    return 'descend';
  }
  if (name === 'td' || name === 'th') {
    return table instanceof MarkdownTableBuilder
      ? enterCell(element, name === 'th', table, writing)
      : table.enterCell(element);
  }
  if (name === 'caption')
    return table instanceof MarkdownTableBuilder ? enterCaption(table, writing) : enterBold(writing);
  return 'descend';
}

function enterLayoutPart(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  const isCell = name === 'td' || name === 'th';
  if (isNoteIcon(element)) return 'skip';
  if (!writing.isLine() && isNoteTitle(element)) return enterBold(writing);
  if (writing.isLine() && isCell) {
    if (writing.isCell()) writeCellBorder(element, writing);
    else writing.space();
    return 'descend';
  }
  writing.breakBlock();
  return () => writing.breakBlock();
}

/**
 * Writes `|` between the cells of a table that is inside a cell of another table. Its rows become lines of text there.
 */
function writeCellBorder(cell: DomElement, writing: MarkdownWriter): void {
  const row = cell.parentElement;
  writing.space();
  if (row === null || cell.previousElementSibling === null || writing.isBlankRow(row)) return;
  writing.atom('\\|');
  writing.space();
}

function enterTable(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const note = writing.isLine() ? null : findNoteIconLabel(element);
  if (note !== null) return enterNoteTable(element, note, writing);
  const form = writing.isLine() ? 'layout' : classifyTable(element);
  if (form === 'layout') {
    writing.tables.push(null);
    return () => {
      writing.breakBlock();
      writing.tables.pop();
    };
  }
  if (form === 'records') {
    const records = new Records(writing);
    writing.tables.push(records);
    return () => {
      writing.tables.pop();
      records.end();
    };
  }
  const table = new MarkdownTableBuilder(writing.repeats);
  writing.tables.push(table);
  return () => {
    writing.tables.pop();
    if (table.caption !== '') writing.blocks.paragraph(table.caption);
    const lines = table.toLines();
    if (lines.length > 0) writing.blocks.write(lines, 'blank', table.anchors());
    else for (const { name } of table.anchors()) writing.blocks.anchor(name);
  };
}

/** Writes a note that is laid out as a table like other notes. @param name label of its icon, if it has no title */
function enterNoteTable(element: DomElement, name: string, writing: MarkdownWriter): EnterResult {
  const isInNote = element.parentElement !== null && isAdmonition(element.parentElement);
  if (!isInNote) writing.blocks.push('> ', '> ', false);
  if (name !== '' && element.querySelector('th') === null) writeBoldLabel(name, writing);
  writing.tables.push(null);
  return () => {
    writing.breakBlock();
    writing.tables.pop();
    if (!isInNote) writing.blocks.pop();
  };
}

function enterCell(
  element: DomElement,
  isHeader: boolean,
  table: MarkdownTableBuilder,
  writing: MarkdownWriter,
): EnterResult {
  writing.startLine('html');
  return () => {
    const text = writing.endLine();
    table.addCell(
      text,
      readCellSpan(element, 'colspan', TABLE_COLUMNS_MAX),
      readCellSpan(element, 'rowspan', ROW_SPAN_MAX),
      isHeader,
    );
  };
}

function enterCaption(table: MarkdownTableBuilder, writing: MarkdownWriter): EnterResult {
  writing.startLine('space');
  return () => {
    table.caption = writing.endLine();
  };
}

/** Matches a colon at the end of a column's name, which is removed, because `Records` adds one. */
const COLON = /:\s*(\*\*)?$/;

type Column = { label: string; above: string; rows: number };

/**
 * Writes a table whose cells are too large for one line as a list: one item per row, with each cell after the name of
 * its column. A cell that spans several rows is repeated in each.
 */
class Records {
  private readonly writing: MarkdownWriter;
  private readonly columns: Column[] = [];
  private readonly marker: string;
  private group: DomElement | null = null;
  private isBegun = false;
  private isHeader = false;
  private isOneCell = false;
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
    this.isOneCell = cells.length === 1 && row.children.length === 1;
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
    const columns = readCellSpan(cell, 'colspan', TABLE_COLUMNS_MAX);
    const rows = readCellSpan(cell, 'rowspan', ROW_SPAN_MAX);
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
    const labels = new Set<string>();
    for (let column = 0; column < columns && this.at < TABLE_COLUMNS_MAX; column += 1, this.at += 1) {
      const own = (this.columns[this.at] ??= { label: '', above: '', rows: 0 });
      own.above = column === 0 ? text : '';
      own.rows = rows - 1;
      if (!this.isOneCell) labels.add(own.label);
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

/** True if a cell begins with text, not with a list or code: the text then continues the line of its column's name. */
function beginsWithText(cell: DomElement): boolean {
  for (let node = cell.firstChild; node !== null; node = nextInside(cell, node)) {
    if (isText(node)) {
      if (!isBlank(node.textContent)) return true;
    } else if (BLOCK_TAGS.has(node.localName) && node.localName !== 'p' && node.localName !== 'div') return false;
  }
  return false;
}

function textOf(cell: DomElement): string {
  const text = sanitizeText(cell.textContent).replace(/\s+/g, ' ').trim();
  return escapeInline(text, PLAIN_CONTEXT);
}
