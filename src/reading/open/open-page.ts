import { fail, PeriscopeError, findFailure } from '#core/failures/failure.ts';
import { RENDER_RETRY_MS } from '#reading/limits.ts';
import { isFileAddress } from '#core/document/file-facts.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { checkUrlWithoutDns, judgeUrl } from '#net/fetch/gate.ts';
import { HttpError, loadPage } from '#net/fetch/load.ts';
import type { LoadedPage, PageRequest } from '#net/fetch/load.ts';
import type { OpeningReads } from '#storage/pages/snapshots.ts';
import type { StoredPage } from '#storage/schema.ts';
import { quoteErrorPage } from './error-page.ts';
import { fetchOnce } from './fetch-once.ts';
import { openFile } from './open-file.ts';
import type { OpenResult, OpenPageDeps, OpenRequest, SnapshotToStore } from '#reading/opened.ts';
import { findNewestSnapshot, chooseNewerCopy, computeSnapshotKeys } from './page-keys.ts';
import type { SnapshotKeys } from './page-keys.ts';
import { createBodyMemory, MEMORY_BEFORE_FETCH } from './page-memory.ts';
import { listPageNotes, siteConfigNotes } from '#reading/page-result.ts';
import { needsRenderRetry, NO_BROWSER_FAILURE } from './extract-page.ts';
import { storePage } from './store-page.ts';

/**
 * Opens a page. Returns the stored copy while it is fresh; otherwise fetches, extracts and stores the page. Concurrent
 * callers share one fetch. If the origin fails, the stored copy is returned and marked as stale, except in a regular
 * check (`isRound`).
 * @throws {PeriscopeError} any failure of fetching or extraction; nothing is stored then
 */
export async function openPage(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<OpenResult> {
  if (isFileAddress(request.requestedUrl)) return openFile(request, signal, deps);
  if (request.mode === 'rendered' && deps.render === null) fail(NO_BROWSER_FAILURE);
  const canonicalUrl = canonicalizeUrl(request.requestedUrl);
  checkUrlWithoutDns(canonicalUrl, deps.net.policy);
  await deps.worksOn(canonicalUrl);
  if (request.siteconfig !== undefined) {
    const { findSiteConfig } = await import('#extract/siteconfigs/read-site.ts');
    findSiteConfig(request.siteconfig);
  }
  const keys = await computeSnapshotKeys(canonicalUrl, request, deps.subject);
  const startedAt = deps.now();
  const stored =
    remembered(keys, request, deps) ??
    (await newestAllowed(keys, request, deps.unknownSite(new URL(canonicalUrl).origin), deps));
  const maxAgeMs =
    request.refresh === true ? 0 : Math.min(request.maxAgeMs ?? deps.cacheTtlMs, maxStoredAgeMs(stored, deps));
  if (stored !== null && stored.snapshot.validatedAt + maxAgeMs > startedAt) {
    return fromStore(stored, 'fresh', request, deps);
  }
  return fetchOnce(
    keys.shared ?? keys.own,
    signal,
    deps,
    (until) => deps.inMemory((share) => askOrigin({ keys, canonicalUrl, request, stored }, share, until, deps)),
    async () => {
      const newer = await newestAllowed(keys, request, null, deps);
      return newer === null || newer.snapshot.validatedAt < startedAt ? null : fromStore(newer, 'fresh', request, deps);
    },
  );
}

/** Returns the newest stored copy; `null` if there is none, or if the operator has blocked its site since. */
async function newestAllowed(
  keys: SnapshotKeys,
  { holdUntil, lines, isRound }: OpenRequest,
  sites: OpeningReads['sites'],
  deps: OpenPageDeps,
): Promise<StoredPage | null> {
  const stored = await findNewestSnapshot(
    keys,
    isRound === true ? null : holdUntil,
    { sites, lines: lines ?? null },
    deps,
  );
  return stored !== null && judgeUrl(stored.snapshot.finalUrl, deps.net.policy).allowed ? stored : null;
}

/**
 * Returns the page that the caller's Durable Object has a record of, if the page is in the isolate's memory; otherwise
 * `null`. The record proves that the caller has not purged the page, and it is recent enough that no newer copy is
 * needed.
 */
function remembered(keys: SnapshotKeys, { held }: OpenRequest, deps: OpenPageDeps): StoredPage | null {
  const page = held === undefined ? null : deps.snapshots.remembered(held.snapshot, held.documentId);
  const stored = page === null ? null : chooseNewerCopy(keys, [page]);
  if (stored === null || needsRenderRetry(stored.snapshot, deps.render)) return null;
  return judgeUrl(stored.snapshot.finalUrl, deps.net.policy).allowed ? stored : null;
}

const NOTHING_ELSE = { held: 0, work: 0 };

function maxStoredAgeMs(stored: StoredPage | null, { render }: OpenPageDeps): number {
  return stored !== null && needsRenderRetry(stored.snapshot, render) ? RENDER_RETRY_MS : Infinity;
}

async function askOrigin(
  target: SnapshotToStore,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult> {
  const { canonicalUrl, request, stored } = target;
  await share.take(MEMORY_BEFORE_FETCH, signal);
  try {
    const conditional = request.refresh === true ? {} : conditionalOn(stored, deps);
    const loaded = await loadPage(
      { requestedUrl: canonicalUrl, signal, memory: createBodyMemory(share, NOTHING_ELSE), ...conditional },
      deps.net,
    );
    if (!loaded.notModified) return await storePage(loaded, target, share, signal, deps);
    const confirmed = stored === null ? null : await confirm(stored, loaded, request, deps);
    if (confirmed !== null) return confirmed;
  } catch (error) {
    if (stored !== null && request.isRound !== true && isOriginFailure(error))
      return fromStore(stored, 'stale', request, deps);
    throw error instanceof HttpError ? await quoteErrorPage(error, signal, deps.inTurn) : error;
  }
  // The site confirmed the stored copy (304), but the copy was shared and the page is now private. The whole page is
  // requested again.
  return askOrigin({ ...target, stored: null }, share, signal, deps);
}

async function confirm(
  stored: StoredPage,
  { isPrivate }: LoadedPage,
  request: OpenRequest,
  deps: OpenPageDeps,
): Promise<OpenResult | null> {
  if (isPrivate && stored.owner === null) return null;
  if (request.isRound !== true) await deps.snapshots.revalidated(stored.snapshot.key, deps.now());
  return fromStore(stored, 'confirmed', request, deps);
}

async function fromStore(
  { document, snapshot, owner }: StoredPage,
  origin: 'fresh' | 'confirmed' | 'stale',
  request: OpenRequest,
  deps: OpenPageDeps,
): Promise<OpenResult> {
  const staleNote = `The page could not be loaded now; this is the stored copy of ${new Date(snapshot.validatedAt).toISOString()}.`;
  const notes = [
    ...(origin === 'stale' ? [staleNote] : []),
    ...siteConfigNotes(request, snapshot.meta.siteconfig),
    ...(await listPageNotes(document, snapshot, deps)),
  ];
  const { finalUrl: shownUrl, fetchedAt } = snapshot;
  return { document, snapshot, isPrivate: owner !== null, shownUrl, fetchedAt, origin, lines: null, notes };
}

/** Returns true if the site is down or overloaded, so that the failure does not show whether the page still exists. */
function isOriginFailure(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return false;
  const { failure } = error;
  if (failure.code === 'http_error') return failure.statusCode >= 500 || failure.statusCode === 429;
  return (failure.code === 'fetch_failed' && failure.only === undefined) || failure.code === 'timeout';
}

/**
 * Returns the validators of the stored copy for a conditional request. There are none if the copy was rendered in a
 * browser (or this was tried), or came from the page's Markdown version, because a 304 would not confirm that text.
 */
function conditionalOn(stored: StoredPage | null, { render }: OpenPageDeps): Pick<PageRequest, 'conditional'> {
  if (stored === null || needsRenderRetry(stored.snapshot, render)) return {};
  const { etag, lastModified, meta } = stored.snapshot;
  if (meta.rendering || meta.markdownTwin) return {};
  return etag === null && lastModified === null ? {} : { conditional: { etag, lastModified } };
}

/** Maximum parts of a long page that one call reads: enough for a PDF of a thousand pages, or 25 MB of HTML. */
export const PAGE_PARTS_PER_CALL_MAX = 10;

export function firstPageOfNextPart({ snapshot }: OpenResult): number | null {
  const { pages } = snapshot.meta;
  return pages === undefined || pages.last >= pages.total ? null : pages.last + 1;
}

/** Opens one part of a page; `null` if the part cannot be opened, so that the call continues with the other parts. */
export async function openPagePart(
  request: OpenRequest,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult | null> {
  try {
    return await openPage(request, signal, deps);
  } catch (error) {
    if (signal.aborted || findFailure(error) !== null) return null;
    throw error;
  }
}
