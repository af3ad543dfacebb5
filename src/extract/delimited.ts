import { SHEET_COLUMNS_MAX } from './limits.ts';
import type { Steps } from '#core/turns.ts';

const QUOTE = 0x22;
const LINE_END = 0x0a;
/** How many characters are read between two pauses. They cost about as much as the same amount of prose. */
const STEP_CHARS = 50_000;
const CHAR_COST = 0.2;

/**
 * Parses rows of quoted, delimited text (RFC 4180). A cell in quotes may hold delimiters and line ends; a doubled quote
 * stands for one. A quote inside an unquoted cell is text. A quote that is never closed ends with the source. Blank
 * lines are not rows. Of a row that is too long, `SHEET_COLUMNS_MAX` cells and one more are kept.
 */
export function* parseDelimited(
  source: string,
  delimiter: string,
  rowsMax: number,
): Steps<{ rows: string[][]; more: boolean }> {
  const rows: string[][] = [];
  let row: string[] = [];
  let told = 0;
  for (let at = 0; at < source.length;) {
    if (at - told > STEP_CHARS) {
      yield (at - told) * CHAR_COST;
      told = at;
    }
    if (rows.length === rowsMax) return { rows, more: source.slice(at).trim() !== '' };
    const end = endOfCell(source, at, delimiter.charCodeAt(0));
    if (row.length <= SHEET_COLUMNS_MAX) row.push(cellOf(source, at, end));
    at = end + 1;
    const atDelimiter = source.charAt(end) === delimiter;
    if (atDelimiter && at === source.length && row.length <= SHEET_COLUMNS_MAX) row.push('');
    if (atDelimiter && at < source.length) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return { rows, more: false };
}

/** Text after a closing quote belongs to the cell. */
function endOfCell(source: string, start: number, delimiter: number): number {
  let end = source.charCodeAt(start) === QUOTE ? closingQuote(source, start) + 1 : start;
  for (; end < source.length; end += 1) {
    const code = source.charCodeAt(end);
    if (code === delimiter || code === LINE_END) return end;
  }
  return source.length;
}

function cellOf(source: string, start: number, end: number): string {
  if (source.charCodeAt(start) !== QUOTE) return source.slice(start, end);
  const close = closingQuote(source, start);
  return source.slice(start + 1, close).replaceAll('""', '"') + source.slice(close + 1, end);
}

/** Where the cell whose quote opens at `open` is closed. If it never is, the end of the source. */
function closingQuote(source: string, open: number): number {
  let at = source.indexOf('"', open + 1);
  while (at >= 0 && source.charCodeAt(at + 1) === QUOTE) at = source.indexOf('"', at + 2);
  return at < 0 ? source.length : at;
}
