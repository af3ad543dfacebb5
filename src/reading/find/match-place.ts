import { foldForSearch } from '#core/text/fold.ts';
import { isDefinitionTerm, isTableRow } from '#core/text/line-kinds.ts';
import { visibleText } from '#core/text/visible-text.ts';
import type { SearchPiece } from './pieces.ts';

/**
 * The place of a match in its line. `all`: the whole line, or the first cell of a table row. `term`: the beginning of a
 * defined term. `in term`: another part of a term, but not its arguments. `start`: the beginning of another line.
 * `part`: elsewhere in a line. `link`: in a line that is only a link, as in a table of contents.
 */
export type MatchPlace = 'all' | 'term' | 'in term' | 'start' | 'part' | 'link';

export type MatchedLine = {
  /** Index of the line among the searched lines. */
  index: number;
  /** True if the match neither begins nor ends inside a word. */
  isWhole: boolean;
  place: MatchPlace;
  mark: string;
  /**
   * Returns the position of the match in the visible line. Called only for matches that are shown, because it is slow.
   */
  at: (text: string) => number;
};

export type LineMatcher = {
  /** Returns the matches in the order of their lines. */
  matchesIn: (piece: SearchPiece) => MatchedLine[];
  /** Returns the work units per character for a text with `lines` lines. */
  costIn: (lines: number) => number;
};

/** Returns the place of a match in its line. @param before the part of the line before the match */
export function classifyMatchPlace(raw: string, before: string, isAll: boolean): MatchPlace {
  if (isLinkAlone(raw)) return 'link';
  if (isAll) return 'all';
  const isStart = !WORD.test(before);
  if (isDefinitionTerm(raw) && !before.includes('(')) return isStart ? 'term' : 'in term';
  return isStart ? 'start' : 'part';
}

/** Returns the first cell of a table row, with its Markdown marks; `null` for any other line. */
function firstCell(raw: string): string | null {
  if (!isTableRow(raw)) return null;
  const from = raw.indexOf('|') + 1;
  const end = raw.indexOf('|', from);
  return raw.slice(from, end < 0 ? undefined : end);
}

const WORD_BEFORE = /[\p{L}\p{N}_]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_]/u;
export function placeIn(raw: string, line: string, offset: number, wanted: string): MatchPlace {
  const isAll = line.trim() === wanted || isFirstCell(raw, wanted);
  return classifyMatchPlace(raw, line.slice(0, offset), isAll);
}

/** Returns true for a table row whose first cell is exactly the pattern. @param wanted the normalized pattern */
function isFirstCell(raw: string, wanted: string): boolean {
  const cell = firstCell(raw);
  return (
    cell !== null && cell.length <= 2 * wanted.length + CELL_MARKS_MAX && foldForSearch(visibleText(cell)) === wanted
  );
}

/**
 * Maximum characters that Markdown marks and URLs may add to a table cell. Longer cells are not compared, to save time.
 */
const CELL_MARKS_MAX = 500;

export function isWholeIn(text: string, at: number, wanted: string): boolean {
  const goesOnBefore = WORD_AFTER.test(wanted) && WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at));
  const end = at + wanted.length;
  return !goesOnBefore && !(WORD_BEFORE.test(wanted) && WORD_AFTER.test(text.slice(end, end + 2)));
}

const BEGINS_WITH_LINK = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\[/;

function isLinkAlone(line: string): boolean {
  if (!line.endsWith(')') || !BEGINS_WITH_LINK.test(line)) return false;
  const address = line.lastIndexOf('](');
  return address >= 0 && !/\s/.test(line.slice(address));
}

const WORD = /[\p{L}\p{N}]/u;
