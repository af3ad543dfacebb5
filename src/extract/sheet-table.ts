import { SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from '#core/limits.ts';
import { escapeInline } from './escape.ts';

const IN_CELL = { inLink: false, inCell: true };

/** Rows of plain text as a Markdown table of even width; the first row is the head. Line ends become `<br>`. */
export function sheetTable(rows: readonly (readonly string[])[]): string[] {
  const width = Math.min(
    SHEET_COLUMNS_MAX,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  const [head = [], ...body] = rows.slice(0, SHEET_ROWS_MAX + 1);
  const rule = `|${' --- |'.repeat(width)}`;
  return [line(head, width), rule, ...body.map((row) => line(row, width))];
}

function line(row: readonly string[], width: number): string {
  const cells = Array.from({ length: width }, (_, index) => cellOf(row[index] ?? ''));
  return `| ${cells.join(' | ')} |`;
}

function cellOf(text: string): string {
  return escapeInline(text.trim(), IN_CELL).replace(/[ \t]*\n[ \t]*/g, '<br>');
}
