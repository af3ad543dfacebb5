import { inShares } from '#core/flow/turns.ts';
import { openPage } from '#reading/open/open-page.ts';
import { DOCUMENT_HOLD_STEP_MS, HOUR_MS } from '#core/limits.ts';
import type { Follow, FollowStore } from '#storage/library/follows.ts';
import { atHost } from './at-host.ts';
import { varyingBlocks } from './compare/compare.ts';
import { VARYING_TEXTS_MAX, VARYING_TEXT_CHARS_MAX } from './limits.ts';
import { wholeDocument } from './told-blocks.ts';
import type { RoundDeps } from './round.ts';

/**
 * Reads a page that was stored a moment ago once more, and keeps what differs: it does so with every fetch.
 * @returns how many texts are known to vary
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
    wholeDocument(documentId, deps.documents),
    wholeDocument(answered.value.document.id, deps.documents),
  ]);
  if (first === null || second === null) return varying.length;
  const texts = await deps.inTurn(signal, (pause) => inShares(varyingBlocks(first, second), pause));
  const short = texts.filter((text) => text.length <= VARYING_TEXT_CHARS_MAX);
  const all = [...new Set([...varying, ...short])].slice(0, VARYING_TEXTS_MAX);
  await deps.follows.varies(id, all);
  return all.length;
}
