import { isRow, isTerm } from '#core/text/line-kinds.ts';
import type { Piece } from './pieces.ts';

/**
 * The part of its line that a match is: all of it, or of the first cell of a row; the beginning of a term, or another part of one
 * that is no argument; the beginning of another line; a part; or a part of a link to elsewhere that stands alone, as in a
 * list of contents.
 */
export type Place = 'all' | 'term' | 'in term' | 'start' | 'part' | 'link';

/** @param before what stands before the match in its line */
export function placeOf(raw: string, before: string, isAll: boolean): Place {
  if (isLinkAlone(raw)) return 'link';
  if (isAll) return 'all';
  const isStart = !WORD.test(before);
  if (isTerm(raw) && !before.includes('(')) return isStart ? 'term' : 'in term';
  return isStart ? 'start' : 'part';
}

/** The first cell of a row, with its marks. */
export function firstCell(raw: string): string | null {
  if (!isRow(raw)) return null;
  const from = raw.indexOf('|') + 1;
  const end = raw.indexOf('|', from);
  return raw.slice(from, end < 0 ? undefined : end);
}

/** `index`: of the line in its piece. `isWhole`: the match does not begin or end inside a word. */
export type LineMatch = {
  index: number;
  isWhole: boolean;
  place: Place;
  mark: string;
  /** Where it begins in the line as it is seen: worked out for those that are shown. */
  at: (text: string) => number;
};

export type LineMatcher = {
  /** In order. */
  matchesIn: (piece: Piece) => LineMatch[];
  /** Work units that a character costs in a piece of this many lines. */
  costIn: (lines: number) => number;
};

const BEGINS_WITH_LINK = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\[/;

/** True if a line is a link to another page and nothing more. */
function isLinkAlone(line: string): boolean {
  if (!line.endsWith(')') || !BEGINS_WITH_LINK.test(line)) return false;
  const address = line.lastIndexOf('](');
  return address >= 0 && !/\s/.test(line.slice(address));
}

const WORD = /[\p{L}\p{N}]/u;
