import { hasHtmlBody } from '#core/document/kinds.ts';
import type { MemoryShare, MemoryNeed } from '#core/flow/memory.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { forbidsIndexing } from '#net/robots/content-signals.ts';
import type { LoadedPage } from '#net/fetch/load.ts';
import { truncateUrl } from '#core/text/text.ts';
import { restoreAnchors, newDocument } from '#storage/pages/documents.ts';
import type { NewDocument } from '#storage/pages/documents.ts';
import type { PageSnapshotRecord } from '#storage/schema.ts';
import { readCrawlerDirectives } from '#extract/html/page-metadata.ts';
import { loadMarkdownTwin, NO_SITE_FACTS, readSiteFacts } from './markdown-twin.ts';
import { combineMemoryNeeds, copyDetached, copyLinesIfShort, createBodyMemory, memoryToRead } from './page-memory.ts';
import { listPageNotes, siteConfigNotes } from '#reading/page-result.ts';
import { extractOrRender } from './extract-page.ts';
import type { ExtractedPage } from './extract-page.ts';
import type { OpenResult, OpenPageDeps, OpenRequest, SnapshotToStore } from '#reading/opened.ts';
import { RENDERED_HTML_BYTES_MAX } from '#core/limits.ts';

const MEMORY_BEFORE_RENDER: MemoryNeed = memoryToRead('html', RENDERED_HTML_BYTES_MAX);

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/**
 * Extracts a loaded page and stores it. In `auto` mode, uses the page's Markdown version if the site offers one.
 * @throws {PeriscopeError} as loading and extraction do
 */
export async function storePage(
  loaded: FreshPage,
  target: SnapshotToStore,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<OpenResult> {
  const { page, opened } = await documentOf(loaded, target, share, signal, deps);
  if (target.request.isRound === true && isAsStored(opened, target)) return opened;
  await deps.snapshots.save(opened.snapshot, page, target.request.holdUntil, target.stored?.document.id ?? null);
  return opened;
}

/**
 * Returns true if the page is stored already with the same text and facts. A regular check of a followed page then
 * writes nothing.
 */
function isAsStored({ document, snapshot }: OpenResult, { stored }: SnapshotToStore): boolean {
  if (stored === null || stored.document.id !== document.id || stored.snapshot.key !== snapshot.key) return false;
  const { etag, lastModified, finalUrl, meta } = stored.snapshot;
  const asBefore = etag === snapshot.etag && lastModified === snapshot.lastModified && finalUrl === snapshot.finalUrl;
  return asBefore && meta.isUnindexed === snapshot.meta.isUnindexed;
}

/**
 * Extracts a page into a document. The result must not refer to the source text, which would stay in memory during the
 * database call.
 */
async function documentOf(
  loaded: FreshPage,
  { keys, canonicalUrl, request }: SnapshotToStore,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<{ page: NewDocument; opened: OpenResult }> {
  const started = deps.now();
  const { read, twin, llmsTxt, said } = await readWithTwin(loaded, request, share, signal, deps);
  const { finalUrl, documentUrl, needsScripts, rendering } = read;
  const extraction = withLoadNotes(read, twin ?? loaded);
  const renderMs = rendering?.ms;
  const now = deps.now();
  const isSecret = hasSecretInUrl(finalUrl) || hasSecretInUrl(documentUrl ?? '');
  const isOpen = !loaded.isPrivate && twin?.isPrivate !== true && !isSecret;
  const key = isOpen && keys.shared !== null ? keys.shared : keys.own;
  const isPrivate = key === keys.own;
  const page = await newDocument(extraction, isPrivate ? deps.subject : null);
  const { etag, lastModified } = loaded;
  const { document, named, snapshot } = copyDetached({
    document: page.document,
    named: page.named,
    snapshot: {
      key,
      canonicalUrl,
      finalUrl: twin === null ? finalUrl : loaded.finalUrl,
      mode: request.mode,
      etag,
      lastModified,
      fetchedAt: now,
      validatedAt: now,
      meta: {
        ...factsOf(loaded),
        noindex: [...new Set([...loaded.noindex, ...said.directives])],
        canonical: said.canonical,
        ...askedOf(loaded, deps),
        timings: { fetchMs: loaded.fetchMs, extractMs: now - started - (renderMs ?? 0), renderMs },
        extractor: extraction.extractor,
        siteconfig: extraction.siteconfig ?? null,
        language: extraction.language,
        llmsTxt,
        markdownTwin: twin?.finalUrl ?? null,
        needsScripts,
        pages: extraction.pages,
        toView: extraction.toView,
        rendering,
        documentUrl: documentUrl === null ? null : truncateUrl(documentUrl),
        explanation: extraction.explanation,
      },
    } satisfies PageSnapshotRecord,
  });
  const pageNotes = await listPageNotes(document, snapshot, deps);
  const notes = [...siteConfigNotes(request, snapshot.meta.siteconfig), ...pageNotes];
  const lines = copyLinesIfShort(extraction.lines, document.byteCount);
  const shown = { document, snapshot, isPrivate, shownUrl: snapshot.finalUrl, lines, notes };
  return {
    page: { ...page, document, named },
    opened: { ...shown, fetchedAt: now, origin: 'fetched', anchors: restoreAnchors(named) },
  };
}

/**
 * Adds notes if the charset was guessed, or if the server or the size limit cut the body. This includes rendered pages,
 * because the browser received the same incomplete body.
 */
function withLoadNotes({ extraction }: ExtractedPage, loaded: FreshPage): ExtractedPage['extraction'] {
  const { isCut, size, range, charset, isCharsetGuessed } = loaded;
  const { pages = { first: 1, last: 1, total: 1 } } = extraction;
  const guessed = `The page does not name its character encoding: it was read as ${charset}, which is a guess.`;
  const cut = `The page has more than ${size} bytes: the text after them is not stored.`;
  const notes = [...(isCharsetGuessed ? [guessed] : []), ...(isCut ? [cut] : []), ...rangeNotes(range)];
  if (notes.length === 0) return extraction;
  const isPart = isCut || rangeNotes(range).length > 0;
  return {
    ...extraction,
    ...(isPart ? { pages: { ...pages, isCut: true } } : {}),
    cuts: [...extraction.cuts, ...notes],
  };
}

/** Returns a note about a partial response. A server may send one without a range request (RFC 9110 §15.3.7). */
function rangeNotes(range: string | null): string[] {
  if (range === null) return [];
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(range.trim()) ?? [];
  if (first === undefined || last === undefined) return ['The server sent only a part of this page.'];
  if (Number(first) === 0 && Number(last) + 1 === Number(total)) return [];
  const whole = total === '*' ? '' : ` of ${total}`;
  return [`The server sent only a part of this page: bytes ${first} to ${last}${whole}.`];
}

const NO_BYTES = new Uint8Array();

/** Reads the page or its Markdown version, and frees their source texts before it returns. */
async function readWithTwin(
  loaded: FreshPage,
  request: OpenRequest,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<{ read: ExtractedPage; twin: FreshPage | null; llmsTxt: string | null; said: ReturnType<typeof saidOf> }> {
  const own = memoryToRead(loaded.kind, loaded.size);
  await share.take(own, signal);
  const isOffered = request.mode === 'auto' && hasHtmlBody(loaded.kind);
  const facts = isOffered ? await readSiteFacts(new URL(loaded.finalUrl).origin, signal, deps) : NO_SITE_FACTS;
  // A site config named in the call applies to HTML, so the Markdown version is not used.
  const mayHaveTwin = isOffered && request.siteconfig === undefined;
  const twin = mayHaveTwin ? await loadMarkdownTwin(loaded, facts, createBodyMemory(share, own), signal, deps) : null;
  const need = twin === null ? own : combineMemoryNeeds(own, memoryToRead(twin.kind, twin.size));
  await share.take(need, signal);
  const makeRoom = () => share.take(combineMemoryNeeds(need, MEMORY_BEFORE_RENDER), signal, 'browser');
  const read = await extractOrRender(twin ?? loaded, request, signal, { ...deps, makeRoom });
  const said = saidOf(loaded, deps);
  for (const source of [loaded, twin]) if (source !== null) Object.assign(source, { text: null, bytes: NO_BYTES });
  return { read, twin, llmsTxt: facts.llmsTxt, said };
}

function saidOf({ kind, text, finalUrl }: FreshPage, { net }: OpenPageDeps): ReturnType<typeof readCrawlerDirectives> {
  if (!hasHtmlBody(kind) || text === null) return { directives: [], canonical: null };
  const { productToken } = net.policy;
  return readCrawlerDirectives(text, { xml: kind === 'xhtml', url: finalUrl, productToken });
}

function askedOf({ preferences }: FreshPage, { net }: OpenPageDeps) {
  if (preferences === undefined) return {};
  return { preferences, ...(net.policy.respectSignals && forbidsIndexing(preferences) ? { isUnindexed: true } : {}) };
}

function factsOf(loaded: FreshPage) {
  const { status, headers, mediaType, charset, redirects, robots } = loaded;
  return {
    status,
    headers,
    mediaType,
    charset,
    redirects,
    robots: { allowed: true, checked: robots.checked, rule: robots.rule },
  };
}
