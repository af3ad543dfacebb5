import { isPage } from '#core/kinds.ts';
import type { MemoryShare } from '#core/flow/memory.ts';
import { hasSecret } from '#core/secrets/secret-addresses.ts';
import type { LoadedPage } from '#net/fetch/load.ts';
import { boundedAddress } from '#core/text/text.ts';
import { newDocument } from '#storage/pages/documents.ts';
import type { NewDocument } from '#storage/pages/documents.ts';
import type { Snapshot } from '#storage/pages/snapshots.ts';
import { loadTwin, NO_FACTS, siteFacts } from './markdown-twin.ts';
import { both, detached, linesToHold, memoryOfBody, NEED_TO_RENDER, needOf } from './page-memory.ts';
import { pageNotes, siteConfigNotes } from '#reading/page-result.ts';
import { readPage } from './render-page.ts';
import type { Read } from './render-page.ts';
import type { Opened, OpenPageDeps, OpenRequest, Target } from '#reading/opened.ts';

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/** Extracts, in `auto` mode from the page's Markdown twin where the site offers one, and stores. */
export async function storePage(
  loaded: FreshPage,
  target: Target,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<Opened> {
  const { page, opened } = await documentOf(loaded, target, share, signal, deps);
  await deps.snapshots.save(opened.snapshot, page, target.request.holdUntil, target.stored?.document.id ?? null);
  return opened;
}

/** What is to be stored and what is to be shown. Neither keeps the source, which would wait for the database in vain. */
async function documentOf(
  loaded: FreshPage,
  { keys, url, request }: Target,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<{ page: NewDocument; opened: Opened }> {
  const started = deps.now();
  const { read, twin, llmsTxt } = await readWithTwin(loaded, request, share, signal, deps);
  const { extraction, finalUrl, documentUrl, needsScripts, rendering } = read;
  const renderMs = rendering?.ms;
  const now = deps.now();
  const isSecret = hasSecret(finalUrl) || hasSecret(documentUrl ?? '');
  const isOpen = !loaded.isPrivate && twin?.isPrivate !== true && !isSecret;
  const key = isOpen && keys.shared !== null ? keys.shared : keys.own;
  const isPrivate = key === keys.own;
  const page = await newDocument(extraction, isPrivate ? deps.subject : null);
  const { etag, lastModified } = loaded;
  const { document, names, anchors, snapshot } = detached({
    document: page.document,
    names: page.anchors,
    anchors: extraction.anchors,
    snapshot: {
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
        llmsTxt,
        markdownTwin: twin?.finalUrl ?? null,
        needsScripts,
        pages: extraction.pages,
        rendering,
        documentUrl: documentUrl && boundedAddress(documentUrl),
        explanation: extraction.explanation,
      },
    } satisfies Snapshot,
  });
  const notes = [...siteConfigNotes(request, snapshot.meta.siteconfig), ...(await pageNotes(document, snapshot))];
  const lines = linesToHold(extraction.lines, document.byteCount);
  return {
    page: { ...page, document, anchors: names },
    opened: { document, snapshot, isPrivate, url: snapshot.finalUrl, origin: 'fetched', lines, anchors, notes },
  };
}

const NO_BYTES = new Uint8Array();

/** The text of a page, or of its Markdown twin, with memory for what it takes. Their sources are not kept. */
async function readWithTwin(
  loaded: FreshPage,
  request: OpenRequest,
  share: MemoryShare,
  signal: AbortSignal,
  deps: OpenPageDeps,
): Promise<{ read: Read; twin: FreshPage | null; llmsTxt: string | null }> {
  const own = needOf(loaded.kind, loaded.size);
  await share.take(own, signal);
  const isOffered = request.mode === 'auto' && isPage(loaded.kind);
  const facts = isOffered ? await siteFacts(new URL(loaded.finalUrl).origin, signal, deps) : NO_FACTS;
  // A site config that is asked for reads the page itself.
  const mayHaveTwin = isOffered && request.siteconfig === undefined;
  const twin = mayHaveTwin ? await loadTwin(loaded, facts, memoryOfBody(share, own), signal, deps) : null;
  const need = twin === null ? own : both(own, needOf(twin.kind, twin.size));
  await share.take(need, signal);
  const makeRoom = () => share.take(both(need, NEED_TO_RENDER), signal);
  const read = await readPage(twin ?? loaded, request, signal, { ...deps, makeRoom });
  for (const source of [loaded, twin]) if (source !== null) Object.assign(source, { text: null, bytes: NO_BYTES });
  return { read, twin, llmsTxt: facts.llmsTxt };
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
