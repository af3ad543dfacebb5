import { TABLE_COLUMNS_MAX } from '#extract/html/limits.ts';
import type { DomElement } from '#extract/html/tree.ts';
import { enterBold, iconNote, isAdmonition, isNoteIcon, isNoteTitle, writeLabel } from './block-elements.ts';
import { Table, isDataTable, spanOf } from './table.ts';
import type { Entered, Writing } from './writing.ts';

/** HTML's own limit for `rowspan`. */
const ROW_SPAN_MAX = 65_534;

export function enterTablePart(element: DomElement, writing: Writing): Entered {
  const name = element.localName;
  if (name === 'table') return enterTable(element, writing);
  if (name === 'colgroup') return 'skip';
  const table = writing.tables.at(-1);
  if (table === undefined || table === null) {
    if (isNoteIcon(element)) return 'skip';
    if (!writing.isLine() && isNoteTitle(element)) return enterBold(writing);
    if (writing.isLine() && (name === 'td' || name === 'th')) {
      writing.space();
      return 'descend';
    }
    writing.breakBlock();
    return () => writing.breakBlock();
  }
  if (name === 'tr') {
    const group = element.parentElement;
    table.startRow(group?.localName === 'thead', group);
    return 'descend';
  }
  if (name === 'td' || name === 'th') return enterCell(element, name === 'th', table, writing);
  if (name === 'caption') return enterCaption(table, writing);
  return 'descend';
}

function enterTable(element: DomElement, writing: Writing): Entered {
  writing.breakBlock();
  const note = writing.isLine() ? null : iconNote(element);
  if (note !== null) return enterNoteTable(element, note, writing);
  if (writing.isLine() || !isDataTable(element)) {
    writing.tables.push(null);
    return () => {
      writing.breakBlock();
      writing.tables.pop();
    };
  }
  const table = new Table(writing.repeats);
  writing.tables.push(table);
  return () => {
    writing.tables.pop();
    if (table.caption !== '') writing.blocks.paragraph(table.caption);
    const lines = table.toLines();
    if (lines.length > 0) writing.blocks.write(lines, 'blank', table.places());
    else for (const { name } of table.places()) writing.blocks.anchor(name);
  };
}

/** Writes it like a note that is drawn with boxes. @param name the label from its icon, for a note without a title */
function enterNoteTable(element: DomElement, name: string, writing: Writing): Entered {
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

function enterCell(element: DomElement, isHeader: boolean, table: Table, writing: Writing): Entered {
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

function enterCaption(table: Table, writing: Writing): Entered {
  writing.startLine('space');
  return () => {
    table.caption = writing.endLine();
  };
}
