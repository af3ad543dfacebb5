import type { Viewport } from '#core/document/document.ts';
import { readableText } from '#core/text/visible-text.ts';
import type { CandidateUnit, UnitFacts, RepeatCounter } from './candidate.ts';
import type { NumberedLine, DocumentSection } from './units.ts';
import { lineBytes } from './candidates.ts';
import { PASSAGE_BYTES_MAX } from './limits.ts';
import { countBits } from './candidate.ts';
import { WORD_OCCURRENCE_VALUE } from './phrasings.ts';

/**
 * UTF-8 bytes up to which a passage grows when one passage is shown per page, and of the pieces of a unit above
 * `PASSAGE_BYTES_MAX`. Smaller units are shown whole.
 */
const PASSAGE_BYTES_TARGET = 800;

export type RankedPassage = {
  /** Index of the passage's document, in the order in which documents were added to the `PassageRanking`. */
  source: number;
  lines: Viewport;
  /** The lines that match the question best. The other lines of the passage are context. */
  core: Viewport;
  /**
   * Number of the line in `core` with the most terms, weighted by rarity. The first line of `core` if none has a term.
   */
  at: number;
  score: number;
  /** The fewest lines that contain most terms of the question. */
  tight: Viewport;
  /** Share of the phrasing's terms, by their weights, that the unit's own text contains. */
  share: number;
  lead: NumberedLine | null;
  headings: string[];
};

/** A candidate with its score for one phrasing of the question. `worth` is the weight of each term of that phrasing. */
export type ScoredPassageCandidate = {
  source: number;
  candidate: CandidateUnit;
  score: number;
  /**
   * The score without the terms in the 300 bytes around the unit. Terms in the two units on each side count slightly.
   */
  alone: number;
  share: number;
  worth: readonly number[];
};

/** @param taken passages chosen before, which count towards `max` @param bytes UTF-8 bytes of a passage */
export function assemblePassages(
  scored: readonly ScoredPassageCandidate[],
  max: number,
  bytes: number,
  taken: readonly RankedPassage[] = [],
): RankedPassage[] {
  const passages = [...taken];
  for (const one of scored) {
    if (passages.length >= max) break;
    const others = passages.filter(({ source }) => source === one.source);
    const core = cutPassageCore(one);
    if (others.some(({ lines }) => core.start <= lines.end && core.end >= lines.start)) continue;
    passages.push(growPassage(one, core, others, bytes));
  }
  return passages;
}

export function cutPassageCore({ candidate, worth }: ScoredPassageCandidate): Viewport & { bytes: number } {
  const { start, end, bytes } = candidate.unit;
  const lines = linesOf(candidate);
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
    const value = sumTermWeights(mask, worth) + (first.mask === 0 ? 0 : FIRST_LINE_VALUE);
    if (value > best.value) best = { start: first.loc, end: lines[to - 1]?.loc ?? first.loc, bytes: length, value };
  }
  return best;
}

const FIRST_LINE_VALUE = 0.1;

function linesOf({ unit, masks }: CandidateUnit): { loc: number; bytes: number; mask: number }[] {
  return unit.sizes.map((line, n) => ({ ...line, mask: masks[n] ?? 0 }));
}

function tightOf({ candidate, worth }: ScoredPassageCandidate): Viewport {
  const lines = linesOf(candidate);
  const { start } = candidate.unit;
  const lineCost = LINE_SHARE * worth.reduce((sum, one) => sum + one, 0);
  let best = { start, end: start, value: -Infinity };
  for (const [from, { loc }] of lines.entries()) {
    let [mask, bytes] = [0, 0];
    for (const [more, line] of lines.slice(from).entries()) {
      bytes += line.bytes;
      if (more > 0 && bytes > PASSAGE_BYTES_TARGET) break;
      mask |= line.mask;
      const value = sumTermWeights(mask, worth) - more * lineCost;
      if (value > best.value) best = { start: loc, end: line.loc, value };
    }
  }
  return { start: best.start, end: best.end };
}

/** Cost of each further line, as a share of the weight of all terms. A line is left out if its new terms weigh less. */
const LINE_SHARE = 0.03;

function lineOf({ candidate, worth }: ScoredPassageCandidate, { start, end }: Viewport): number {
  let best = { loc: start, value: 0 };
  for (const { loc, mask } of linesOf(candidate)) {
    const value = loc < start || loc > end ? 0 : sumTermWeights(mask, worth);
    if (value > best.value) best = { loc, value };
  }
  return best.loc;
}

export function growPassage(
  scored: ScoredPassageCandidate,
  core: Viewport & { bytes: number },
  others: readonly RankedPassage[],
  target = PASSAGE_BYTES_TARGET,
): RankedPassage {
  const { source, score, share } = scored;
  const { unit } = scored.candidate;
  let { start, end, bytes } = core;
  const { lead, section, inRest } = unit;
  const isFree = (from: number, to: number) => others.every(({ lines }) => to < lines.start || from > lines.end);
  const isWhole = core.start === unit.start && core.end === unit.end;
  const gap = lead === null ? Infinity : unit.start - lead.loc;
  let shown = lead;
  if (lead !== null && lead.loc >= core.start) shown = null;
  else if (lead !== null && gap <= LEAD_LINES_MAX && isWhole && isFree(lead.loc, core.start)) {
    const between = unit.before !== null && unit.before.start >= lead.loc ? unit.before.bytes : lineBytes(lead.raw);
    if (bytes + between <= target) {
      start = lead.loc;
      bytes += between;
      shown = null;
    }
  }
  if (isWhole) {
    for (const next of unit.after) {
      // Stops at the end of the page's main part, so that no passage mixes an article with menus or comments.
      if (next.inRest !== inRest || bytes + next.bytes > target || !isFree(end + 1, next.end)) break;
      end = next.end;
      bytes += next.bytes;
    }
    const { before } = unit;
    if (
      before?.inRest === inRest &&
      before.start < start &&
      bytes + before.bytes <= target &&
      isFree(before.start, start - 1)
    )
      start = before.start;
  }
  const lines = { start, end };
  return {
    source,
    lines,
    core: { start: core.start, end: core.end },
    at: lineOf(scored, core),
    score,
    tight: tightOf(scored),
    share,
    lead: shown,
    headings: pathOf(section),
  };
}

const LEAD_LINES_MAX = 4;

function pathOf(section: DocumentSection | null): string[] {
  const path: string[] = [];
  for (let one = section; one !== null; one = one.under) path.unshift(readableText(one.raw));
  return path;
}

/** Weight of a term in the heading of a unit. A term in the unit itself has 1. */
const HEADING_WEIGHT = 1.4;
/** Weight of a term in the line that introduces a unit, or in the name that the unit defines. */
const LEAD_WEIGHT = 1.05;
/** Weight of a term in the headings above the heading of a unit. A term in the unit itself has 1. */
const ABOVE_WEIGHT = 0.35;
/** Weight of a term in the text around a unit. A term in the unit itself has 1. */
const NEAR_WEIGHT = 0.3;
/**
 * Weight of a second BM25 score, which is computed for the unit with the text around it. An answer in words other than
 * the question's often has some of the question's words nearby.
 */
const WINDOW_WEIGHT = 0.5;
const WINDOW_SATURATION = 1.2;
/** BM25's k1. It is low, because a second occurrence of a term adds little evidence. */
const SATURATION = 0.8;
/** BM25's b. It lowers the scores of long units, because long text contains more terms anyway. */
const LENGTH_SHARE = 0.4;
/**
 * Bonus for two neighbouring terms of the question that follow each other, within a few words, in the same order. It is
 * a share of the worth of the lesser term.
 */
const PAIR_SHARE = 0.9;
/** Exponent of the share of terms in a unit: a unit with all terms ranks above one that repeats half of them. */
const COVERAGE_POWER = 0.6;
const LINKS_FACTOR = 0.35;
const REST_FACTOR = 0.6;
const FIRST_FACTOR = 1.08;
/**
 * Maximum occurrences of a text in a document. A text with more, such as "Copy link", answers nothing and is ranked
 * lower.
 */
const REPEATS_MAX = 10;
const REPEATED_FACTOR = 0.1;
/** Factor for a table row, a list item or code in which every word is one of the question's. */
const NOTHING_NEW_FACTOR = 0.1;

export type ScoringWeights = {
  worth: readonly number[];
  all: number;
  follows: readonly number[];
  usual: number;
  /** Factor for the score of an identifier in a unit that defines it. */
  defines: number;
};

export function scoreCandidate(candidate: CandidateUnit, scoring: ScoringWeights) {
  const { unit, own, leading, near, around, counts } = candidate;
  const heading = isRepeated(unit.headingTimes) ? 0 : candidate.heading;
  let [mask, window] = [0, 0];
  for (const [index, value] of scoring.worth.entries()) {
    const nearby = around[index] ?? 0;
    const times = ((counts[index] ?? 0) + nearby) / WORD_OCCURRENCE_VALUE;
    if (nearby > 0) mask |= 1 << index;
    window += (value * times * (1 + WINDOW_SATURATION)) / (times + WINDOW_SATURATION);
  }
  const factor =
    noveltyOf(unit) *
    (isRepeated(unit.times) ? REPEATED_FACTOR : 1) *
    (unit.isLinks ? LINKS_FACTOR : 1) *
    (unit.inRest ? REST_FACTOR : 1) *
    (unit.isFirst ? FIRST_FACTOR : 1);
  const alone = scoreWith(near, heading, candidate, scoring);
  return {
    alone: alone.score * factor,
    score: (scoreWith(mask, heading, candidate, scoring).score + WINDOW_WEIGHT * window) * factor,
    coverage: own === 0 && countBits(heading | leading) === 0 ? 0 : alone.coverage,
  };
}

/** @param near mask of terms in the text around @param heading mask of terms in the heading; 0 if it is too frequent */
function scoreWith(near: number, heading: number, candidate: CandidateUnit, scoring: ScoringWeights) {
  const { worth, all, follows, usual, defines } = scoring;
  const { unit, leading, above, pairs, counts } = candidate;
  const length = 1 - LENGTH_SHARE + LENGTH_SHARE * Math.min(4, Math.max(0.5, unit.bytes / Math.max(1, usual)));
  let [score, covered] = [0, 0];
  for (const [index, value] of worth.entries()) {
    const bit = 1 << index;
    const times =
      (counts[index] ?? 0) / WORD_OCCURRENCE_VALUE +
      (heading & bit ? HEADING_WEIGHT : 0) +
      (leading & bit ? LEAD_WEIGHT : 0) +
      (candidate.term & bit ? LEAD_WEIGHT : 0) +
      (above & bit ? ABOVE_WEIGHT : 0) +
      (near & bit ? NEAR_WEIGHT : 0);
    const said = (value * times * (1 + SATURATION)) / (times + SATURATION * length);
    score += candidate.defines & bit ? said * defines : said;
    covered += value * Math.min(1, times);
  }
  for (let from = 0, left = pairs; left !== 0; from += 1, left >>>= 1) {
    if (left & 1) score += PAIR_SHARE * Math.min(worth[from] ?? 0, worth[follows[from] ?? -1] ?? 0);
  }
  const coverage = covered / all;
  return { score: score * coverage ** COVERAGE_POWER, coverage };
}

/**
 * Rates the share of words that are not the question's, because a unit that only repeats the question does not answer
 * it. The rate is 1 if such words are at least half of all words, as in ordinary prose.
 */
function noveltyOf({ kind, words, asked }: UnitFacts): number {
  const share = Math.min(1, (2 * Math.max(0, words - asked)) / Math.max(1, words));
  if (kind === 'prose') return share * share;
  return words - asked < 1 ? NOTHING_NEW_FACTOR : (1 + share) / 2;
}

function isRepeated({ count }: RepeatCounter): boolean {
  return count > REPEATS_MAX;
}

export function sumTermWeights(mask: number, worth: readonly number[]): number {
  return worth.reduce((sum, value, index) => (mask & (1 << index) ? sum + value : sum), 0);
}
