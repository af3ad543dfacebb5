import { TABLE_COLUMNS_MAX } from '#extract/limits.ts';
import { isBlank } from '#core/text/blank.ts';
import type { DomElement } from '#extract/html/tree.ts';
import {
  enterBold,
  iconNote,
  isAdmonition,
  isNoteIcon,
  isNoteTitle,
  writeLabel,
} from '#extract/html/markdown/block-elements.ts';
import type { EnterResult, MarkdownWriter } from '#extract/html/markdown/markdown-writer.ts';
import { Records } from './records.ts';
import { tableForm } from './table-form.ts';
import { ROW_SPAN_MAX, Table, spanOf } from './table.ts';

export function enterTablePart(element: DomElement, writing: MarkdownWriter): EnterResult {
  const name = element.localName;
  if (name === 'table') return enterTable(element, writing);
  if (name === 'colgroup') return 'skip';
  const table = writing.tables.at(-1) ?? null;
  if (table === null) return enterLayoutPart(element, writing);
  if (name === 'tr') {
    const group = element.parentElement;
    if (!(table instanceof Table)) return table.enterRow(element, group);
    table.startRow(group?.localName === 'thead', group);
    return 'descend';
  }
  if (name === 'td' || name === 'th') {
    return table instanceof Table ? enterCell(element, name === 'th', table, writing) : table.enterCell(element);
  }
  if (name === 'caption') return table instanceof Table ? enterCaption(table, writing) : enterBold(writing);
  return 'descend';
}

/** Of a table that only lays out the page, or that stands in a line. */
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

/** In a cell, the rows of a table are lines, with a `|` between their cells. */
function writeCellBorder(cell: DomElement, writing: MarkdownWriter): void {
  const row = cell.parentElement;
  const isFirst = row === null || row.children[0] === cell;
  writing.space();
  if (isFirst || isBlank(row.textContent)) return;
  writing.atom('\\|');
  writing.space();
}

function enterTable(element: DomElement, writing: MarkdownWriter): EnterResult {
  writing.breakBlock();
  const note = writing.isLine() ? null : iconNote(element);
  if (note !== null) return enterNoteTable(element, note, writing);
  const form = writing.isLine() ? 'layout' : tableForm(element);
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
  const table = new Table(writing.repeats);
  writing.tables.push(table);
  return () => {
    writing.tables.pop();
    if (table.caption !== '') writing.blocks.paragraph(table.caption);
    const lines = table.toLines();
    if (lines.length > 0) writing.blocks.write(lines, 'blank', table.anchors());
    else for (const { name } of table.anchors()) writing.blocks.anchor(name);
  };
}

/** Writes it like a note that is drawn with boxes. @param name the label from its icon, for a note without a title */
function enterNoteTable(element: DomElement, name: string, writing: MarkdownWriter): EnterResult {
  const isInNote = element.parentElement !== null && isAdmonition(element.parentElement);
  if (!isInNote) writing.blocks.push('> ', '> ', false);
  if (name !== '' && element.querySelector('th') === null) writeLabel(name, writing);
  writing.tables.push(null);
  return () => {
    writing.breakBlock();
    writing.tables.pop();
    if (!isInNote) writing.blocks.pop();
  };
}

function enterCell(element: DomElement, isHeader: boolean, table: Table, writing: MarkdownWriter): EnterResult {
  writing.startLine('html');
  return () => {
    const text = writing.endLine();
    table.addCell(
      text,
      spanOf(element, 'colspan', TABLE_COLUMNS_MAX),
      spanOf(element, 'rowspan', ROW_SPAN_MAX),
      isHeader,
    );
  };
}

function enterCaption(table: Table, writing: MarkdownWriter): EnterResult {
  writing.startLine('space');
  return () => {
    table.caption = writing.endLine();
  };
}
