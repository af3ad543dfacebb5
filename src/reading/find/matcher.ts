import type { Piece } from './pieces.ts';

/**
 * What the match is of its line: all of it, as of a term; its beginning, as of a signature or the first cell of a row; a
 * part; or a part of a link to elsewhere that stands alone, as in a list of contents.
 */
export type Place = 'all' | 'start' | 'part' | 'link';

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
export function isLinkAlone(line: string): boolean {
  if (!line.endsWith(')') || !BEGINS_WITH_LINK.test(line)) return false;
  const address = line.lastIndexOf('](');
  return address >= 0 && !/\s/.test(line.slice(address));
}

export const WORD = /[\p{L}\p{N}]/u;
