import { SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from './limits.ts';
import type { Steps } from '#core/turns.ts';
import { escapeInline } from './escape.ts';

const IN_CELL = { inLink: false, inCell: true };

/**
 * Rows of plain text as a Markdown table in which every row has the same number of cells. The first row is the header.
 * Line ends become `<br>`.
 */
export function* sheetTable(rows: readonly (readonly string[])[]): Steps<string[]> {
  const width = Math.min(
    SHEET_COLUMNS_MAX,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  const table: string[] = [];
  for (const row of rows.slice(0, SHEET_ROWS_MAX + 1)) {
    const written = line(row, width);
    table.push(written);
    if (table.length === 1) table.push(`|${' --- |'.repeat(width)}`);
    yield written.length;
  }
  return table;
}

function line(row: readonly string[], width: number): string {
  const cells = Array.from({ length: width }, (_, index) => cellOf(row[index] ?? ''));
  return `| ${cells.join(' | ')} |`;
}

function cellOf(text: string): string {
  return escapeInline(text.trim(), IN_CELL).replace(/[ \t]*\n[ \t]*/g, '<br>');
}
