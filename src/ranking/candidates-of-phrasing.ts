import { bits } from './candidate.ts';
import type { Candidate, UnitFacts } from './candidate.ts';
import { UNITS_PER_DOCUMENT_MAX, UNITS_PER_RANK_MAX } from './limits.ts';
import { COUNTS_MAX } from './phrasings.ts';
import type { Hits } from './phrasings.ts';
import type { Question } from './question.ts';

const NEAR_UNITS = 2;

export class CandidatesOfPhrasing {
  readonly #question: Question;
  readonly #ranked: Candidate[][] = [];
  #recent: { candidate: Candidate; left: number }[] = [];
  #masks: number[] = [];
  #heading = 0;
  #above = 0;
  title = 0;
  /** For each term, the number of units that contain it. */
  readonly counts: Float64Array;

  constructor(question: Question) {
    this.#question = question;
    this.counts = new Float64Array(question.terms.length);
  }

  beginSection(heading: number, above: number): void {
    this.#heading = heading;
    this.#above = above;
    this.#recent = [];
    this.#masks = [];
  }

  /** @param lines the hits in each line of the unit @param unit called only if the unit becomes a candidate */
  take(lines: readonly (Hits | null)[], leading: number, unit: () => UnitFacts): void {
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
    if (mask === 0 && this.#heading === 0 && leading === 0) return;
    const candidate = this.#candidate(unit(), found ?? nothing(this.counts.length), lines, leading, near);
    this.#keep(candidate);
    this.#recent.push({ candidate, left: NEAR_UNITS });
  }

  best(): Candidate[] {
    const all = this.#ranked.flatMap((some, rank) => some.map((candidate) => ({ rank, candidate })));
    return all
      .sort((a, b) => b.rank - a.rank || a.candidate.unit.start - b.candidate.unit.start)
      .slice(0, UNITS_PER_DOCUMENT_MAX)
      .map(({ candidate }) => candidate);
  }

  #candidate(unit: UnitFacts, found: Hits, lines: readonly (Hits | null)[], leading: number, near: number): Candidate {
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
      near,
      pairs: found.pairs,
      counts: found.counts,
      masks: lines.map((line) => line?.mask ?? 0),
    };
  }

  #keep(candidate: Candidate): void {
    const { own, heading, leading, pairs } = candidate;
    const rank = 3 * bits(own) + bits((heading | leading) & ~own) + bits(pairs);
    const some = (this.#ranked[rank] ??= []);
    if (some.length < UNITS_PER_RANK_MAX) some.push(candidate);
  }
}

/** A longer first line is a sentence, not a term. */
const TERM_CHARS_MAX = 100;

function summed(lines: readonly (Hits | null)[], terms: number): Hits | null {
  let [sum, isOwn]: [Hits | null, boolean] = [null, false];
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
      sum.counts[index] = Math.min(COUNTS_MAX, (sum.counts[index] ?? 0) + (line.counts[index] ?? 0));
  }
  return sum;
}

function nothing(terms: number): Hits {
  return { mask: 0, pairs: 0, counts: new Uint8Array(terms) };
}
