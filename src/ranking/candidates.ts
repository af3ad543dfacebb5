import { languageOf } from '#core/words/languages.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { bits } from './bits.ts';
import { COUNTS_MAX, hitsIn } from './question.ts';
import type { LineHits, Question, Wanted } from './question.ts';
import { UNITS_PER_DOCUMENT_MAX, UNITS_PER_RANK_MAX } from './limits.ts';
import { Repeats } from './repeats.ts';
import type { Times } from './repeats.ts';
import { Units } from './units.ts';
import type { NumberedLine, Section, Unit, UnitKind } from './units.ts';

/** Where a unit stands, without its text. */
/** `inRest`: not in the main part of its page. */
export type Extent = { start: number; end: number; bytes: number; inRest: boolean };

/** A unit that says something of the question. */
export type Candidate = Extent & {
  kind: UnitKind;
  lead: NumberedLine | null;
  section: Section | null;
  /** Terms that stand in the unit itself, in its nearest heading, in those above, and in its lead. */
  own: number;
  heading: number;
  above: number;
  leading: number;
  /** Identifiers that it says the meaning of: they are its heading, its term or all of its first line. */
  defines: number;
  /** Terms in the units around it, in the same section. */
  near: number;
  pairs: number;
  counts: Uint8Array;
  words: number;
  hits: number;
  /** Nothing but links: an entry of a table of contents. */
  isLinks: boolean;
  isFirst: boolean;
  /** How often its document has this text under such a heading, and the heading. */
  times: Times;
  headingTimes: Times;
  lines: readonly { loc: number; mask: number; bytes: number }[];
  before: Extent | null;
  after: readonly Extent[];
};

/** Neighbours that a passage may take in. */
const AFTER_MAX = 3;
/** Units to each side whose terms count a little. */
const NEAR_UNITS = 2;

/** Gathers the units of one document that say something of a question. Linear, in bounded memory. */
export class Candidates {
  readonly #question: Question;
  readonly #restStart: number | null;
  readonly #titleText: string;
  #title = 0;
  /** By the language of the text, when its first lines have come. */
  #wanted: Wanted | null = null;
  #waiting: { firstLine: number; lines: readonly string[] }[] = [];
  #waitingChars = 0;
  readonly #units: Units;
  readonly #ranked: Candidate[][] = [];
  readonly #headings = new WeakMap<Section, number>();
  readonly #leads = new WeakMap<NumberedLine, number>();
  readonly #repeats = new Repeats();
  /** Of the section that is being read. */
  #headingTimes: Times = { count: 1 };
  readonly #recent: { candidate: Candidate; after: Extent[] }[] = [];
  #masks: number[] = [];
  #next = 0;
  #previous: { extent: Extent; section: Section | null } | null = null;
  readonly near: NearHeadings;
  /** In how many units each term stands. */
  readonly counts: Float64Array;
  total = 0;
  bytes = 0;

  constructor(question: Question, title: string | null, restStart: number | null) {
    this.#question = question;
    this.#restStart = restStart;
    this.#titleText = (title ?? '').slice(0, TITLE_CHARS_MAX);
    this.#units = new Units(restStart, (unit) => this.#take(unit));
    this.counts = new Float64Array(question.terms.length);
    this.near = new NearHeadings();
  }

  get title(): number {
    return this.#title;
  }

  /** Lines may be left out between two calls. */
  add(firstLine: number, lines: readonly string[]): void {
    if (this.#wanted !== null) {
      this.#read(firstLine, lines);
      return;
    }
    this.#waiting.push({ firstLine, lines });
    this.#waitingChars += lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (this.#waitingChars >= LANGUAGE_CHARS) this.#begin();
  }

  #begin(): void {
    this.#wanted = this.#question.in(languageOf(sampleOf(this.#waiting.map(({ lines }) => lines))));
    this.#title = this.#hitsIn(this.#titleText, true)?.mask ?? 0;
    for (const { firstLine, lines } of this.#waiting.splice(0)) this.#read(firstLine, lines);
  }

  #read(firstLine: number, lines: readonly string[]): void {
    if (firstLine !== this.#next) this.#units.startOver();
    this.#next = firstLine + lines.length;
    for (const [offset, raw] of lines.entries()) this.#units.add(firstLine + offset, raw);
  }

  end(): Candidate[] {
    if (this.#wanted === null) this.#begin();
    this.#units.end();
    const best = this.#ranked.flatMap((some, rank) => some.map((candidate) => ({ rank, candidate })));
    return best
      .sort((a, b) => b.rank - a.rank || a.candidate.start - b.candidate.start)
      .slice(0, UNITS_PER_DOCUMENT_MAX)
      .map(({ candidate }) => candidate);
  }

  #hitsIn(raw: string, isCode: boolean): LineHits | null {
    return this.#wanted === null ? null : hitsIn(raw, isCode, this.#question, this.#wanted);
  }

  #take({ kind, lines, section, lead }: Unit): void {
    const [first] = lines;
    if (first === undefined) return;
    const sizes = lines.map(({ raw }) => sizeOf(raw));
    const bytes = sizes.reduce((sum, one) => sum + one, 0);
    const inRest = this.#restStart !== null && first.loc >= this.#restStart;
    const extent = { start: first.loc, end: lines.at(-1)?.loc ?? first.loc, bytes, inRest };
    const isFirst = this.#previous === null || this.#previous.section !== section;
    const before = isFirst ? null : (this.#previous?.extent ?? null);
    this.total += 1;
    this.bytes += bytes;
    if (isFirst) this.#recent.length = 0;
    if (isFirst) this.#masks = [];
    if (isFirst && section !== null) this.#headingTimes = this.#repeats.add(section.raw.slice(0, BEGINNING_CHARS));
    for (const { after } of this.#recent) after.push(extent);
    while ((this.#recent[0]?.after.length ?? 0) >= AFTER_MAX) this.#recent.shift();
    this.#previous = { extent, section };
    const heading = this.#headingMask(section);
    const above = this.#title | this.#aboveMask(section);
    const leading = lead === null || lead.loc === first.loc ? 0 : this.#leadMask(lead);
    const hits = lines.map(({ raw }) => this.#hitsIn(raw, kind === 'code'));
    const after: Extent[] = [];
    const found = summed(hits, this.counts.length);
    for (let index = 0, left = found.mask; left !== 0; index += 1, left >>>= 1)
      if (left & 1) this.counts[index] = (this.counts[index] ?? 0) + 1;
    for (const { candidate, after: later } of this.#recent)
      if (later.length <= NEAR_UNITS) candidate.near |= found.mask;
    const near = this.#masks.reduce((mask, one) => mask | one, 0);
    this.#masks = [...this.#masks, found.mask].slice(-NEAR_UNITS);
    if (found.mask === 0 && heading === 0 && leading === 0) return;
    const candidate: Candidate = {
      ...extent,
      kind,
      lead,
      section,
      own: found.mask,
      heading,
      above,
      leading,
      defines: (heading | leading | startOf(lines, hits)) & this.#question.identifierMask,
      near,
      pairs: found.pairs,
      counts: found.counts,
      words: Math.max(found.words, bytes / WORD_BYTES),
      hits: found.hits,
      isLinks: lines.every(({ raw }) => LINKS_ALONE.test(raw)),
      isFirst,
      times: this.#repeats.add(beginningOf(lines, section)),
      headingTimes: this.#headingTimes,
      lines: lines.map(({ loc }, n) => ({ loc, mask: hits[n]?.mask ?? 0, bytes: sizes[n] ?? 0 })),
      before,
      after,
    };
    this.#keep(candidate);
    this.#recent.push({ candidate, after });
  }

  #keep(candidate: Candidate): void {
    const { own, heading, leading, pairs } = candidate;
    const rank = 3 * bits(own) + bits((heading | leading) & ~own) + bits(pairs);
    const some = (this.#ranked[rank] ??= []);
    if (some.length < UNITS_PER_RANK_MAX) some.push(candidate);
  }

  #headingMask(section: Section | null): number {
    if (section === null) return 0;
    const known = this.#headings.get(section);
    if (known !== undefined) return known;
    const mask = this.#hitsIn(section.raw, false)?.mask ?? 0;
    this.#headings.set(section, mask);
    this.near.add(section, mask);
    return mask;
  }

  #aboveMask(section: Section | null): number {
    let mask = 0;
    for (let one = section?.under ?? null; one !== null; one = one.under) mask |= this.#headingMask(one);
    return mask;
  }

  #leadMask(lead: NumberedLine): number {
    const known = this.#leads.get(lead);
    if (known !== undefined) return known;
    const mask = this.#hitsIn(lead.raw, false)?.mask ?? 0;
    this.#leads.set(lead, mask);
    return mask;
  }
}

function sampleOf(chunks: readonly (readonly string[])[]): string {
  const some: string[] = [];
  let left = LANGUAGE_CHARS;
  for (const lines of chunks) {
    for (const line of lines) {
      if (left <= 0) break;
      some.push(line.slice(0, left));
      left -= line.length + 1;
    }
  }
  return some.join('\n');
}

/** By which the language is known. A page may begin with a list of links. */
const LANGUAGE_CHARS = 6_000;
const TITLE_CHARS_MAX = 1_000;
/** Of a usual word with its space. */
const WORD_BYTES = 7;
const LINKS_ALONE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\*\*)?(?:\[[^\]]*\]\([^)]*\)[\s,;|·•*]*)+$/;

/** The headings that come nearest to a question, for a page where nothing fits. */
class NearHeadings {
  #best: { section: Section; worth: number }[] = [];

  add(section: Section, mask: number): void {
    const worth = bits(mask) * LEVELS - section.level;
    this.#best.push({ section, worth });
    if (this.#best.length <= 2 * HEADINGS_MAX) return;
    this.#best = this.#sorted();
  }

  list(): Section[] {
    return this.#sorted()
      .map(({ section }) => section)
      .sort((a, b) => a.loc - b.loc);
  }

  #sorted() {
    return this.#best.sort((a, b) => b.worth - a.worth || a.section.loc - b.section.loc).slice(0, HEADINGS_MAX);
  }
}

const LEVELS = 7;
const HEADINGS_MAX = 4;

/** What tells a unit from others: code begins with a fence, as all code does. */
function beginningOf(lines: readonly NumberedLine[], section: Section | null): string {
  const some = lines.slice(0, BEGINNING_LINES).map(({ raw }) => raw.slice(0, BEGINNING_CHARS));
  return `${section?.raw.slice(0, BEGINNING_CHARS) ?? ''}\n${some.join('\n')}`;
}

const BEGINNING_LINES = 3;
const BEGINNING_CHARS = 80;

/** Of an item whose first line is a term, what stands in it. */
function startOf(lines: readonly NumberedLine[], hits: readonly (LineHits | null)[]): number {
  const [first] = lines;
  return first !== undefined && lines.length > 1 && first.raw.length <= TERM_CHARS_MAX ? (hits[0]?.mask ?? 0) : 0;
}

const TERM_CHARS_MAX = 100;

function summed(found: readonly (LineHits | null)[], terms: number): LineHits {
  const [only] = found;
  if (found.length === 1 && only !== undefined && only !== null) return only;
  const sum: LineHits = { mask: 0, pairs: 0, hits: 0, words: 0, counts: new Uint8Array(terms) };
  for (const line of found) {
    if (line === null) continue;
    sum.mask |= line.mask;
    sum.pairs |= line.pairs;
    sum.hits += line.hits;
    sum.words += line.words;
    for (let index = 0, left = line.mask; left !== 0; index += 1, left >>>= 1) {
      if (left & 1) sum.counts[index] = Math.min(COUNTS_MAX, (sum.counts[index] ?? 0) + (line.counts[index] ?? 0));
    }
  }
  return sum;
}

/** In UTF-8, with its line break: as much as it costs to read, in whatever script. */
export function sizeOf(raw: string): number {
  return 1 + (NOT_ASCII.test(raw) ? utf8Bytes(raw) : raw.length);
}

const NOT_ASCII = /[^\x00-\x7f]/;
