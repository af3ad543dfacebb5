import { countBits } from './candidate.ts';
import type { CandidateUnit, UnitFacts } from './candidate.ts';
import { WORD_OCCURRENCE_VALUE } from './phrasings.ts';
import type { RepeatCounter } from './repeats.ts';

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
