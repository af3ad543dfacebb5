import type { DocumentSection, NumberedLine, UnitKind } from './units.ts';

/** Place of a unit (a paragraph, list item, table row or code block). `inRest`: after the main part, as in comments. */
export type UnitPlace = { start: number; end: number; bytes: number; inRest: boolean };

/** Facts about a unit of a document that do not depend on the phrasing of the question. */
export type UnitFacts = UnitPlace & {
  kind: UnitKind;
  lead: NumberedLine | null;
  section: DocumentSection | null;
  /** Length of the first line, in characters. */
  firstChars: number;
  /** True for a list item whose first line is only a name in bold, such as `- **--force**`. */
  isDefinition: boolean;
  /** True for a unit that contains only links, such as a line of a table of contents. */
  isLinks: boolean;
  isFirst: boolean;
  /**
   * `times`: occurrences of the beginning of this unit's text, under the same heading, in the whole document.
   * `headingTimes`: occurrences of its heading.
   */
  times: RepeatCounter;
  headingTimes: RepeatCounter;
  /**
   * `asked` is the number of the unit's `words` that are also words of the question or its rewordings, or synonyms of
   * them, less the words that `quotedIn` counts.
   */
  words: number;
  asked: number;
  sizes: readonly { loc: number; bytes: number }[];
  before: UnitPlace | null;
  after: readonly UnitPlace[];
};

/** A unit that contains terms of one phrasing: the question or a rewording. Bit n of a mask represents term n. */
export type CandidateUnit = {
  unit: UnitFacts;
  /**
   * Masks of terms: in the unit's text (`own`), in its heading, in the headings above that one, and in the line that
   * introduces the unit.
   */
  own: number;
  heading: number;
  above: number;
  leading: number;
  /**
   * Mask of the terms in the defined name, if the unit is a definition of several lines with a short first line;
   * otherwise 0.
   */
  term: number;
  /**
   * Mask of identifiers, such as `max_size`, that the unit explains: those in its heading, in its introducing line or
   * in a short first line that other lines follow.
   */
  defines: number;
  /** Mask of the terms in up to two units on each side, in the same section. */
  near: number;
  /** Value of each term (see `WORD_OCCURRENCE_VALUE`) in the units that reach into the 300 bytes on each side. */
  around: Int32Array;
  pairs: number;
  counts: Uint8Array;
  /** For each line of the unit, a mask of its terms. */
  masks: readonly number[];
};

export function countBits(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Counter of a text, which increases each time the text occurs again while the document is read. */
export type RepeatCounter = { count: number };
