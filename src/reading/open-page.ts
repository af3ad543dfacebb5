import type { Document, Extraction } from '#core/document.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import { RENDER_RETRY_MS } from '#core/limits.ts';
import type { Extracted, ExtractInput } from '#extract/extractor.ts';
import { checkSiteConfigId } from '#extract/siteconfigs/known-id.ts';
import { canonicalUrl } from '#net/canonical-url.ts';
import type { LoadedPage, LoadInput } from '#net/load.ts';
import type { Snapshot, StoredPage } from '#storage/snapshots.ts';
import { snapshotKey } from '#storage/snapshots.ts';
import { fetchOnce } from './fetch-once.ts';
import type { LeasePort } from './fetch-once.ts';
import { siteFacts, twinOf } from './markdown-twin.ts';
import type { SiteFacts, TwinDeps } from './markdown-twin.ts';
import { awaitsRendering, NO_BROWSER, readPage, renderNotes } from './render-page.ts';
import type { RenderPort } from './render-page.ts';

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/** The world as opening a page needs it. */
export type OpenPageDeps = TwinDeps & {
  /** How long a stored page is shown without asking its origin, in ms. */
  cacheTtlMs: number;
  /** Throws `ssrf_blocked` when the operator's rules no longer allow the address: stored pages obey them, too. */
  checkAddress: (canonicalUrl: string) => void;
  extract: (input: ExtractInput) => Promise<Extracted>;
  /** `null` where there is no browser. */
  render: RenderPort | null;
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
  /** Id of a site config to extract with, instead of what the site's address selects. */
  siteconfig?: string | undefined;
  /** Page of a PDF to begin with; the first when missing. */
  firstPage?: number | undefined;
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
  /** The same of the places that links name. */
  anchors?: ReadonlyMap<string, number> | undefined;
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
  if (request.mode === 'rendered' && deps.render === null) fail(NO_BROWSER);
  const url = canonicalUrl(request.url);
  deps.checkAddress(url);
  await checkSiteConfigId(request.siteconfig);
  const key = await snapshotKey(url, VARY_HEADERS, modeKey(request));
  const startedAt = deps.now();
  const stored = await deps.snapshots.find(key);
  const maxAgeMs = request.refresh === true ? 0 : Math.min(request.maxAgeMs ?? deps.cacheTtlMs, longest(stored, deps));
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

/** How long a stored page may be shown at all, in ms. */
function longest(stored: StoredPage | null, { render }: OpenPageDeps): number {
  return stored !== null && awaitsRendering(stored.snapshot, render) ? RENDER_RETRY_MS : Infinity;
}

/** Another site config gives another text, and so do other pages: each is another snapshot. */
function modeKey({ mode, siteconfig, firstPage }: OpenRequest): string {
  const read = siteconfig === undefined ? mode : `${mode} with ${siteconfig}`;
  return firstPage === undefined ? read : `${read} from page ${firstPage}`;
}

/** The request headers that a page may vary on and that we send: they are the same for every page. */
const VARY_HEADERS = 'accept: text/markdown first';

type Target = { key: string; url: string; request: OpenRequest; stored: StoredPage | null };

async function askOrigin(target: Target, signal: AbortSignal, deps: OpenPageDeps): Promise<Opened> {
  const { key, url, request, stored } = target;
  try {
    const conditional = request.refresh === true ? {} : conditionalOn(stored, deps);
    const loaded = await deps.load({ url, signal, ...conditional });
    if (!loaded.notModified) return await readAndStore(loaded, target, signal, deps);
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
  const notes = [
    ...(origin === 'stale' ? [staleNote] : []),
    ...siteConfigNotes(request, snapshot.meta.siteconfig),
    ...pageNotes(document, snapshot),
  ];
  return { document, snapshot, url: snapshot.finalUrl, origin, lines: null, notes };
}

/** The site is down or overloaded, as opposed to having answered that there is no such page. */
function isOriginFailure(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return false;
  const { failure } = error;
  if (failure.code === 'http_error') return failure.statusCode >= 500 || failure.statusCode === 429;
  return failure.code === 'fetch_failed' || failure.code === 'timeout';
}

/** A rendered page is asked for whole: its shell may be unchanged while what scripts put into it is not. */
function conditionalOn(stored: StoredPage | null, { render }: OpenPageDeps): Pick<LoadInput, 'conditional'> {
  if (stored === null || stored.snapshot.meta.rendering || awaitsRendering(stored.snapshot, render)) return {};
  const { etag, lastModified } = stored.snapshot;
  return etag === null && lastModified === null ? {} : { conditional: { etag, lastModified } };
}

/** Extracts, in `auto` mode from the page's Markdown twin where the site offers one, and stores. */
async function readAndStore(
  loaded: FreshPage,
  target: Target,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<Opened> {
  const { key, url, request } = target;
  const started = deps.now();
  const offers = request.mode === 'auto' && isHtml(loaded) ? await siteOffers(loaded, signal, deps) : NO_OFFERS;
  // A site config that is asked for reads the page itself.
  const twin =
    offers.twin === null || request.siteconfig !== undefined ? null : await loadTwin(offers.twin, signal, deps);
  const { extraction, finalUrl, needsScripts, rendering } = await readPage(twin ?? loaded, request, signal, deps);
  const renderMs = rendering?.ms;
  const now = deps.now();
  const document = await deps.documents.save(extraction, now, request.holdUntil, null);
  const { etag, lastModified } = loaded;
  const snapshot: Snapshot = {
    key,
    url,
    finalUrl: twin === null ? finalUrl : loaded.finalUrl,
    mode: request.mode,
    etag,
    lastModified,
    fetchedAt: now,
    validatedAt: now,
    meta: {
      ...factsOf(loaded),
      timings: { fetchMs: loaded.timings.fetchMs, extractMs: now - started - (renderMs ?? 0), renderMs },
      extractor: extraction.extractor,
      siteconfig: extraction.siteconfig ?? null,
      language: extraction.language,
      llmsTxt: offers.facts.llmsTxt,
      markdownTwin: twin === null ? null : offers.twin,
      needsScripts,
      pages: extraction.pages,
      rendering,
      explanation: extraction.explanation,
    },
  };
  await deps.snapshots.save(snapshot, document.id);
  return {
    document,
    snapshot,
    url: snapshot.finalUrl,
    origin: 'fetched',
    lines: extraction.lines,
    anchors: extraction.anchors,
    notes: [...siteConfigNotes(request, snapshot.meta.siteconfig), ...pageNotes(document, snapshot)],
  };
}

type Offers = { facts: SiteFacts; twin: string | null };
const NO_OFFERS: Offers = { facts: { llmsTxt: null, markdownPages: [] }, twin: null };

async function siteOffers(loaded: FreshPage, signal: AbortSignal, deps: OpenPageDeps): Promise<Offers> {
  const facts = await siteFacts(new URL(loaded.finalUrl).origin, signal, deps);
  return { facts, twin: twinOf(loaded.finalUrl, loaded.text ?? '', facts) };
}

/** The twin, if it really is Markdown: a site that answers with something else is read from its HTML. */
async function loadTwin(twin: string, signal: AbortSignal, deps: OpenPageDeps): Promise<FreshPage | null> {
  try {
    const loaded = await deps.load({ url: twin, signal });
    return !loaded.notModified && (loaded.kind === 'markdown' || loaded.kind === 'text') ? loaded : null;
  } catch (error) {
    if (error instanceof PeriscopeError && !signal.aborted) return null;
    throw error;
  }
}

function factsOf(loaded: FreshPage) {
  const { status, headers, mediaType, charset, redirects, noindex, robots } = loaded;
  return {
    status,
    headers,
    mediaType,
    charset,
    redirects,
    noindex,
    robots: { allowed: true, checked: robots.checked, rule: robots.rule },
  };
}

function isHtml(loaded: FreshPage): boolean {
  return loaded.kind === 'html' || loaded.kind === 'xhtml';
}

/**
 * Says that the site config which was asked for did nothing: the page has no place that it names, or is no HTML.
 * @param used the one that read the page, or `null`
 */
export function siteConfigNotes({ siteconfig, mode }: Pick<OpenRequest, 'siteconfig' | 'mode'>, used: string | null) {
  if (siteconfig === undefined || used !== null || mode === 'raw') return [];
  return [
    `siteconfig had no effect: ${siteconfig} found nothing that it knows on this page, which was read without it.`,
  ];
}

/** Our own words on what the text is not. */
export function pageNotes(document: Document, snapshot: Snapshot): string[] {
  return [...renderNotes(snapshot), ...rangeNotes(snapshot), ...document.cuts];
}

/** Which pages of a long PDF these are, and how to get at the others. */
function rangeNotes({ finalUrl, meta: { pages } }: Snapshot): string[] {
  if (pages === undefined || (pages.first === 1 && pages.last === pages.total)) return [];
  const call = (page: number) => `open_url ${JSON.stringify({ url: `${finalUrl}#page=${page}` })}`;
  const before = pages.first === 1 ? [] : [`Those before: ${call(1)}.`];
  const after = pages.last === pages.total ? [] : [`Those after: ${call(pages.last + 1)}.`];
  return [[`These are pages ${pages.first} to ${pages.last} of ${pages.total}.`, ...before, ...after].join(' ')];
}
