import { countBits } from './candidate.ts';
import type { CandidateUnit, UnitFacts } from './candidate.ts';
import { UNITS_PER_DOCUMENT_MAX } from './limits.ts';
import { TERM_VALUE_MAX } from './phrasings.ts';
import type { TermHits } from './phrasings.ts';
import type { Question } from './question.ts';

/**
 * Maximum units stored per document and phrasing with the same preliminary rank, which is computed from the number of
 * matching terms.
 */
const UNITS_PER_RANK_MAX = 300;
const NEAR_UNITS = 2;
/**
 * UTF-8 bytes of text on each side of a unit. The terms of all units that reach into this text raise the unit's score.
 */
const AROUND_BYTES = 300;

export class PhrasingCandidates {
  readonly #question: Question;
  readonly #ranked: CandidateUnit[][] = [];
  /**
   * Running values of each term. `#sum`: in all text so far. `#before`: in the units that reach into its last 300 bytes
   * (`#units`).
   */
  readonly #sum: Int32Array;
  readonly #before: Int32Array;
  readonly #units: { found: TermHits | null; end: number }[] = [];
  /** Candidates for which the 300 bytes after them are not read yet. `end` is the byte offset of the unit's end. */
  readonly #open: { around: Int32Array; end: number }[] = [];
  #end = 0;
  #recent: { candidate: CandidateUnit; left: number }[] = [];
  #masks: number[] = [];
  #heading = 0;
  #above = 0;
  title = 0;
  /** For each term, the number of units that contain it. */
  readonly counts: Float64Array;

  constructor(question: Question) {
    this.#question = question;
    this.counts = new Float64Array(question.terms.length);
    this.#sum = new Int32Array(question.terms.length);
    this.#before = new Int32Array(question.terms.length);
  }

  beginSection(heading: number, above: number): void {
    this.#heading = heading;
    this.#above = above;
    this.#recent = [];
    this.#masks = [];
  }

  /**
   * @param lines the terms found in each line of the unit
   * @param leading mask of the terms in the line that introduces the unit
   * @param unit builds the facts about the unit; called only if the unit becomes a candidate
   */
  take(lines: readonly (TermHits | null)[], leading: number, bytes: number, unit: () => UnitFacts): void {
    const found = summed(lines, this.counts.length);
    const mask = found?.mask ?? 0;
    for (let index = 0, left = mask; left !== 0; index += 1, left >>>= 1)
      if (left & 1) this.counts[index] = (this.counts[index] ?? 0) + 1;
    for (const one of this.#recent) {
      one.candidate.near |= mask;
      one.left -= 1;
    }
    if (this.#recent[0]?.left === 0) this.#recent.shift();
    const near = this.#masks.reduce((sum, one) => sum | one, 0);
    this.#masks.push(mask);
    if (this.#masks.length > NEAR_UNITS) this.#masks.shift();
    const around = this.#before.slice();
    this.#move(found, bytes);
    if (mask === 0 && this.#heading === 0 && leading === 0) return;
    add(around, this.#sum, -1);
    this.#open.push({ around, end: this.#end });
    const candidate: CandidateUnit = {
      ...this.#candidate(unit(), found ?? nothing(this.counts.length), lines, leading),
      near,
      around,
    };
    this.#keep(candidate);
    this.#recent.push({ candidate, left: NEAR_UNITS });
  }

  /**
   * Moves the 300-byte window past one unit. Running sums make this cheap even for thousands of tiny units, such as
   * table rows.
   */
  #move(found: TermHits | null, bytes: number): void {
    this.#end += bytes;
    if (found !== null) for (const sum of [this.#sum, this.#before]) add(sum, found.counts, 1);
    this.#units.push({ found, end: this.#end });
    while ((this.#units[0]?.end ?? Infinity) <= this.#end - AROUND_BYTES) {
      const left = this.#units.shift()?.found;
      if (left) add(this.#before, left.counts, -1);
    }
    this.#close(this.#end - AROUND_BYTES);
  }

  /**
   * Completes the candidates that end before `end`, a byte offset, because the 300 bytes after them have been counted.
   */
  #close(end: number): void {
    while ((this.#open[0]?.end ?? Infinity) <= end) add(this.#open.shift()?.around ?? this.#sum, this.#sum, 1);
  }

  /**
   * Discards the text before the next unit, because lines in between are missing or the main part of the page ends
   * there.
   */
  startOver(): void {
    this.#close(this.#end);
    this.#units.length = 0;
    this.#before.fill(0);
  }

  best(): CandidateUnit[] {
    this.#close(this.#end);
    const all = this.#ranked.flatMap((some, rank) => some.map((candidate) => ({ rank, candidate })));
    return all
      .sort((a, b) => b.rank - a.rank || a.candidate.unit.start - b.candidate.unit.start)
      .slice(0, UNITS_PER_DOCUMENT_MAX)
      .map(({ candidate }) => candidate);
  }

  #candidate(unit: UnitFacts, found: TermHits, lines: readonly (TermHits | null)[], leading: number) {
    const isNamed = lines.length > 1 && unit.firstChars <= TERM_CHARS_MAX;
    const start = isNamed ? (lines[0]?.mask ?? 0) : 0;
    return {
      unit,
      own: found.mask,
      heading: this.#heading,
      above: this.title | this.#above,
      leading,
      term: unit.isDefinition ? start : 0,
      defines: (this.#heading | leading | start) & this.#question.identifierMask,
      pairs: found.pairs,
      counts: found.counts,
      masks: lines.map((line) => line?.mask ?? 0),
    };
  }

  #keep(candidate: CandidateUnit): void {
    const { own, heading, leading, pairs } = candidate;
    const rank = 3 * countBits(own) + countBits((heading | leading) & ~own) + countBits(pairs);
    const some = (this.#ranked[rank] ??= []);
    if (some.length < UNITS_PER_RANK_MAX) some.push(candidate);
  }
}

function add(to: Int32Array, counts: ArrayLike<number>, sign: number): void {
  for (let index = 0; index < to.length; index += 1) to[index] = (to[index] ?? 0) + sign * (counts[index] ?? 0);
}

/**
 * Maximum characters of a first line that counts as a name, such as an option above its explanation. Sentences are
 * longer.
 */
const TERM_CHARS_MAX = 100;

function summed(lines: readonly (TermHits | null)[], terms: number): TermHits | null {
  let [sum, isOwn]: [TermHits | null, boolean] = [null, false];
  for (const line of lines) {
    if (line === null) continue;
    if (sum === null) {
      sum = line;
      continue;
    }
    if (!isOwn) sum = { ...sum, counts: sum.counts.slice() };
    isOwn = true;
    sum.mask |= line.mask;
    sum.pairs |= line.pairs;
    for (let index = 0; index < terms; index += 1)
      sum.counts[index] = Math.min(TERM_VALUE_MAX, (sum.counts[index] ?? 0) + (line.counts[index] ?? 0));
  }
  return sum;
}

function nothing(terms: number): TermHits {
  return { mask: 0, pairs: 0, counts: new Uint8Array(terms) };
}
