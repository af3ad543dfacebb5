import type { Times } from './repeats.ts';
import type { NumberedLine, Section } from './section.ts';
import type { UnitKind } from './units.ts';

/**
 * The line range and UTF-8 size of a unit (a paragraph, list item, table row or code block), without its text. `inRest`
 * is true outside the main part of the page, such as in menus and related links.
 */
export type UnitPlace = { start: number; end: number; bytes: number; inRest: boolean };

/** Facts about a unit of a document that do not depend on the phrasing of the question. */
export type UnitFacts = UnitPlace & {
  kind: UnitKind;
  lead: NumberedLine | null;
  section: Section | null;
  /** Length of the first line, in characters. */
  firstChars: number;
  /** True for the name in a list of definitions, such as `- **--force**`, which the next unit explains. */
  isDefinition: boolean;
  /** True for a unit that contains only links, such as a line of a table of contents. */
  isLinks: boolean;
  isFirst: boolean;
  /**
   * `times` counts how often the unit's text occurs under the same heading in the document. `headingTimes` counts how
   * often the heading occurs.
   */
  times: Times;
  headingTimes: Times;
  /**
   * `words` is the number of words in the unit. `asked` is how many of them occur in the question or its rewordings,
   * less the words that `quotedIn` excuses.
   */
  words: number;
  asked: number;
  sizes: readonly { loc: number; bytes: number }[];
  before: UnitPlace | null;
  after: readonly UnitPlace[];
};

/**
 * A unit in which terms of one phrasing (the question or a rewording of it) were found. A mask has bit n set if term n
 * was found.
 */
export type Candidate = {
  unit: UnitFacts;
  /**
   * Masks of the terms in the unit's text (`own`), its nearest heading (`heading`), the headings above that one
   * (`above`), and the line that introduces the unit (`leading`).
   */
  own: number;
  heading: number;
  above: number;
  leading: number;
  /** Mask of the terms in the defined name, if the unit is a definition; else 0. */
  term: number;
  /**
   * Mask of the identifiers that the unit defines, such as `max_size`, because they occur in its heading, its
   * introducing line or its short first line.
   */
  defines: number;
  /**
   * `near` is a mask of the terms in the two units before and after, within the section. `around` counts each term in
   * the 300 bytes of text before and after the unit.
   */
  near: number;
  around: Int32Array;
  pairs: number;
  counts: Uint8Array;
  /** For each line of the unit, a mask of its terms. */
  masks: readonly number[];
};

export function bits(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
