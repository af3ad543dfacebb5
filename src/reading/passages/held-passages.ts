import type { Viewport } from '#core/document/document.ts';
import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import type { Pause } from '#core/flow/turns.ts';
import { noPause } from '#core/flow/turns.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { oneLine } from '#core/text/text.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { chooseNewerCopy, computeSnapshotKeys } from '#reading/open/page-keys.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import { CPU_LOCK_CHARS_MIN } from '#reading/limits.ts';
import { computePinEnd } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { parseQuestion } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import { rankDocuments } from './rank-documents.ts';

/** Maximum bytes of stored text that is searched for one list of results, from its top: about ten ordinary pages. */
const HELD_BYTES_MAX = 2_000_000;

type HeldPassage = { documentId: string; lines: Viewport; text: string };

type Deps = OpenPageDeps & ReaderDeps & { mayShow: (url: string) => boolean };

/**
 * Finds passages in the stored pages of search results that this subject may see, without fetching.
 * @returns `passages` by URL; `unread`: URLs of stored pages beyond the size limit
 */
export async function findStoredHitPassages(
  { query, also }: { query: string; also: readonly string[] },
  urls: readonly string[],
  signal: AbortSignal,
  deps: Deps,
): Promise<{ passages: Map<string, HeldPassage>; unread: string[] }> {
  const keys = await Promise.all(
    urls.map(async (url) => ({
      url,
      keys: await computeSnapshotKeys(canonicalizeUrl(url), { requestedUrl: url, mode: 'auto' }, deps.subject),
    })),
  );
  const all = keys.flatMap(({ keys: { own, shared } }) => (shared === null ? [own] : [own, shared]));
  const stored = all.length === 0 ? [] : await deps.snapshots.findAndHold(all, computePinEnd(deps));
  let bytes = 0;
  const unread: string[] = [];
  const held = keys.flatMap(({ url, keys: own }) => {
    const page = chooseNewerCopy(own, stored);
    if (page === null || !deps.mayShow(page.snapshot.finalUrl)) return [];
    if (bytes + page.document.byteCount > HELD_BYTES_MAX) {
      unread.push(url);
      return [];
    }
    bytes += page.document.byteCount;
    return [{ url, document: page.document }];
  });
  if (held.length === 0) return { passages: new Map(), unread };
  const ranking = new PassageRanking(
    parseQuestion(query),
    also.map((text) => parseQuestion(text)),
  );
  const documents = held.map(({ document }) => ({ ...document, chunks: () => deps.documents.scan(document.id) }));
  const rank = (pause: Pause) => rankDocuments(documents, ranking, pause);
  await (bytes < CPU_LOCK_CHARS_MIN ? rank(noPause) : deps.inTurn(signal, rank));
  const found = await Promise.all(
    [...ranking.pages()].map(async ([source, { passage }]) => {
      const { url, document } = held[source] ?? {};
      if (url === undefined || document === undefined) return [];
      const { core } = passage;
      const text = (await deps.documents.readLines(document.id, core.start, core.end)).map(visibleText).join(' ');
      return [[url, { documentId: document.id, lines: core, text: oneLine(text, SNIPPET_CHARS_MAX) }] as const];
    }),
  );
  return { passages: new Map(found.flat()), unread };
}
