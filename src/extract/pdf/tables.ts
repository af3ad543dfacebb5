import { gridOf } from './grid.ts';
import type { Grid } from './grid.ts';
import { VALUE_FONT } from '#extract/pdf/drawn/annotations.ts';
import type { Line } from './segments.ts';

/** Lines of a region that are one table, from `from` to before `to`. */
export type Table = { from: number; to: number; markdown: string[]; isCertain: boolean };

/** Multiples of the text size between two rows. */
const PITCH_MAX = 3;
/** Lines in a row that have one cell only, such as the name of a group. */
const SINGLE_MAX = 2;
/** Share of the width of the rows so far. */
const SINGLE_WIDTH_MAX = 0.6;
const CELLS_MIN = 3;
const ROWS_MIN = 3;
/** Positions of cells that are in no columns, in letters of half the text size. */
const LETTER = 0.5;
const COLUMN_MAX = 160;
const NUMERIC_CHARACTERS = /^[\d\s.,:%‰€$£¥+±<>=()/−–-]+$/;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const BLANK = /^[-–—.…]?$/;

/** Finds rows of cells that stand below each other. `isRow` says which lines may be rows. */
export function tablesIn(lines: readonly Line[], isRow: (line: Line) => boolean): Table[] {
  const tables: Table[] = [];
  for (let from = 0; from < lines.length; from += 1) {
    const to = endOfRows(lines, from, isRow);
    if (to - from < 2) continue;
    const table = tableOf(lines.slice(from, to));
    if (table !== null) tables.push({ from, to, ...table });
    from = to - 1;
  }
  return tables;
}

function endOfRows(lines: readonly Line[], from: number, isRow: (line: Line) => boolean): number {
  const first = lines[from];
  if (first === undefined || first.cells.length < 2 || !isRow(first)) return from;
  let { left, right } = first;
  let end = from + 1;
  let single = 0;
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at];
    const before = lines[at - 1];
    if (line === undefined || before === undefined || !isRow(line)) break;
    const pitch = line.y - before.y;
    if (pitch <= 0 || pitch > PITCH_MAX * Math.max(line.size, before.size)) break;
    single = line.cells.length > 1 ? 0 : single + 1;
    if (single > SINGLE_MAX || (single > 0 && line.right - line.left > SINGLE_WIDTH_MAX * (right - left))) break;
    left = Math.min(left, line.left);
    right = Math.max(right, line.right);
    if (single === 0) end = at + 1;
  }
  return end;
}

function tableOf(lines: readonly Line[]): Pick<Table, 'markdown' | 'isCertain'> | null {
  const most = lines.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  if (most < CELLS_MIN) return null;
  const grid = gridOf(lines);
  if (grid !== null && hasHead(grid)) {
    const [head = [], ...rows] = grid.rows;
    return { markdown: [rowOf(head), delimiter(grid.columns), ...rows.map(rowOf)], isCertain: true };
  }
  // The values of a form stand at the places of its fields.
  if (lines.some(({ cells }) => cells.some(({ font }) => font === VALUE_FONT))) return null;
  const isEven = lines.every(({ cells }) => cells.length === most);
  if (isEven || lines.length < ROWS_MIN) return null;
  if (grid === null) return { markdown: lines.map((line) => placed(line, lines)), isCertain: false };
  const blank = Array.from({ length: grid.columns }, () => '');
  return { markdown: [rowOf(blank), delimiter(grid.columns), ...grid.rows.map(rowOf)], isCertain: false };
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function delimiter(columns: number): string {
  return `|${'---|'.repeat(columns)}`;
}

/** The first row names the columns if it has words where the others have numbers, or a font of its own. */
function hasHead({ rows, fonts, plain, columns }: Grid): boolean {
  const [head = [], ...body] = plain;
  const named = head.filter((cell) => cell !== '');
  if (named.length < Math.max(2, columns - 1) || rows.length < 2) return false;
  const isWords = named.every((cell) => !isNumeric(cell));
  const isYears = named.filter((cell) => YEAR.test(cell)).length >= named.length - 1;
  if (!isWords && !isYears) return false;
  const [headFonts = [], ...bodyFonts] = fonts;
  const own = new Set(headFonts);
  const others = bodyFonts.flat();
  if (rows.length >= ROWS_MIN && others.filter((font) => own.has(font)).length * 5 < others.length) return true;
  return head.some((_, column) => {
    const cells = body.map((row) => row[column] ?? '').filter((cell) => !BLANK.test(cell));
    const numeric = cells.filter((cell) => isNumeric(cell) && (isWords || !YEAR.test(cell)));
    return cells.length > 0 && numeric.length * 2 > cells.length;
  });
}

function isNumeric(text: string): boolean {
  return /\d/.test(text) && NUMERIC_CHARACTERS.test(text);
}

/** The cells of a row at their places, for rows whose columns cannot be told. */
function placed({ cells }: Line, lines: readonly Line[]): string {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  let text = '';
  for (const cell of cells) {
    const column = Math.min(COLUMN_MAX, Math.round((cell.left - left) / (LETTER * cell.size)));
    text += ' '.repeat(text === '' ? 0 : Math.max(3, column - text.length)) + cell.text;
  }
  return text;
}
