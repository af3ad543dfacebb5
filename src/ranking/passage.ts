import type { Viewport } from '#core/document/document.ts';
import { visibleText } from '#core/text/visible-text.ts';
import type { CandidateUnit } from './candidate.ts';
import { lineBytes } from './candidates.ts';
import { PASSAGE_BYTES_MAX, PASSAGE_BYTES_TARGET } from './limits.ts';
import { sumTermWeights } from './score.ts';
import type { NumberedLine, DocumentSection } from './section.ts';

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

export function compareByScore(a: ScoredPassageCandidate, b: ScoredPassageCandidate): number {
  return b.score - a.score || a.source - b.source || a.candidate.unit.start - b.candidate.unit.start;
}

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
  for (let one = section; one !== null; one = one.under) path.unshift(visibleText(one.raw));
  return path;
}
