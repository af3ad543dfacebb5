import type { Times } from './repeats.ts';
import type { NumberedLine, Section } from './section.ts';
import type { UnitKind } from './units.ts';

/** The place of a unit, without its text. `inRest`: not in the main part of its page. */
export type Extent = { start: number; end: number; bytes: number; inRest: boolean };

/** A unit of a document, as all phrasings of a question see it. */
export type UnitFacts = Extent & {
  kind: UnitKind;
  lead: NumberedLine | null;
  section: Section | null;
  /** Length of its first line. */
  firstChars: number;
  /** Its first line is the name of a definition. */
  isDefinition: boolean;
  /** Nothing but links: an entry of a table of contents. */
  isLinks: boolean;
  isFirst: boolean;
  /** The number of times its document has this text under such a heading, and the heading. */
  times: Times;
  headingTimes: Times;
  /** Its words, and those that any phrasing has. */
  words: number;
  asked: number;
  sizes: readonly { loc: number; bytes: number }[];
  before: Extent | null;
  after: readonly Extent[];
};

/** A unit with hits of one phrasing. Each mask has a bit for each term. */
export type Candidate = {
  unit: UnitFacts;
  /** Terms in the unit itself, in its nearest heading, in the headings above, and in its lead. */
  own: number;
  heading: number;
  above: number;
  leading: number;
  /** Terms in the first line of a definition, which is the name that it defines. */
  term: number;
  /** Identifiers that the unit defines: they are its heading, its term or all of its first line. */
  defines: number;
  /** Terms in the units around it, in the same section. */
  near: number;
  pairs: number;
  counts: Uint8Array;
  /** For each line of the unit. */
  masks: readonly number[];
};
