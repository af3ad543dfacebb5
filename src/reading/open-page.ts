import type { Document, Extraction } from '#core/document.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import type { Explanation, ExtractInput } from '#extract/extractor.ts';
import { canonicalUrl } from '#net/canonical-url.ts';
import type { LoadedPage, LoadInput } from '#net/load.ts';
import type { Snapshot, StoredPage } from '#storage/snapshots.ts';
import { snapshotKey } from '#storage/snapshots.ts';
import { fetchOnce } from './fetch-once.ts';
import type { LeasePort } from './fetch-once.ts';

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/** The world as opening a page needs it. */
export type OpenPageDeps = {
  now: () => number;
  /** How long a stored page is shown without asking its origin, in ms. */
  cacheTtlMs: number;
  /** Throws `ssrf_blocked` when the operator's rules no longer allow the address: stored pages obey them, too. */
  checkAddress: (canonicalUrl: string) => void;
  load: (input: LoadInput) => Promise<LoadedPage>;
  extract: (input: ExtractInput) => Promise<Extraction & { explanation: Explanation }>;
  lease: LeasePort;
  documents: {
    save: (extraction: Extraction, now: number, hold: number, owner: string | null) => Promise<Document>;
    hold: (documentId: string, until: number) => Promise<boolean>;
  };
  snapshots: {
    find: (key: string) => Promise<StoredPage | null>;
    save: (snapshot: Snapshot, documentId: string) => Promise<void>;
    revalidated: (key: string, now: number) => Promise<void>;
  };
};

export type OpenMode = 'auto' | 'readable' | 'raw' | 'rendered';

export type OpenRequest = {
  url: string;
  mode: OpenMode;
  /** Fetch and extract anew, whatever is stored. */
  refresh?: boolean;
  /** Accept a stored page up to this age instead of the deployment's default. */
  maxAgeMs?: number | undefined;
  /** Until when (ms) the document must be kept: a cursor will show it. */
  holdUntil: number;
};

export type Opened = {
  document: Document;
  url: string;
  snapshot: Snapshot;
  /** `fetched` now, `fresh` in the store, `confirmed` by the origin as unchanged, or `stale`: the origin failed. */
  origin: 'fetched' | 'fresh' | 'confirmed' | 'stale';
  /** The lines when they are at hand anyway; `null` means: read them from the store. */
  lines: readonly string[] | null;
  notes: readonly string[];
};

/**
 * URL → immutable document: from the store while it is fresh, else from the origin – confirmed with a conditional
 * request where the origin supports it, otherwise fetched, extracted and stored. Callers who want the same page at the
 * same time share one fetch. When the origin fails, a stored copy is shown and marked as stale.
 *
 * @throws {PeriscopeError} any failure of the fetch pipeline or of extraction; nothing is stored then
 */
export async function openPage(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  if (request.mode === 'rendered') fail({ code: 'render_disabled', reason: 'this server has no browser' });
  const url = canonicalUrl(request.url);
  deps.checkAddress(url);
  const key = await snapshotKey(url, VARY_HEADERS, request.mode === 'raw' ? 'raw' : 'readable');
  const startedAt = deps.now();
  const maxAgeMs = request.refresh === true ? 0 : (request.maxAgeMs ?? deps.cacheTtlMs);
  const stored = await deps.snapshots.find(key);
  if (stored !== null && stored.snapshot.validatedAt + maxAgeMs > startedAt) {
    const shown = await fromStore(stored, 'fresh', request, deps);
    if (shown !== null) return shown;
  }
  return fetchOnce(
    key,
    signal,
    deps.lease,
    () => askOrigin({ key, url, request, stored }, signal, deps),
    async () => {
      const newer = await deps.snapshots.find(key);
      return newer === null || newer.snapshot.validatedAt < startedAt ? null : fromStore(newer, 'fresh', request, deps);
    },
  );
}

/** The request headers that a page may vary on and that we send: they are the same for every page. */
const VARY_HEADERS = 'accept: text/markdown first';

type Target = { key: string; url: string; request: OpenRequest; stored: StoredPage | null };

async function askOrigin(target: Target, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  const { key, url, request, stored } = target;
  try {
    const conditional = request.refresh === true ? {} : conditionalOn(stored);
    const loaded = await deps.load({ url, signal, ...conditional });
    if (!loaded.notModified) return await store(loaded, target, deps);
    await deps.snapshots.revalidated(key, deps.now());
    const confirmed = stored === null ? null : await fromStore(stored, 'confirmed', request, deps);
    if (confirmed !== null) return confirmed;
  } catch (error) {
    const kept = stored !== null && isOriginFailure(error) ? await fromStore(stored, 'stale', request, deps) : null;
    if (kept === null) throw error;
    return kept;
  }
  // The stored copy vanished between two looks: ask for the whole page.
  return askOrigin({ ...target, stored: null }, signal, deps);
}

/** `null` when the document is not stored any more. */
async function fromStore(
  stored: StoredPage,
  origin: 'fresh' | 'confirmed' | 'stale',
  request: OpenRequest,
  deps: OpenPageDeps,
): Promise<Opened | null> {
  const { document, snapshot } = stored;
  if (!(await deps.documents.hold(document.id, request.holdUntil))) return null;
  const staleNote = `The site does not answer now; this is the copy of ${new Date(snapshot.validatedAt).toISOString()}.`;
  const notes = [...(origin === 'stale' ? [staleNote] : []), ...cutNotes(document)];
  return { document, snapshot, url: snapshot.finalUrl, origin, lines: null, notes };
}

/** The site is down or overloaded, as opposed to having answered that there is no such page. */
function isOriginFailure(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return false;
  const { failure } = error;
  if (failure.code === 'http_error') return failure.statusCode >= 500 || failure.statusCode === 429;
  return failure.code === 'fetch_failed' || failure.code === 'timeout';
}

function conditionalOn(stored: StoredPage | null): Pick<LoadInput, 'conditional'> {
  if (stored === null) return {};
  const { etag, lastModified } = stored.snapshot;
  return etag === null && lastModified === null ? {} : { conditional: { etag, lastModified } };
}

async function store(loaded: FreshPage, target: Target, deps: OpenPageDeps): Promise<Opened> {
  const { key, url, request } = target;
  const started = deps.now();
  const mode = request.mode === 'raw' ? 'raw' : 'readable';
  const { kind, bytes, finalUrl } = loaded;
  const extraction = await deps.extract({ kind, bytes, text: loaded.text ?? '', url: finalUrl, mode });
  const now = deps.now();
  const document = await deps.documents.save(extraction, now, request.holdUntil, null);
  const snapshot: Snapshot = {
    key,
    url,
    finalUrl,
    mode,
    etag: loaded.etag,
    lastModified: loaded.lastModified,
    fetchedAt: now,
    validatedAt: now,
    meta: {
      status: loaded.status,
      headers: loaded.headers,
      mediaType: loaded.mediaType,
      charset: loaded.charset,
      redirects: loaded.redirects,
      robots: { allowed: true, checked: loaded.robots.checked, rule: loaded.robots.rule },
      noindex: loaded.noindex,
      timings: { fetchMs: loaded.timings.fetchMs, extractMs: now - started },
      extractor: extraction.extractor,
      siteconfig: null,
      language: extraction.language,
      explanation: extraction.explanation,
    },
  };
  await deps.snapshots.save(snapshot, document.id);
  const { lines } = extraction;
  return { document, snapshot, url: finalUrl, origin: 'fetched', lines, notes: cutNotes(document) };
}

function cutNotes(document: Document): string[] {
  return document.cuts.map((cut) => `This page was cut: ${cut}.`);
}
