import { FIND_MATCHES_MAX, FIND_PREVIEW_CHARS_MAX, FIND_WORK_MAX, FIND_WORK_PER_PAUSE } from '#reading/limits.ts';
import type { Pause } from '#core/flow/turns.ts';
import { oneLine } from '#core/text/text.ts';
import type { LineMatcher, Place, Span } from './compile-pattern.ts';
import { readBlocks } from './reading-blocks.ts';
import type { ReadLine } from './reading-blocks.ts';

/** `under`: the nearest heading above it with a higher level. */
export type Section = { loc: number; level: number; text: string; under: Section | null };

/** `level`: of a heading, else 0. The section of a heading is the one that contains it. */
export type Match = { loc: number; level: number; preview: string; section: Section | null };

export type FindResult = {
  /** In document order; when there are more than `FIND_MATCHES_MAX`, only the best, best first. */
  matches: Match[];
  best: Match | null;
  total: number;
  /** First line that was not searched because the work budget ran out. */
  stoppedAt: number | null;
};

type SearchInput = {
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>;
  isMarkdown: boolean;
  restStart: number | null;
};

const MANY = 2;

/** Pauses for other requests of the isolate. One match per line. */
export async function findMatches(
  searched: SearchInput,
  matcher: LineMatcher,
  pause: Pause,
  workMax = FIND_WORK_MAX,
): Promise<FindResult> {
  const best = new BestMatches(searched.restStart);
  let section: Section | null = null;
  let work = 0;
  let pausedAt = 0;
  const blockChars = FIND_WORK_PER_PAUSE / matcher.costIn(MANY);
  for await (const block of readBlocks(searched.chunks, searched.isMarkdown, blockChars)) {
    const [first] = block;
    if (first === undefined) continue;
    const cost = matcher.costIn(block.length);
    const before = work;
    for (const line of block) work += (line.raw.length + 1) * cost;
    if (work > workMax) return best.result(first.loc);
    if (work - pausedAt > FIND_WORK_PER_PAUSE) {
      await pause();
      pausedAt = before;
    }
    if (first.loc === searched.restStart) section = null;
    const { loc, level, text } = first;
    if (level > 0) section = enclosingSection(section, level);
    for (const { line, span } of matcher.matchesIn(block)) best.add(line, span, section);
    if (level > 0) section = { loc, level, text, under: section };
  }
  return best.result(null);
}

function enclosingSection(before: Section | null, level: number): Section | null {
  let section = before;
  while (section !== null && section.level >= level) section = section.under;
  return section;
}

/**
 * Whole words rank before parts of words; of each, headings first; of those and the others, by what the match is of its
 * line. The main part ranks before the rest.
 */
const PLACES: readonly Place[] = ['all', 'start', 'part', 'link'];
const RANKS_OF_WORD = 2 * PLACES.length;
const RANKS_OF_PART = 2 * RANKS_OF_WORD;

class BestMatches {
  private readonly ranked: Match[][] = Array.from({ length: 2 * RANKS_OF_PART }, () => []);
  private readonly restStart: number | null;
  private total = 0;

  constructor(restStart: number | null) {
    this.restStart = restStart;
  }

  add(line: ReadLine, span: Span, section: Section | null): void {
    this.total += 1;
    const inRest = this.restStart !== null && line.loc >= this.restStart;
    const ofLine = (line.level > 0 ? 0 : PLACES.length) + PLACES.indexOf(span.place);
    const fit = (span.isWhole ? 0 : RANKS_OF_WORD) + ofLine;
    const rank = (inRest ? RANKS_OF_PART : 0) + fit;
    const ofRank = this.ranked[rank];
    if (ofRank === undefined || ofRank.length >= FIND_MATCHES_MAX) return;
    ofRank.push({ loc: line.loc, level: line.level, preview: previewOf(line.text, span.at), section });
  }

  result(stoppedAt: number | null): FindResult {
    const matches = this.ranked.flat().slice(0, FIND_MATCHES_MAX);
    const isCapped = this.total > FIND_MATCHES_MAX;
    return {
      matches: isCapped ? matches : matches.toSorted((a, b) => a.loc - b.loc),
      best: matches[0] ?? null,
      total: this.total,
      stoppedAt,
    };
  }
}

function previewOf(line: string, at: number): string {
  const lead = Math.floor(FIND_PREVIEW_CHARS_MAX / 3);
  if (line.length <= FIND_PREVIEW_CHARS_MAX || at <= lead) return oneLine(line, FIND_PREVIEW_CHARS_MAX);
  return `…${oneLine(line.slice(at - lead), FIND_PREVIEW_CHARS_MAX - 1)}`;
}

export async function* inOneChunk(
  lines: readonly string[],
): AsyncGenerator<{ firstLine: number; lines: readonly string[] }> {
  yield { firstLine: 0, lines };
}
