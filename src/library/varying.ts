import { runWithPauses } from '#core/flow/turns.ts';
import { openPage } from '#reading/open/open-page.ts';
import { DOCUMENT_HOLD_STEP_MS, HOUR_MS } from '#core/limits.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';
import { atHost } from './at-host.ts';
import { varyingBlocks } from './compare/compare.ts';
import { readWholeDocument } from './told-blocks.ts';
import type { RoundDeps } from './round.ts';

/** Maximum texts that count as noise in a follow. More would hide changes. */
const VARYING_TEXTS_MAX = 100;
const VARYING_TEXT_CHARS_MAX = 500;

/**
 * Fetches a page that was just stored again, and stores the differences as texts that vary with every fetch.
 * @returns number of known varying texts
 */
export async function learnVarying(
  { id, varying }: Follow,
  key: string,
  signal: AbortSignal,
  deps: RoundDeps & { follows: FollowStore },
): Promise<number> {
  const page = await deps.roundPages.find(id, key);
  if (page === null || page.documentId === null) return varying.length;
  const { url, documentId } = page;
  const request = {
    requestedUrl: url,
    mode: 'auto',
    isRound: true,
    refresh: true,
    holdUntil: deps.now() + HOUR_MS + DOCUMENT_HOLD_STEP_MS,
  } as const;
  const answered = await atHost(url, signal, deps, () => openPage(request, signal, deps));
  if ('waitMs' in answered || answered.value.document.id === documentId) return varying.length;
  const [first, second] = await Promise.all([
    readWholeDocument(documentId, deps.documents),
    readWholeDocument(answered.value.document.id, deps.documents),
  ]);
  if (first === null || second === null) return varying.length;
  const texts = await deps.inTurn(signal, (pause) => runWithPauses(varyingBlocks(first, second), pause));
  const short = texts.filter((text) => text.length <= VARYING_TEXT_CHARS_MAX);
  const all = [...new Set([...varying, ...short])].slice(0, VARYING_TEXTS_MAX);
  await deps.follows.varies(id, all);
  return all.length;
}
