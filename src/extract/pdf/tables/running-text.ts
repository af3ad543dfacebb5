import { measureOverlap } from './cell-edges.ts';
import type { HorizontalSpan } from './cell-edges.ts';

type TextLine = HorizontalSpan & { text: string; size: number };

const SPACE_EM = 0.25;
/** Error of the estimated width of a word, in multiples of the text size. */
const WIDTH_ERROR_EM = 0.5;
/** Minimum lines of a column of running text, and their mean number of words. */
const RUNNING_LINES_MIN = 4;
const RUNNING_WORDS_MIN = 2.5;
/** Minimum share of lines that continue the line above them in running text. */
export const RUNNING_SHARE_MIN = 0.5;
/** Maximum columns of text that are next to each other. */
const COLUMNS_MAX = 6;
const SENTENCE_END = /[.!?]["”’)]?\s*$/;
const SMALL_FIRST = /^\p{Ll}/u;

/** True if the first word of the next line has no space at the end of a line. */
export function isFull(line: TextLine, next: TextLine, column: HorizontalSpan | undefined): boolean {
  const word = next.text.split(' ', 1)[0] ?? '';
  const width = ((next.right - next.left) * word.length) / next.text.length;
  const space = (column?.right ?? 0) - (column?.left ?? 0) - (line.right - line.left);
  return width + (SPACE_EM + WIDTH_ERROR_EM) * line.size > space;
}

/** True if a line goes on in the middle of the sentence of the line above it. */
export function goesOnIn(next: TextLine, above: TextLine, column: HorizontalSpan | undefined): boolean {
  return SMALL_FIRST.test(next.text) && !SENTENCE_END.test(above.text) && isFull(above, next, column);
}

export function areManyWords(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.split(' ').length, 0) >= RUNNING_WORDS_MIN * texts.length;
}

/** True for columns of text next to each other, as in a newsletter: in two of them, most lines continue a sentence. */
export function areColumnsOfText(lines: readonly { cells: readonly TextLine[] }[]): boolean {
  const columns: (HorizontalSpan & { cells: TextLine[] })[] = [];
  if (lines.some(({ cells }) => cells.length > COLUMNS_MAX)) return false;
  for (const cell of lines.slice(1).flatMap(({ cells }) => cells)) {
    const column = columns.find((one) => measureOverlap(one, cell) > 0);
    if (column === undefined && columns.length === COLUMNS_MAX) return false;
    if (column === undefined) columns.push({ left: cell.left, right: cell.right, cells: [cell] });
    else {
      column.left = Math.min(column.left, cell.left);
      column.right = Math.max(column.right, cell.right);
      column.cells.push(cell);
    }
  }
  return columns.filter(isColumnOfText).length > 1;
}

export function isColumnOfText({ cells, ...column }: HorizontalSpan & { cells: readonly TextLine[] }): boolean {
  if (!areManyWords(cells.map(({ text }) => text))) return false;
  const continued = cells.slice(1).filter((next, index) => {
    const above = cells[index];
    return above !== undefined && goesOnIn(next, above, column);
  });
  return isMostly(continued.length, cells.length);
}

/** True if enough lines of a column continue the line above them. */
export function isMostly(continued: number, lines: number): boolean {
  return lines >= RUNNING_LINES_MIN && continued >= RUNNING_SHARE_MIN * (lines - 1);
}
