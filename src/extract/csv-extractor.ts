import { KIB } from '#core/limits.ts';
import { SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from './limits.ts';
import { toExtracted } from './extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from './extractor.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { trimEndMatching } from '#core/text/text.ts';
import { runToEnd, runWithPauses, noPause } from '#core/flow/turns.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { escapeInline, escapeLineStart, PLAIN_CONTEXT } from './escape.ts';

/** Characters of a CSV file used to guess the delimiter: enough for `SAMPLE_ROWS` rows of any ordinary table. */
const CSV_SAMPLE_CHARS_MAX = 64 * KIB;

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_ROWS = 25;

/** Turns CSV (RFC 4180, with any usual delimiter) and TSV into one Markdown table. The first row is the header. */
export const csvExtractor: Extractor = { id: 'csv', version: '3', extract: extractCsv };

async function extractCsv(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const source = sanitizeText(input.text).replace(/^\n+/, '');
  const declared = /^sep=(.)\n/.exec(source)?.[1];
  const { comments, body } = takeComments(declared === undefined ? source : source.slice(6));
  const delimiter = declared ?? (input.kind === 'tsv' ? '\t' : delimiterOf(body));
  const { rows: all, more } = await runWithPauses(parseDelimited(body, delimiter, SHEET_ROWS_MAX + 1), pause);
  const titles = countTitleRows(all);
  const rows = all.slice(titles);
  const cuts = more ? [`The table has more than ${SHEET_ROWS_MAX} rows: the rest were left out.`] : [];
  if (rows.some((row) => row.length > SHEET_COLUMNS_MAX)) {
    cuts.push(`The table has more than ${SHEET_COLUMNS_MAX} columns: the rest were left out.`);
  }
  const isEmpty = rows.every((row) => row.every((cell) => cell.trim() === ''));
  const above = [...comments, ...all.slice(0, titles).map((row) => row.join(' '))].flatMap(writeLineAbove);
  const table = isEmpty ? [] : await runWithPauses(writeSheetTable(rows), pause);
  const markdown = [...above, ...table];
  return toExtracted(csvExtractor, { title: null, markdown, cuts, strategy: 'table' }, input);
}

/** Maximum lines before a table that are comments or titles. */
const LINES_ABOVE_MAX = 50;

/** Rows below a comment whose widths are compared with it. */
const ROWS_BELOW = 5;

/**
 * Takes the lines that begin with `#` from the start of a file. The last of them names the columns if it has as many
 * cells as a row below, as in `#Name,Size`. A file with only such lines has no comments.
 */
function takeComments(source: string): { comments: string[]; body: string } {
  const comments: string[] = [];
  let from = 0;
  while (source.charAt(from) === '#' && comments.length < LINES_ABOVE_MAX) {
    const end = source.indexOf('\n', from);
    if (end < 0) return { comments: [], body: source };
    if (namesColumns(source.slice(from, from + CSV_SAMPLE_CHARS_MAX))) break;
    comments.push(source.slice(from, end));
    from = end + 1;
  }
  return source.slice(from).trim() === '' ? { comments: [], body: source } : { comments, body: source.slice(from) };
}

/** True if the first line names the columns of the rows below. Those are one row if it may be a comment, too. */
function namesColumns(source: string): boolean {
  const isAboveComment = /^[^\n]*\n#/.test(source);
  const tables = DELIMITERS.map(
    (delimiter) => runToEnd(parseDelimited(source, delimiter, isAboveComment ? 2 : 1 + ROWS_BELOW)).rows,
  );
  const isNamed = ([head = [], ...below]: string[][]) =>
    head.length > 1 && (head[0]?.trim() === '#' || below.some((row) => row.length === head.length));
  if (tables.some(isNamed)) return true;
  return (
    !isAboveComment &&
    /^#[^\s#!]/.test(source) &&
    tables.every((rows) => rows.length > 1 && rows.every((row) => row.length === 1))
  );
}

const NUMBER = /^[-+\d.,:/%\s]+$/;

/** Counts the rows with one cell above the names of the columns, which fill a row and are no numbers. */
function countTitleRows(rows: readonly (readonly string[])[]): number {
  const head = rows.slice(0, LINES_ABOVE_MAX).findIndex((row) => filledCells(row) > 1);
  const cells = rows[head] ?? [];
  const width = rows[head + 1]?.length ?? 0;
  const isHead = cells.length >= width && cells.every((cell) => cell.trim() !== '' && !NUMBER.test(cell.trim()));
  return head > 0 && isHead ? head : 0;
}

function filledCells(row: readonly string[]): number {
  return row.filter((cell) => cell.trim() !== '').length;
}

function writeLineAbove(line: string): string[] {
  const text = line.replace(/^#+/, '').replace(/\s+/g, ' ').trim();
  return text === '' ? [] : [escapeLineStart(escapeInline(text, PLAIN_CONTEXT)), ''];
}

/**
 * Guesses the delimiter: the one that divides the first row into many cells, and most rows into equally many. A first
 * row that is not divided may be a title, which counts less.
 */
function delimiterOf(source: string): string {
  let best = { delimiter: ',', score: 0 };
  const sample = source.slice(0, CSV_SAMPLE_CHARS_MAX);
  for (const delimiter of DELIMITERS) {
    const { rows } = runToEnd(parseDelimited(sample, delimiter, SAMPLE_ROWS));
    const head = rows.findIndex((row) => filledCells(row) > 1);
    const width = rows[head]?.length ?? 1;
    const below = rows.slice(head);
    const alike = below.filter((row) => row.length === width).length / Math.max(1, below.length);
    const score = width < 2 ? 0 : alike * alike * Math.log2(width + 1) * (head === 0 ? 1 : TITLED_SHARE);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Share of the score of a delimiter that does not divide the first row. */
const TITLED_SHARE = 0.5;

const QUOTE = 0x22;
const LINE_END = 0x0a;
/** Characters of CSV parsed between two pauses. `CHAR_COST` is the cost of one relative to a character of prose. */
const STEP_CHARS = 50_000;
const CHAR_COST = 0.2;

/**
 * Parses rows of quoted, delimited text (RFC 4180), leniently: a quote inside an unquoted cell is text, and an unclosed
 * quote extends to the end. Empty lines are not rows. A long row is cut after `SHEET_COLUMNS_MAX` + 1 cells, so that
 * the caller can report the cut.
 */
export function* parseDelimited(
  source: string,
  delimiter: string,
  rowsMax: number,
): WorkSteps<{ rows: string[][]; more: boolean }> {
  const rows: string[][] = [];
  let row: string[] = [];
  let yieldedAt = 0;
  for (let at = 0; at < source.length;) {
    if (at - yieldedAt > STEP_CHARS) {
      yield (at - yieldedAt) * CHAR_COST;
      yieldedAt = at;
    }
    if (rows.length === rowsMax) return { rows, more: source.slice(at).trim() !== '' };
    const start = startOfCell(source, at, delimiter);
    const end = endOfCell(source, start, delimiter.charCodeAt(0));
    if (row.length <= SHEET_COLUMNS_MAX) row.push(cellOf(source, start, end));
    at = end + 1;
    const atDelimiter = source.charAt(end) === delimiter;
    if (atDelimiter && at === source.length && row.length <= SHEET_COLUMNS_MAX) row.push('');
    if (atDelimiter && at < source.length) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return { rows, more: false };
}

/** Maximum spaces before the quote of a cell. */
const SPACES_MAX = 20;

/** Skips the spaces before a cell's quote, as in `a, "b"`, if only the end of the cell is after its closing quote. */
function startOfCell(source: string, from: number, delimiter: string): number {
  let quote = from;
  while (source.charAt(quote) === ' ' && quote - from < SPACES_MAX) quote += 1;
  if (quote === from || source.charCodeAt(quote) !== QUOTE) return from;
  const after = source.charAt(closingQuote(source, quote) + 1);
  return after === delimiter || after === '\n' ? quote : from;
}

/** Returns the end of a cell. Malformed text after a closing quote, as in `"a"b,`, still belongs to the cell. */
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

function closingQuote(source: string, open: number): number {
  let at = source.indexOf('"', open + 1);
  while (at >= 0 && source.charCodeAt(at + 1) === QUOTE) at = source.indexOf('"', at + 2);
  return at < 0 ? source.length : at;
}

const IN_CELL = { inLink: false, inCell: true };

/**
 * Writes rows of plain text as a Markdown table. All rows get the same number of cells. The first row is the header.
 * @param written turns a cell into Markdown, given the cell's text, row and column
 */
export function* writeSheetTable(
  rows: readonly (readonly string[])[],
  written: (text: string, row: number, column: number) => string = (text) => markdownCell(text),
): WorkSteps<string[]> {
  const width = Math.min(
    SHEET_COLUMNS_MAX,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  const table: string[] = [];
  for (const [index, row] of rows.slice(0, SHEET_ROWS_MAX + 1).entries()) {
    const cells = Array.from({ length: width }, (_, column) => written(row[column] ?? '', index, column));
    const line = `| ${cells.join(' | ')} |`;
    table.push(line);
    if (table.length === 1) table.push(`|${' --- |'.repeat(width)}`);
    yield line.length;
  }
  return table;
}

const BLANK = /[ \t]/;

export function markdownCell(text: string, inLink = false): string {
  const cell = escapeInline(text.trim(), { ...IN_CELL, inLink });
  if (!cell.includes('\n')) return cell;
  return cell
    .split('\n')
    .map((line) => trimEndMatching(line.replace(/^[ \t]+/, ''), BLANK))
    .join('<br>');
}
