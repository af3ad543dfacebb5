import type { Viewport } from '#core/document/document.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { bits } from './bits.ts';
import { Candidates, sizeOf } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import type { Times } from './repeats.ts';
import { PASSAGE_BYTES_MAX, PASSAGE_BYTES_TARGET } from './limits.ts';
import { WORD_COUNTS } from './question.ts';
import type { Question } from './question.ts';
import type { NumberedLine, Section } from './units.ts';

/** How much a term counts that stands not in a unit itself but where it belongs to, or beside it. */
const HEADING_WEIGHT = 1.4;
const LEAD_WEIGHT = 1.05;
const ABOVE_WEIGHT = 0.35;
const NEAR_WEIGHT = 0.3;
/** A term that stands twice says little more than one that stands once (k1 of BM25); a long unit has it more easily (b). */
const SATURATION = 0.8;
const LENGTH_SHARE = 0.4;
/** A pair of terms that stand together as in the question, as a share of the lesser term. */
const PAIR_SHARE = 0.9;
/** A unit that has all terms is worth more than two that have half of them each. */
const COVERAGE_POWER = 0.6;
/** Of several identifiers, each is looked for where its meaning is told. */
const DEFINES_FACTOR = 1.5;
/** A word of the question that does not belong to the one thing that is looked for. */
const OUTSIDE_WEIGHT = 0.2;
const LINKS_FACTOR = 0.35;
const REST_FACTOR = 0.6;
const FIRST_FACTOR = 1.08;
/** What stands in a document more often than this tells nothing apart. */
const REPEATS_MAX = 10;
const REPEATED_FACTOR = 0.1;
/** Of a row, an item or code in which there is no other word than those of the question. */
const NOTHING_NEW_FACTOR = 0.1;
/** Of the terms, weighted by how rare they are: what says less of a question does not fit it. */
const FIT_SHARE_MIN = 0.18;
/** Of a long question one of its terms is enough. */
const FIT_TERMS_MIN = 1;
/** A term that no document has tells none apart. */
const MISSING_FACTOR = 0.4;

export type RankedPassage = {
  /** The place of its document among those that were added. */
  source: number;
  lines: Viewport;
  /** What fits best in it; the lines around say what it belongs to. */
  core: Viewport;
  /** The line of it that has most of the question. */
  at: number;
  score: number;
  /** The fewest lines that have most of the question, and the share of its terms that the whole unit has, 0 to 1. */
  tight: Viewport;
  share: number;
  lead: NumberedLine | null;
  headings: string[];
};

/** Ranks what several documents say of one question. */
export class Ranking {
  readonly #question: Question;
  readonly #documents: { gathered: Candidates; candidates: Candidate[] }[] = [];
  /** Until another document is added. */
  #known: { scored: Scored[]; worth: number[] } | null = null;

  constructor(question: Question) {
    this.#question = question;
  }

  /** A document whose lines come in order. @returns what takes them */
  document(title: string | null, restStart: number | null): { add: Candidates['add']; end: () => void } {
    const gathered = new Candidates(this.#question, title, restStart);
    const entry = { gathered, candidates: new Array<Candidate>() };
    this.#documents.push(entry);
    this.#known = null;
    return {
      add: (firstLine, lines) => gathered.add(firstLine, lines),
      end: () => {
        entry.candidates = gathered.end();
        this.#known = null;
      },
    };
  }

  /** Whether anything in a document fits the question. */
  fits(source: number): boolean {
    return this.#scored().scored.some((one) => one.source === source);
  }

  /** The headings of a document that come nearest to the question. */
  headings(source: number): string[] {
    return (this.#documents[source]?.gathered.near.list() ?? []).map(({ raw }) => visibleText(raw));
  }

  /** Best first, then the best of each thing that is asked for, at most `max`; none has lines of another. */
  passages(max: number): RankedPassage[] {
    const { scored, worth } = this.#scored();
    return assembled(this.#eachWishOnce(scored, worth), max, worth);
  }

  /** For each document that fits, its best passage; the next two count a little in its score. */
  pages(): Map<number, { passage: RankedPassage; score: number }> {
    const { scored, worth } = this.#scored();
    const bySource = Map.groupBy(scored, ({ source }) => source);
    return new Map(
      [...bySource].flatMap(([source, [best, ...others]]) => {
        if (best === undefined) return [];
        const more = others.slice(0, NEXT_PASSAGES).reduce((sum, { score }) => sum + score, 0);
        const passage = grown(best, coreOf(best.candidate, worth), [], worth);
        return [[source, { passage, score: best.score + NEXT_WEIGHT * more }]];
      }),
    );
  }

  /** What fits best, then what fits best each thing that is asked for, then the others. */
  #eachWishOnce(scored: readonly Scored[], worth: readonly number[]): readonly Scored[] {
    const [first] = scored;
    const { wishes, identifierMask } = this.#question;
    if (first === undefined || wishes.length === 0) return scored;
    const best = [first];
    for (const wish of wishes) {
      const own = worth.map((value, index) => {
        if (wish & (1 << index)) return value;
        return identifierMask & (1 << index) ? 0 : value * OUTSIDE_WEIGHT;
      });
      const scoring = this.#scoring(own, DEFINES_FACTOR);
      let found = { one: first, score: -1 };
      for (const one of scored) {
        const { score } = scoreOf(one.candidate, this.#titleOf(one.source), scoring);
        if (score > found.score) found = { one, score };
      }
      if (!best.includes(found.one)) best.push(found.one);
    }
    return [...best, ...scored.filter((one) => !best.includes(one))];
  }

  #titleOf(source: number): number {
    return this.#documents[source]?.gathered.title ?? 0;
  }

  #scoring(worth: readonly number[], defines: number): Scoring {
    const bytes = this.#documents.reduce((sum, { gathered }) => sum + gathered.bytes, 0);
    const units = this.#documents.reduce((sum, { gathered }) => sum + gathered.total, 0);
    const usual = Math.min(UNIT_BYTES_USUAL, bytes / Math.max(1, units));
    return { worth, all: worth.reduce((sum, one) => sum + one, 0), follows: this.#question.follows, usual, defines };
  }

  #scored(): { scored: Scored[]; worth: number[] } {
    this.#known ??= this.#score();
    return this.#known;
  }

  #score(): { scored: Scored[]; worth: number[] } {
    const { terms } = this.#question;
    const worth = this.#worth();
    const scoring = this.#scoring(worth, 1);
    if (terms.length === 0 || scoring.all === 0) return { scored: [], worth };
    const weights = terms.map(({ weight }) => weight);
    const allWeights = weights.reduce((sum, one) => sum + one, 0);
    const least = Math.min(FIT_SHARE_MIN, FIT_TERMS_MIN / terms.length);
    const scored = this.#documents.flatMap(({ candidates }, source) =>
      candidates.flatMap((candidate) => {
        const { score, coverage } = scoreOf(candidate, this.#titleOf(source), scoring);
        const share = valueOf(candidate.own, weights) / allWeights;
        return coverage < least ? [] : [{ source, candidate, score, share }];
      }),
    );
    scored.sort((a, b) => b.score - a.score || a.source - b.source || a.candidate.start - b.candidate.start);
    return { scored, worth };
  }

  /**
   * How rare each term is: the mean over the documents, so that no single one can make a term common. Weighted by what it is.
   */
  #worth(): number[] {
    const { terms } = this.#question;
    const documents = Math.max(1, this.#documents.length);
    return terms.map(({ weight }, index) => {
      let sum = 0;
      for (const { gathered } of this.#documents) {
        const having = gathered.counts[index] ?? 0;
        sum += Math.log(1 + (gathered.total - having + 0.5) / (having + 0.5));
      }
      const isThere = this.#documents.some(({ gathered }) => (gathered.counts[index] ?? 0) > 0);
      return (weight * sum * (isThere ? 1 : MISSING_FACTOR)) / documents;
    });
  }
}

const NEXT_PASSAGES = 2;
const NEXT_WEIGHT = 0.3;

/** Of a paragraph. A document of endless lists must not make its own length the usual one. */
const UNIT_BYTES_USUAL = 250;

type Scoring = {
  worth: readonly number[];
  all: number;
  follows: readonly number[];
  usual: number;
  /** What an identifier counts where its meaning is told. */
  defines: number;
};

function scoreOf(candidate: Candidate, title: number, { worth, all, follows, usual, defines }: Scoring) {
  const { own, leading, above, near, pairs, counts, bytes } = candidate;
  const heading = isRepeated(candidate.headingTimes) ? 0 : candidate.heading;
  const length = 1 - LENGTH_SHARE + LENGTH_SHARE * Math.min(4, Math.max(0.5, bytes / Math.max(1, usual)));
  let score = 0;
  let covered = 0;
  const around = above | title;
  const anywhere = own | heading | leading | around | near;
  for (let index = 0; index < worth.length; index += 1) {
    const bit = 1 << index;
    if ((anywhere & bit) === 0) continue;
    const value = worth[index] ?? 0;
    const times =
      (counts[index] ?? 0) / WORD_COUNTS +
      (heading & bit ? HEADING_WEIGHT : 0) +
      (leading & bit ? LEAD_WEIGHT : 0) +
      (around & bit ? ABOVE_WEIGHT : 0) +
      (near & bit ? NEAR_WEIGHT : 0);
    const said = (value * times * (1 + SATURATION)) / (times + SATURATION * length);
    score += candidate.defines & bit ? said * defines : said;
    covered += value * Math.min(1, times);
  }
  for (let from = 0, left = pairs; left !== 0; from += 1, left >>>= 1) {
    if (left & 1) score += PAIR_SHARE * Math.min(worth[from] ?? 0, worth[follows[from] ?? -1] ?? 0);
  }
  const coverage = covered / all;
  const factor =
    noveltyOf(candidate) *
    (isRepeated(candidate.times) ? REPEATED_FACTOR : 1) *
    (candidate.isLinks ? LINKS_FACTOR : 1) *
    (candidate.inRest ? REST_FACTOR : 1);
  return {
    score: score * coverage ** COVERAGE_POWER * factor * (candidate.isFirst ? FIRST_FACTOR : 1),
    coverage: own === 0 && bits(heading | leading) === 0 ? 0 : coverage,
  };
}

/** What only repeats the question does not answer it: of usual prose, less than half are words of a question. */
function noveltyOf({ kind, words, hits }: Candidate): number {
  const share = Math.min(1, (2 * Math.max(0, words - hits)) / Math.max(1, words));
  if (kind === 'prose') return share * share;
  return words - hits < 1 ? NOTHING_NEW_FACTOR : (1 + share) / 2;
}

function isRepeated({ count }: Times): boolean {
  return count > REPEATS_MAX;
}

type Scored = { source: number; candidate: Candidate; score: number; share: number };

function assembled(scored: readonly Scored[], max: number, worth: readonly number[]): RankedPassage[] {
  const taken: RankedPassage[] = [];
  for (const one of scored) {
    if (taken.length >= max) break;
    const { source, candidate } = one;
    const others = taken.filter((passage) => passage.source === source);
    const core = coreOf(candidate, worth);
    if (others.some(({ lines }) => core.start <= lines.end && core.end >= lines.start)) continue;
    taken.push(grown(one, core, others, worth));
  }
  return taken;
}

/** Of a long unit, the lines that have most of the question. */
function coreOf({ start, end, bytes, lines }: Candidate, worth: readonly number[]): Viewport & { bytes: number } {
  if (bytes <= PASSAGE_BYTES_MAX) return { start, end, bytes };
  let best = { start, end: start, bytes: 0, value: -1 };
  for (const [from, first] of lines.entries()) {
    let [mask, length, to] = [0, 0, from];
    for (; to < lines.length; to += 1) {
      const line = lines[to];
      if (line === undefined || (length > 0 && length + line.bytes > PASSAGE_BYTES_TARGET)) break;
      mask |= line.mask;
      length += line.bytes;
    }
    const value = valueOf(mask, worth) + (first.mask === 0 ? 0 : FIRST_LINE_VALUE);
    if (value > best.value) best = { start: first.loc, end: lines[to - 1]?.loc ?? first.loc, bytes: length, value };
  }
  return best;
}

const FIRST_LINE_VALUE = 0.1;

function valueOf(mask: number, worth: readonly number[]): number {
  return worth.reduce((sum, value, index) => (mask & (1 << index) ? sum + value : sum), 0);
}

function tightOf({ start, lines }: Candidate, worth: readonly number[]): Viewport {
  const lineCost = LINE_SHARE * worth.reduce((sum, one) => sum + one, 0);
  let best = { start, end: start, value: -Infinity };
  for (const [from, { loc }] of lines.entries()) {
    let [mask, bytes] = [0, 0];
    for (const [more, line] of lines.slice(from).entries()) {
      bytes += line.bytes;
      if (more > 0 && bytes > PASSAGE_BYTES_TARGET) break;
      mask |= line.mask;
      const value = valueOf(mask, worth) - more * lineCost;
      if (value > best.value) best = { start: loc, end: line.loc, value };
    }
  }
  return { start: best.start, end: best.end };
}

/** Of all terms: a line that adds less is left out. */
const LINE_SHARE = 0.03;

function lineOf({ lines }: Candidate, { start, end }: Viewport, worth: readonly number[]): number {
  let best = { loc: start, value: 0 };
  for (const { loc, mask } of lines) {
    const value = loc < start || loc > end ? 0 : valueOf(mask, worth);
    if (value > best.value) best = { loc, value };
  }
  return best.loc;
}

/** Takes in what the unit belongs to, then the units after it, then the one before, as far as they fit. */
function grown(
  { source, candidate, score, share }: Scored,
  core: Viewport & { bytes: number },
  others: readonly RankedPassage[],
  worth: readonly number[],
): RankedPassage {
  let { start, end, bytes } = core;
  const { lead, section, inRest } = candidate;
  const isFree = (from: number, to: number) => others.every(({ lines }) => to < lines.start || from > lines.end);
  const isWhole = core.start === candidate.start && core.end === candidate.end;
  const gap = lead === null ? Infinity : candidate.start - lead.loc;
  let shown = lead;
  if (lead !== null && lead.loc >= core.start) shown = null;
  else if (lead !== null && gap <= LEAD_LINES_MAX && isWhole && isFree(lead.loc, core.start)) {
    const between =
      candidate.before !== null && candidate.before.start >= lead.loc ? candidate.before.bytes : sizeOf(lead.raw);
    if (bytes + between <= PASSAGE_BYTES_TARGET) {
      start = lead.loc;
      bytes += between;
      shown = null;
    }
  }
  if (isWhole) {
    for (const next of candidate.after) {
      // No passage reaches from the main part into the rest.
      if (next.inRest !== inRest || bytes + next.bytes > PASSAGE_BYTES_TARGET || !isFree(end + 1, next.end)) break;
      end = next.end;
      bytes += next.bytes;
    }
    const { before } = candidate;
    if (
      before?.inRest === inRest &&
      before.start < start &&
      bytes + before.bytes <= PASSAGE_BYTES_TARGET &&
      isFree(before.start, start - 1)
    )
      start = before.start;
  }
  const lines = { start, end };
  return {
    source,
    lines,
    core: { start: core.start, end: core.end },
    at: lineOf(candidate, core, worth),
    score,
    tight: tightOf(candidate, worth),
    share,
    lead: shown,
    headings: pathOf(section),
  };
}

const LEAD_LINES_MAX = 4;

function pathOf(section: Section | null): string[] {
  const path: string[] = [];
  for (let one = section; one !== null; one = one.under) path.unshift(visibleText(one.raw));
  return path;
}
