import { isRow, isTerm } from '#core/text/line-kinds.ts';
import type { LinePiece } from './pieces.ts';

/**
 * The position of a match in its line. `all`: the whole line, or the first cell of a row; `term`: the beginning of a
 * term; `in term`: another part of one, outside its arguments; `start`: the beginning of another line; `part`: another
 * part; `link`: part of a line with only a link, as in a table of contents.
 */
export type Place = 'all' | 'term' | 'in term' | 'start' | 'part' | 'link';

/** @param before the text before the match in its line */
export function placeOf(raw: string, before: string, isAll: boolean): Place {
  if (isLinkAlone(raw)) return 'link';
  if (isAll) return 'all';
  const isStart = !WORD.test(before);
  if (isTerm(raw) && !before.includes('(')) return isStart ? 'term' : 'in term';
  return isStart ? 'start' : 'part';
}

/** Returns the first cell of a row with its marks, or `null` for other lines. */
export function firstCell(raw: string): string | null {
  if (!isRow(raw)) return null;
  const from = raw.indexOf('|') + 1;
  const end = raw.indexOf('|', from);
  return raw.slice(from, end < 0 ? undefined : end);
}

/** `index` counts lines within the piece. `isWhole` means that the match neither begins nor ends inside a word. */
export type LineMatch = {
  index: number;
  isWhole: boolean;
  place: Place;
  mark: string;
  /** Computes the match's position in the visible line. Called only for matches that are shown. */
  at: (text: string) => number;
};

export type LineMatcher = {
  /** Returns the matches in order. */
  matchesIn: (piece: LinePiece) => LineMatch[];
  /** Work units per character in a piece with this many lines. */
  costIn: (lines: number) => number;
};

const BEGINS_WITH_LINK = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\[/;

function isLinkAlone(line: string): boolean {
  if (!line.endsWith(')') || !BEGINS_WITH_LINK.test(line)) return false;
  const address = line.lastIndexOf('](');
  return address >= 0 && !/\s/.test(line.slice(address));
}

const WORD = /[\p{L}\p{N}]/u;
