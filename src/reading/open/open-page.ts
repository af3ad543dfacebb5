import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { RENDER_RETRY_MS } from '#reading/limits.ts';
import { isFileAddress } from '#core/file-facts.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { canonicalUrl } from '#net/fetch/canonical-url.ts';
import { checkStoredAddress } from '#net/fetch/gate.ts';
import { loadPage } from '#net/fetch/load.ts';
import type { LoadedPage, LoadInput } from '#net/fetch/load.ts';
import type { StoredPage } from '#storage/pages/snapshots.ts';
import { fetchOnce } from './fetch-once.ts';
import { openFile } from './open-file.ts';
import type { Opened, OpenPageDeps, OpenRequest, Target } from '#reading/opened.ts';
import { newestOf, pageKeys } from './page-keys.ts';
import { memoryOfBody, NEED_TO_ASK } from './page-memory.ts';
import { pageNotes, siteConfigNotes } from '#reading/page-result.ts';
import { awaitsRendering, NO_BROWSER } from './render-page.ts';
import { storePage } from './store-page.ts';

/**
 * URL → immutable document: from the store while it is fresh, else from the origin – confirmed with a conditional
 * request where the origin supports it, otherwise fetched, extracted and stored. Callers who want the same page at the
 * same time share one fetch. When the origin fails, a stored copy is shown and marked as stale.
 *
 * @throws {PeriscopeError} any failure of the fetch pipeline or of extraction; nothing is stored then
 */
export async function openPage(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  if (isFileAddress(request.url)) return openFile(request, signal, deps);
  if (request.mode === 'rendered' && deps.render === null) fail(NO_BROWSER);
  const url = canonicalUrl(request.url);
  checkStoredAddress(url, deps.net.policy);
  if (request.siteconfig !== undefined) {
    // Loaded only for that.
    const { siteConfigOf } = await import('#extract/siteconfigs/read-site.ts');
    siteConfigOf(request.siteconfig);
  }
  const keys = await pageKeys(url, request, deps.subject);
  const startedAt = deps.now();
  const stored = await newestOf(keys, request.holdUntil, deps);
  const maxAgeMs = request.refresh === true ? 0 : Math.min(request.maxAgeMs ?? deps.cacheTtlMs, longest(stored, deps));
  if (stored !== null && stored.snapshot.validatedAt + maxAgeMs > startedAt) {
    return fromStore(stored, 'fresh', request);
  }
  return fetchOnce(
    keys.shared ?? keys.own,
    signal,
    deps,
    (until) => deps.inMemory((share) => askOrigin({ keys, url, request, stored }, share, until, deps)),
    async () => {
      const newer = await newestOf(keys, request.holdUntil, deps);
      return newer === null || newer.snapshot.validatedAt < startedAt ? null : fromStore(newer, 'fresh', request);
    },
  );
}

const NOTHING_ELSE = { held: 0, work: 0 };

/** How long a stored page may be shown at all, in ms. */
function longest(stored: StoredPage | null, { render }: OpenPageDeps): number {
  return stored !== null && awaitsRendering(stored.snapshot, render) ? RENDER_RETRY_MS : Infinity;
}

async function askOrigin(target: Target, share: MemoryShare, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  const { url, request, stored } = target;
  await share.take(NEED_TO_ASK, signal);
  try {
    const conditional = request.refresh === true ? {} : conditionalOn(stored, deps);
    const loaded = await loadPage({ url, signal, memory: memoryOfBody(share, NOTHING_ELSE), ...conditional }, deps.net);
    if (!loaded.notModified) return await storePage(loaded, target, share, signal, deps);
    const confirmed = stored === null ? null : await confirm(stored, loaded, request, deps);
    if (confirmed !== null) return confirmed;
  } catch (error) {
    if (stored === null || !isOriginFailure(error)) throw error;
    return fromStore(stored, 'stale', request);
  }
  // The stored copy is not for everyone any more: ask for the whole page.
  return askOrigin({ ...target, stored: null }, share, signal, deps);
}

/** `null` when what everyone can see is now sent to one person. */
async function confirm(
  stored: StoredPage,
  { isPrivate }: LoadedPage,
  request: OpenRequest,
  deps: OpenPageDeps,
): Promise<Opened | null> {
  if (isPrivate && stored.owner === null) return null;
  await deps.snapshots.revalidated(stored.snapshot.key, deps.now());
  return fromStore(stored, 'confirmed', request);
}

async function fromStore(
  { document, snapshot, owner }: StoredPage,
  origin: 'fresh' | 'confirmed' | 'stale',
  request: OpenRequest,
): Promise<Opened> {
  const staleNote = `The site is not answering; this is the stored copy of ${new Date(snapshot.validatedAt).toISOString()}.`;
  const notes = [
    ...(origin === 'stale' ? [staleNote] : []),
    ...siteConfigNotes(request, snapshot.meta.siteconfig),
    ...(await pageNotes(document, snapshot)),
  ];
  return { document, snapshot, isPrivate: owner !== null, url: snapshot.finalUrl, origin, lines: null, notes };
}

/** The site is down or overloaded; it has not answered that the page does not exist. */
function isOriginFailure(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return false;
  const { failure } = error;
  if (failure.code === 'http_error') return failure.statusCode >= 500 || failure.statusCode === 429;
  return (failure.code === 'fetch_failed' && failure.only === undefined) || failure.code === 'timeout';
}

/**
 * A page whose text came from elsewhere is asked for whole: a rendered one, and one that was read from its Markdown
 * version. It may be unchanged while its text is not.
 */
function conditionalOn(stored: StoredPage | null, { render }: OpenPageDeps): Pick<LoadInput, 'conditional'> {
  if (stored === null || awaitsRendering(stored.snapshot, render)) return {};
  const { etag, lastModified, meta } = stored.snapshot;
  if (meta.rendering || meta.markdownTwin) return {};
  return etag === null && lastModified === null ? {} : { conditional: { etag, lastModified } };
}
