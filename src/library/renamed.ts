import { runWithPauses } from '#core/flow/turns.ts';
import type { InTurn, WorkSteps } from '#core/flow/turns.ts';
import type { Document } from '#core/document/document.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { FollowedPage, RoundPages } from '#storage/library/round-pages.ts';
import { mainBlocks } from './compare/blocks.ts';
import type { DocumentLines } from './compare/compare.ts';
import { readWholeDocument } from './told-blocks.ts';

/** Minimum share of its text, in characters, that a renamed page keeps. */
const SAME_TEXT_MIN = 0.8;
/** Minimum characters to compare. Shorter pages, such as "No news yet.", are alike by chance. */
const TEXT_CHARS_MIN = 120;

type RenamedDeps = { roundPages: RoundPages; documents: DocumentStore; inTurn: InTurn };

/**
 * Finds the earlier followed page of a new page: a page that is missing at its old URL and has most of the same text.
 * @returns `null` if the page is really new
 */
export async function renamedFrom(
  { document, lines }: { document: Document; lines: readonly string[] },
  { follow, round }: { follow: string; round: number },
  signal: AbortSignal,
  { roundPages, documents, inTurn }: RenamedDeps,
): Promise<FollowedPage | null> {
  const now = { lines, restStart: document.restStart };
  for (const page of await roundPages.missing(follow, round, document)) {
    const old = page.documentId === null ? null : await readWholeDocument(page.documentId, documents);
    if (old === null) continue;
    const share = await inTurn(signal, (pause) => runWithPauses(sameText(old, now), pause));
    if (share >= SAME_TEXT_MIN) return page;
  }
  return null;
}

/** The share of the longer main part that both pages have, in characters; 0 if there is too little text. */
function* sameText(old: DocumentLines, now: DocumentLines): WorkSteps<number> {
  const before = yield* mainBlocks(old);
  const after = yield* mainBlocks(now);
  const left = new Map<string, number>();
  for (const { key } of before) left.set(key, (left.get(key) ?? 0) + 1);
  let same = 0;
  for (const { key, text } of after) {
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    same += text.length;
  }
  const longer = Math.max(charsOf(before), charsOf(after));
  return longer < TEXT_CHARS_MIN ? 0 : same / longer;
}

function charsOf(blocks: readonly { text: string }[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}
