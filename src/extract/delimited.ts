import { SHEET_COLUMNS_MAX } from '#core/limits.ts';

/**
 * Rows of quoted, delimited text (RFC 4180): quotes double inside quotes, which may hold delimiters and line ends.
 * A quote inside an unquoted cell is text; one that is never closed ends with the source. Blank lines are no rows.
 * Of a row that is too long, one cell more than `SHEET_COLUMNS_MAX` is kept.
 */
export function parseDelimited(
  source: string,
  delimiter: string,
  rowsMax: number,
): { rows: string[][]; more: boolean } {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < source.length) {
    if (rows.length === rowsMax) return { rows, more: source.slice(at).trim() !== '' };
    const { cell, end } = source.charAt(at) === '"' ? quoted(source, at, delimiter) : bare(source, at, delimiter);
    if (row.length <= SHEET_COLUMNS_MAX) row.push(cell);
    at = end + 1;
    const atDelimiter = source.charAt(end) === delimiter;
    if (atDelimiter && at === source.length && row.length <= SHEET_COLUMNS_MAX) row.push('');
    if (atDelimiter && at < source.length) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return { rows, more: false };
}

type Cell = { cell: string; end: number };

function bare(source: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < source.length && source.charAt(end) !== delimiter && source.charAt(end) !== '\n') end += 1;
  return { cell: source.slice(start, end), end };
}

function quoted(source: string, start: number, delimiter: string): Cell {
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) return { cell: parts.join('') + source.slice(at), end: source.length };
    parts.push(source.slice(at, quote));
    at = quote + 1;
    if (source.charAt(at) !== '"') break;
    parts.push('"');
    at += 1;
  }
  // What follows a closing quote belongs to the cell as it stands.
  const rest = bare(source, at, delimiter);
  return { cell: parts.join('') + rest.cell, end: rest.end };
}
