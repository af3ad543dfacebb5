import { isPage } from '#core/kinds.ts';
import { hasSecret } from '#core/secret-addresses.ts';
import type { LoadedPage } from '#net/load.ts';
import { boundedAddress } from '#core/text.ts';
import { newDocument } from '#storage/documents.ts';
import type { Snapshot } from '#storage/snapshots.ts';
import { loadTwin, NO_FACTS, siteFacts } from './markdown-twin.ts';
import { pageNotes, siteConfigNotes } from './page-notes.ts';
import { readPage } from './render-page.ts';
import type { Opened, OpenPageDeps, Target } from './opened.ts';

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/** Extracts, in `auto` mode from the page's Markdown twin where the site offers one, and stores. */
export async function storePage(
  loaded: FreshPage,
  target: Target,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<Opened> {
  const { keys, url, request } = target;
  const started = deps.now();
  const isOffered = request.mode === 'auto' && isPage(loaded.kind);
  const facts = isOffered ? await siteFacts(new URL(loaded.finalUrl).origin, signal, deps) : NO_FACTS;
  // A site config that is asked for reads the page itself.
  const twin = isOffered && request.siteconfig === undefined ? await loadTwin(loaded, facts, signal, deps) : null;
  const read = await readPage(twin ?? loaded, request, signal, deps);
  const { extraction, finalUrl, documentUrl, needsScripts, rendering } = read;
  const renderMs = rendering?.ms;
  const now = deps.now();
  const isSecret = hasSecret(finalUrl) || hasSecret(documentUrl ?? '');
  const isOpen = !loaded.isPrivate && twin?.isPrivate !== true && !isSecret;
  const key = isOpen && keys.shared !== null ? keys.shared : keys.own;
  const isPrivate = key === keys.own;
  const page = await newDocument(extraction, isPrivate ? deps.subject : null);
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
      timings: { fetchMs: loaded.fetchMs, extractMs: now - started - (renderMs ?? 0), renderMs },
      extractor: extraction.extractor,
      siteconfig: extraction.siteconfig ?? null,
      language: extraction.language,
      llmsTxt: facts.llmsTxt,
      markdownTwin: twin?.finalUrl ?? null,
      needsScripts,
      pages: extraction.pages,
      rendering,
      documentUrl: documentUrl && boundedAddress(documentUrl),
      explanation: extraction.explanation,
    },
  };
  await deps.snapshots.save(snapshot, page, request.holdUntil, target.stored?.document.id ?? null);
  return {
    document: page.document,
    snapshot,
    isPrivate,
    url: snapshot.finalUrl,
    origin: 'fetched',
    lines: extraction.lines,
    anchors: extraction.anchors,
    notes: [...siteConfigNotes(request, snapshot.meta.siteconfig), ...(await pageNotes(page.document, snapshot))],
  };
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
