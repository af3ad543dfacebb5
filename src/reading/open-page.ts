import type { Document, Extraction } from '#core/document.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { canonicalUrl } from '#net/canonical-url.ts';
import type { LoadedPage, LoadInput } from '#net/load.ts';
import type { Snapshot, StoredPage } from '#storage/snapshots.ts';
import { snapshotKey } from '#storage/snapshots.ts';

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/** The world as opening a page needs it. */
export type OpenPageDeps = {
  now: () => number;
  /** How long a stored page is shown without asking its origin, in ms. */
  cacheTtlMs: number;
  /** Throws `ssrf_blocked` when the operator's rules no longer allow the address: stored pages obey them, too. */
  checkAddress: (canonicalUrl: string) => void;
  load: (input: LoadInput) => Promise<LoadedPage>;
  extract: (input: ExtractInput) => Promise<Extraction>;
  documents: {
    save: (extraction: Extraction, now: number, hold: number, owner: string | null) => Promise<Document>;
    hold: (documentId: string, until: number) => Promise<void>;
  };
  snapshots: {
    find: (key: string) => Promise<StoredPage | null>;
    save: (snapshot: Snapshot, documentId: string) => Promise<void>;
    revalidated: (key: string, now: number) => Promise<void>;
  };
};

export type OpenRequest = {
  url: string;
  mode: 'readable' | 'raw';
  /** Until when (ms) the document must be kept: a cursor will show it. */
  holdUntil: number;
};

export type Opened = {
  document: Document;
  url: string;
  snapshot: Snapshot;
  /** Whether the stored text was used, fresh or confirmed by the origin. */
  cached: boolean;
  /** The lines when they are at hand anyway; `null` means: read them from the store. */
  lines: readonly string[] | null;
  notes: readonly string[];
};

/**
 * URL → immutable document: from the store while it is fresh, else from the origin – confirmed with a conditional
 * request where the origin supports it, otherwise fetched, extracted and stored.
 *
 * @throws {PeriscopeError} any failure of the fetch pipeline or of extraction; nothing is stored then
 */
export async function openPage(request: OpenRequest, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  const url = canonicalUrl(request.url);
  deps.checkAddress(url);
  const key = await snapshotKey(url, VARY_HEADERS, request.mode);
  const stored = await deps.snapshots.find(key);
  if (stored !== null && stored.snapshot.validatedAt + deps.cacheTtlMs > deps.now()) {
    return fromStore(stored, request, deps);
  }
  const loaded = await deps.load({ url, signal, ...conditionalOn(stored) });
  if (!loaded.notModified) return store(loaded, { key, url, request }, deps);
  if (stored === null) throw new Error('an unconditional request was answered "not modified"');
  await deps.snapshots.revalidated(key, deps.now());
  return fromStore(stored, request, deps);
}

/** The request headers that a page may vary on and that we send: they are the same for every page. */
const VARY_HEADERS = 'accept: text/markdown first';

async function fromStore(stored: StoredPage, request: OpenRequest, deps: OpenPageDeps): Promise<Opened> {
  const { document, snapshot } = stored;
  await deps.documents.hold(document.id, request.holdUntil);
  return { document, snapshot, url: snapshot.finalUrl, cached: true, lines: null, notes: cutNotes(document) };
}

function conditionalOn(stored: StoredPage | null): Pick<LoadInput, 'conditional'> {
  if (stored === null) return {};
  const { etag, lastModified } = stored.snapshot;
  return etag === null && lastModified === null ? {} : { conditional: { etag, lastModified } };
}

async function store(
  loaded: FreshPage,
  target: { key: string; url: string; request: OpenRequest },
  deps: OpenPageDeps,
): Promise<Opened> {
  const { key, url, request } = target;
  const started = deps.now();
  const extraction = await deps.extract({
    kind: loaded.kind,
    text: loaded.text ?? '',
    bytes: loaded.bytes,
    url: loaded.finalUrl,
    mode: request.mode,
  });
  const now = deps.now();
  const document = await deps.documents.save(extraction, now, request.holdUntil, null);
  const snapshot: Snapshot = {
    key,
    url,
    finalUrl: loaded.finalUrl,
    mode: request.mode,
    etag: loaded.etag,
    lastModified: loaded.lastModified,
    fetchedAt: now,
    validatedAt: now,
    meta: metaOf(loaded, extraction, now - started),
  };
  await deps.snapshots.save(snapshot, document.id);
  return {
    document,
    snapshot,
    url: loaded.finalUrl,
    cached: false,
    lines: extraction.lines,
    notes: cutNotes(document),
  };
}

function metaOf(loaded: FreshPage, extraction: Extraction, extractMs: number): Snapshot['meta'] {
  return {
    status: loaded.status,
    headers: loaded.headers,
    mediaType: loaded.mediaType,
    charset: loaded.charset,
    redirects: loaded.redirects,
    robots: { allowed: true, checked: loaded.robots.checked, rule: loaded.robots.rule },
    noindex: loaded.noindex,
    timings: { fetchMs: loaded.timings.fetchMs, extractMs },
    extractor: extraction.extractor,
    siteconfig: null,
    language: extraction.language,
  };
}

function cutNotes(document: Document): string[] {
  return document.cuts.map((cut) => `This page was cut: ${cut}.`);
}
