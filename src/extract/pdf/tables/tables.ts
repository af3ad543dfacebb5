import { isNumeric } from './cell-edges.ts';
import { findGrid } from './grid.ts';
import type { TextGrid } from './grid.ts';
import { headStart, joinHead, ownFontDepth } from './head-rows.ts';
import { areColumnsOfText } from './running-text.ts';
import { FORM_VALUE_FONT } from '#extract/pdf/drawn/annotations.ts';
import { joinHyphenatedLines } from '#extract/pdf/hyphens.ts';
import type { PdfLine } from '#extract/pdf/segments.ts';
import type { TextStyle } from '#extract/pdf/style.ts';

/**
 * Lines of a region that form a table: from `from` up to, but not including, `to`. `head` has the lines of its header;
 * none if the header is not certain.
 */
export type FoundTable = WrittenTable & { from: number; to: number };
type WrittenTable = { markdown: string[]; isCertain: boolean; columns: number; head: readonly PdfLine[] };

/** Maximum distance between two rows of a table, in multiples of the text size. */
const PITCH_MAX = 3.5;
const USUAL_PITCH_MAX = 3;
/**
 * Minimum ratio of the distances of nearby rows to a distance above `USUAL_PITCH_MAX`, for that distance to be accepted
 * between two rows.
 */
const EVEN_MIN = 0.7;
/** Maximum successive lines with one cell in a table, such as the name of a group of rows. */
const SINGLE_MAX = 2;
/** Maximum width of a line with one cell, as a share of the width of the rows before. */
const SINGLE_WIDTH_MAX = 0.6;
/** Maximum distance between two lines of text in one cell, in multiples of the text size. */
const CELL_PITCH_MAX = 1.35;
/** Maximum distance between the left edges of two lines of text in one cell, in multiples of the text size. */
const ALIGNED_MAX = 0.4;
/** Maximum distance between two rows, relative to the distance between the rows before them. */
const EVEN_PITCH_MAX = 1.1;
/** Maximum distance between two lines of text in one cell, relative to the distance of the last two rows. */
const CLOSE_PITCH_MAX = 0.9;
const CELLS_MIN = 3;
const ROWS_MIN = 3;
/** Width of a letter, in multiples of the text size, to write cells of uncertain columns at their positions. */
const LETTER = 0.5;
/** Maximum characters of a header cell. A longer one may be a line of the text next to the table. */
const HEAD_CHARS_MAX = 40;
const COLUMN_MAX = 160;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const BLANK = /^[-–—.…]?$/;

/** Finds tables: rows whose cells are below each other. @param isRow true for a line that may be a row */
export function findPdfTables(
  lines: readonly PdfLine[],
  isRow: (line: PdfLine) => boolean,
  style: TextStyle,
): FoundTable[] {
  const tables: FoundTable[] = [];
  for (let from = 0; from < lines.length; from += 1) {
    const grid = lines[from]?.ruled?.grid;
    if (grid !== undefined) {
      let to = from + 1;
      while (lines[to]?.ruled?.grid === grid) to += 1;
      tables.push({ from, to, ...ruledTable(lines.slice(from, to), grid.columns, style) });
      from = to - 1;
      continue;
    }
    const to = endOfRows(lines, from, isRow);
    if (to - from < 2) continue;
    const start = headStart(lines, { from, to, least: tables.at(-1)?.to ?? 0 }, style);
    const table = bestTable(lines, start, to, style);
    if (table !== null) tables.push(table);
    from = to - 1;
  }
  return tables;
}

/**
 * Returns the table without its first line if only then its columns are certain: text with a wide gap may be above the
 * header.
 */
function bestTable(lines: readonly PdfLine[], from: number, to: number, style: TextStyle): FoundTable | null {
  const rows = lines.slice(from, to);
  const isTextAbove = ownFontDepth(rows) === 0 && ownFontDepth(rows.slice(1)) > 0 && to - from > ROWS_MIN;
  const whole = isTextAbove ? null : tableOf(rows, style);
  const isShort = (lines[from]?.cells.length ?? 0) < (lines[from + 1]?.cells.length ?? 0);
  if (whole?.isCertain !== true && (isShort || isTextAbove) && to - from > ROWS_MIN) {
    const table = tableOf(rows.slice(1), style);
    // Names above the columns are a line of text above the table.
    const isNamed = joinHead(rows, style) === 'uncertain';
    if (table?.isCertain === true) return { from: from + 1, to, ...table, isCertain: !isNamed };
  }
  return whole === null ? null : { from, to, ...whole };
}

function endOfRows(lines: readonly PdfLine[], from: number, isRow: (line: PdfLine) => boolean): number {
  const first = lines[from];
  if (first === undefined || first.cells.length < 2 || !isRow(first)) return from;
  let { left, right } = first;
  let end = from + 1;
  let row = first;
  let rowPitch = 0;
  let hasBlanks = false;
  let single = 0;
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at];
    const before = lines[at - 1];
    if (line === undefined || before === undefined || line.ruled !== undefined || !isRow(line)) break;
    const pitch = line.y - before.y;
    const size = Math.max(line.size, before.size);
    if (pitch <= 0 || pitch > PITCH_MAX * size) break;
    // A table with wide distances has them between all rows. Below a page header, only one distance is wide.
    if (pitch > USUAL_PITCH_MAX * size && pitchNear(lines, at, from) < EVEN_MIN * pitch) break;
    const usual = at - 2 < from ? 0 : before.y - (lines[at - 2]?.y ?? 0);
    if (isInCell(line, row, right, [pitch, usual])) {
      // A single line after the last row is a note, unless its distance or rows above show that it is in a cell.
      if (hasBlanks || pitch < rowPitch * CLOSE_PITCH_MAX) end = at + 1;
      single = 0;
      continue;
    }
    single = line.cells.length > 1 ? 0 : single + 1;
    if (single > SINGLE_MAX || (single > 0 && line.right - line.left > SINGLE_WIDTH_MAX * (right - left))) break;
    left = Math.min(left, line.left);
    right = Math.max(right, line.right);
    if (single > 0) continue;
    hasBlanks ||= before.cells.length === 1 || line.left > first.left + line.size;
    end = at + 1;
    row = line;
    rowPitch = pitch;
  }
  return end;
}

/**
 * True for a line in a column of the rows above, but not the first: a further line of a cell, or a row whose other
 * cells are empty.
 * @param row last row with several cells
 * @param usual distance between the two lines above
 */
function isInCell(line: PdfLine, row: PdfLine, right: number, [pitch, usual]: readonly [number, number]): boolean {
  if (line.cells.length > 1 || pitch > Math.max(CELL_PITCH_MAX * line.size, usual * EVEN_PITCH_MAX)) return false;
  const at = row.cells.findIndex(({ left }) => Math.abs(left - line.left) <= ALIGNED_MAX * line.size);
  return at > 0 && line.right <= (row.cells[at + 1]?.left ?? right + line.size);
}

/** Returns the larger of the distances before the previous row and after this one. */
function pitchNear(lines: readonly PdfLine[], at: number, from: number): number {
  const above = at - 2 < from ? 0 : (lines[at - 1]?.y ?? 0) - (lines[at - 2]?.y ?? 0);
  return Math.max(above, (lines[at + 1]?.y ?? 0) - (lines[at]?.y ?? 0));
}

function tableOf(lines: readonly PdfLine[], style: TextStyle): WrittenTable | null {
  const most = lines.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  if (most < CELLS_MIN || areColumnsOfText(lines)) return null;
  const joined = joinHead(lines, style);
  const joinedLines = joined === 'uncertain' ? null : joined;
  const whole = joinedLines === null ? null : findGrid(joinedLines);
  if (whole !== null && hasHead(whole)) return withHead(whole, joinedLines ?? []);
  const grid = findGrid(lines);
  if (joined === null && grid !== null && hasHead(grid)) {
    if (grid.plain[0]?.some((cell) => cell.length > HEAD_CHARS_MAX) === true) return withoutHead(grid);
    return withHead(grid, lines);
  }
  if (joined === null && grid !== null && areDrawnApart(lines, most)) return withHead(grid, lines);
  // Values of a form are at the positions of their fields, not in rows of a table.
  if (lines.some(({ cells }) => cells.some(({ font }) => font === FORM_VALUE_FONT))) return null;
  const isEven = lines.every(({ cells }) => cells.length === most);
  if (isEven || lines.length < ROWS_MIN) return null;
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  if (grid === null)
    return { markdown: lines.map((line) => placed(line, left)), isCertain: false, columns: 0, head: [] };
  return withoutHead(grid);
}

/** True for rows with a cell in each column that the page draws apart, such as those of a sheet. */
function areDrawnApart(lines: readonly PdfLine[], columns: number): boolean {
  const isFull = ({ cells }: PdfLine) => cells.length === columns && cells.slice(1).every(({ isApart }) => isApart);
  const [head] = lines;
  return (
    lines.length >= ROWS_MIN && lines.every(isFull) && head?.cells.every(({ plain }) => !isNumeric(plain)) === true
  );
}

function withHead({ columns, rows: [head = [], ...rows] }: TextGrid, lines: readonly PdfLine[]): WrittenTable {
  const markdown = [rowOf(head), delimiter(columns), ...rows.map(rowOf)];
  return { markdown, isCertain: true, columns, head: lines.slice(0, 1) };
}

function withoutHead({ columns, rows }: TextGrid): WrittenTable {
  const blank = Array.from({ length: columns }, () => '');
  return { markdown: [rowOf(blank), delimiter(columns), ...rows.map(rowOf)], isCertain: false, columns, head: [] };
}

/**
 * Writes a table with drawn lines. A cell over several columns is written in each of them in the header, and in the
 * first in other rows.
 */
function ruledTable(lines: readonly PdfLine[], columns: number, style: TextStyle): WrittenTable {
  const grid: TextGrid = { columns, rows: [], plain: [], fonts: [], hasRuledHead: false };
  for (const [index, { ruled }] of lines.entries()) {
    const texts = Array.from({ length: columns }, () => '');
    const plain = Array.from({ length: columns }, () => '');
    for (const cell of ruled?.cells ?? []) {
      const parts: string[] = [];
      for (const { text } of cell.lines) {
        const last = parts.pop();
        parts.push(...(last === undefined ? [text] : joinHyphenatedLines(last, text, style)));
      }
      for (let at = cell.from; at <= (index === 0 ? cell.to : cell.from); at += 1) {
        texts[at] = parts.join('');
        plain[at] = cell.lines.map((line) => line.plain).join(' ');
      }
    }
    grid.rows.push(texts);
    grid.plain.push(plain);
    grid.fonts.push((ruled?.cells ?? []).flatMap((cell) => cell.lines.map(({ font }) => font)));
  }
  const written = (head: readonly string[], depth: number): WrittenTable => {
    const markdown = [rowOf(head), delimiter(columns), ...grid.rows.slice(depth).map(rowOf)];
    return { markdown, isCertain: true, columns, head: lines.slice(0, depth) };
  };
  const names = namesBelowGroups(lines[0]?.ruled?.cells ?? [], grid);
  if (names !== null) return written(names, 2);
  const isNamed = grid.plain[0]?.every((cell) => cell !== '' && !isNumeric(cell)) === true;
  const isHead = isNamed || lines[0]?.isCopiedHead === true || hasHead(grid);
  return isHead
    ? written(grid.rows[0] ?? [], 1)
    : written(
        Array.from({ length: columns }, () => ''),
        0,
      );
}

/**
 * Returns the names of the columns if the first row has names above several columns and the second row names these;
 * `null` otherwise.
 */
function namesBelowGroups(cells: readonly { from: number; to: number }[], grid: TextGrid): string[] | null {
  const groups = cells.filter(({ from, to }) => to > from);
  const [first = [], second = []] = grid.plain;
  const isBelowGroup = second.map((_, column) => groups.some(({ from, to }) => column >= from && column <= to));
  const below = second.filter((_, column) => isBelowGroup[column]);
  // A single cell over all columns is a title.
  if (groups.length === 0 || (groups.length === 1 && groups[0]?.from === 0)) return null;
  if (groups.some(({ from }) => first[from] === '')) return null;
  const hasYears = below.some((name) => isNumeric(name));
  if (below.some((name) => name === '' || (isNumeric(name) && !YEAR.test(name)))) return null;
  const areOthersNamed = first.every((name, at) => isBelowGroup[at] || isOneName(name, second[at] ?? ''));
  if ((groups.length === 1 || hasYears) && !areOthersNamed) return null;
  const hasNumbers = isBelowGroup.some((is, column) => {
    const values = grid.plain.slice(2).map((row) => row[column] ?? '');
    const filled = values.filter((value) => !BLANK.test(value));
    return is && filled.length > 0 && filled.filter((value) => isNumeric(value)).length * 2 > filled.length;
  });
  if (!hasNumbers) return null;
  const [above = [], own = []] = grid.rows;
  return own.map((name, column) => {
    const group = above[column] ?? '';
    return group === '' || group === name ? name : name === '' ? group : `${group} ${name}`;
  });
}

/** True for the parts of a name in two rows of a header: it is in one of them, or repeated because it covers both. */
function isOneName(above: string, below: string): boolean {
  return above === below || above === '' || below === '';
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function delimiter(columns: number): string {
  return `|${'---|'.repeat(columns)}`;
}

/** True if the first row is a header: it has words above numbers, its own font, or the only line below it. */
function hasHead({ rows, fonts, plain, columns, hasRuledHead }: TextGrid): boolean {
  const [head = [], ...body] = plain;
  const named = head.filter((cell) => cell !== '');
  if (named.length < Math.max(2, columns - 1) || rows.length < 2) return false;
  const isWords = named.every((cell) => !isNumeric(cell));
  const isYears = named.filter((cell) => YEAR.test(cell)).length >= named.length - 1;
  if (!isWords && !isYears) return false;
  if (hasRuledHead) return true;
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

/** Writes the cells of a row at their positions on the page, because the columns are uncertain. */
function placed({ cells }: PdfLine, left: number): string {
  let text = '';
  for (const cell of cells) {
    const column = Math.min(COLUMN_MAX, Math.round((cell.left - left) / (LETTER * cell.size)));
    text += ' '.repeat(text === '' ? 0 : Math.max(3, column - text.length)) + cell.text;
  }
  return text;
}
