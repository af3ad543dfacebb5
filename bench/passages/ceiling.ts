import { DocumentCandidates } from '#ranking/candidates.ts';
import type { CandidateUnit } from '#ranking/candidate.ts';
import { countBits } from '#ranking/candidate.ts';
import { PhrasingMatcher } from '#ranking/phrasings.ts';
import { parseQuestion } from '#ranking/question.ts';
import type { CorpusPage } from './corpus.ts';
import type { Asked } from './questions.ts';

/** Number of passages that are shown. */
const SHOWN = 5;

export type Case = { asked: Asked; pages: readonly CorpusPage[] };

/**
 * The limit of any ranker that uses only words. `apart`: neither the block that answers nor its heading or lead has a
 * word of the question or a synonym. `below`: at least five other blocks have all the words of the question that the
 * block has, and more, so it comes after them with any weights.
 */
export function ceilingOf(cases: readonly Case[]): string {
  let [apart, below, few] = [0, 0, 0];
  for (const { asked, pages } of cases) {
    const blocks = pages.flatMap((page, n) => blocksOf(asked, page).map((block) => ({ ...block, n })));
    const answers = blocks.filter(
      ({ n, unit: { start, end } }) => n === 0 && asked.answers(linesOf(pages[0], start, end)),
    );
    const masks = answers.map(maskOf);
    if (masks.length === 0) apart += 1;
    else if (masks.every((mask) => blocks.filter((block) => hasMore(maskOf(block), mask)).length >= SHOWN)) below += 1;
    else if (masks.every((mask) => countBits(mask) === 1)) few += 1;
  }
  return `${apart} of ${cases.length} answers have no word of their question, ${below} more come after five blocks that have all their words and others, ${few} more have one word`;
}

function blocksOf({ question }: Asked, { title, lines, restStart }: CorpusPage): CandidateUnit[] {
  const gathered = new DocumentCandidates(new PhrasingMatcher([parseQuestion(question)]), title, restStart);
  gathered.add(0, lines);
  return gathered.end()[0] ?? [];
}

function linesOf(page: CorpusPage | undefined, start: number, end: number): string[] {
  return page?.lines.slice(start, end + 1) ?? [];
}

function maskOf({ own, heading, leading }: CandidateUnit): number {
  return own | heading | leading;
}

function hasMore(mask: number, than: number): boolean {
  return mask !== than && (mask & than) === than;
}
