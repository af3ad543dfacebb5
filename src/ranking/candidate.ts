import type { Times } from './repeats.ts';
import type { NumberedLine, Section } from './section.ts';
import type { UnitKind } from './units.ts';

/** The line range and size of a unit, without its text. `inRest` is true outside the main part of its page. */
export type UnitPlace = { start: number; end: number; bytes: number; inRest: boolean };

/** Facts about a unit of a document that do not depend on the phrasing of the question. */
export type UnitFacts = UnitPlace & {
  kind: UnitKind;
  lead: NumberedLine | null;
  section: Section | null;
  /** Length of the first line, in characters. */
  firstChars: number;
  /** True if the first line is the name of a definition. */
  isDefinition: boolean;
  /** True for a unit of only links, as in a table of contents. */
  isLinks: boolean;
  isFirst: boolean;
  /** Counts of the text under the same heading, and of that heading, in the document. */
  times: Times;
  headingTimes: Times;
  /** Number of words, and of words that occur in the phrasings (see `quotedIn`). */
  words: number;
  asked: number;
  sizes: readonly { loc: number; bytes: number }[];
  before: UnitPlace | null;
  after: readonly UnitPlace[];
};

/** A unit with hits of one phrasing. Masks have one bit per term. */
export type Candidate = {
  unit: UnitFacts;
  /** Terms in the unit itself, in its nearest heading, in the headings above, and in its lead. */
  own: number;
  heading: number;
  above: number;
  leading: number;
  /** Terms in the first line of a definition, which is the defined name. */
  term: number;
  /** Identifiers that the unit defines: as its heading, its term or its whole first line. */
  defines: number;
  /** Terms in neighbouring units of the section, and the counts of terms in the text around the unit. */
  near: number;
  around: Int32Array;
  pairs: number;
  counts: Uint8Array;
  /** Terms in each line of the unit. */
  masks: readonly number[];
};

/** Counts the bits of a mask. */
export function bits(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}
