import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { ExtractedText } from '#extract/extractor.ts';
import { URL_CHARS_MAX } from '#core/limits.ts';
import { createFence, truncateUrl } from '#core/text/text.ts';
import { fileAddress } from '#core/document/file-facts.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { PLACEHOLDER_PAGE_URL } from '#extract/html/markdown/urls.ts';
import { newDocument } from '#storage/pages/documents.ts';
import { computeSnapshotKey, mayHaveScriptedUrl } from '#storage/pages/snapshots.ts';
import type { SnapshotStore } from '#storage/pages/snapshots.ts';
import type { PageSnapshotRecord } from '#storage/schema.ts';
import { extractWithCpuLock, findScriptedUrl } from './extract-page.ts';
import { describePagePart, composePagePartWords } from '#reading/part-words.ts';
import { describeScriptedUrl } from '#reading/page-result.ts';
import { copyDetached, copyLinesIfShort } from './page-memory.ts';
import { computePinEnd } from '#reading/reader.ts';
import type { PageToShow, ReaderDeps } from '#reading/reader.ts';

type BrowserPage = {
  html: string;
  finalUrl: string;
  /** The value of `document.URL`, which scripts can change. */
  documentUrl: string;
  isCut: boolean;
  part: string | undefined;
  /** Set if the page has drawn only the visible part of a list: heights of that part and of the list, in CSS px. */
  undrawn: { shown: number; height: number } | null;
  lastFile: { id: string; name: string } | null;
};

type BrowserPageDeps = Pick<ReaderDeps, 'cursorTtlMs' | 'now'> & {
  inTurn: RunWithCpuLock;
  snapshots: SnapshotStore;
};

/**
 * Stores the page that a browser session shows, for `subject` alone, because the user may be signed in to it. The page
 * is in no search index, and is deleted with its cursor. Its snapshot lets the owner purge it earlier.
 * @throws {PeriscopeError} `extract_failed` if the page shows no text
 */
export async function storeBrowserPage(
  page: BrowserPage,
  subject: string,
  signal: AbortSignal,
  deps: BrowserPageDeps,
): Promise<PageToShow> {
  const started = deps.now();
  const { part } = page;
  const url = truncateUrl(page.finalUrl);
  const base = truncateUrl(page.documentUrl);
  const input = {
    kind: 'html',
    text: page.html,
    bytes: new Uint8Array(),
    url: /^https?:/u.test(base) ? base : PLACEHOLDER_PAGE_URL,
    mode: part === undefined ? 'readable' : 'raw',
  } as const;
  const extraction = await extractWithCpuLock(input, signal, deps.inTurn).catch((error: unknown) =>
    failLive(error, page.lastFile),
  );
  const now = deps.now();
  const stored = await newDocument(extraction, subject);
  const { document } = stored;
  // Each reading has its own key. Otherwise a later reading would replace this snapshot, and this one could not be
  // purged.
  const key = await computeSnapshotKey(url, `private to ${subject}`, `live ${document.id}`);
  // The fragment is ignored, because it may come from the requested URL or a link, so it does not prove that a script
  // set the URL.
  const documentUrl = findScriptedUrl(page.finalUrl, page.documentUrl.replace(/#.*$/su, ''));
  const snapshot = snapshotOf(
    { url, documentUrl: documentUrl === null ? null : truncateUrl(documentUrl) },
    key,
    extraction,
    {
      now,
      extractMs: now - started,
    },
  );
  await deps.snapshots.save(snapshot, stored, computePinEnd(deps), null);
  const cut = page.isCut
    ? [
        'The page exceeds the size limit: its end is missing. To read it, call browser_read with the selector of a part.',
      ]
    : [];
  const long =
    url !== page.finalUrl
      ? [`The page's address is longer than ${URL_CHARS_MAX} characters: its end is left out.`]
      : [];
  return {
    ...copyDetached({ document, shownUrl: url, pages: extraction.pages, urlByScript: mayHaveScriptedUrl(snapshot) }),
    fetchedAt: now,
    lines: copyLinesIfShort(extraction.lines, document.byteCount),
    notes: [
      ...(await describeScriptedUrl(documentUrl)),
      ...describePagePart(composePagePartWords(extraction.pages, url, 'live')),
      ...extraction.cuts,
      ...cut,
      ...long,
    ],
    isLive: true,
    ...(page.undrawn === null ? {} : { undrawn: page.undrawn }),
  };
}

/** Replaces the usual advice to run the page's scripts, because they have already run in this browser. */
async function failLive(error: unknown, lastFile: BrowserPage['lastFile']): Promise<never> {
  if (!(error instanceof PeriscopeError) || error.failure.code !== 'extract_failed') throw error;
  const failure = {
    code: 'extract_failed' as const,
    of: 'live' as const,
    reason: 'the page in the browser shows no text now',
  };
  if (lastFile === null) return fail(failure);
  const { open, close } = await createFence(lastFile.name);
  return fail({ ...failure, file: fileAddress(lastFile.id), quoted: `${open} ${lastFile.name} ${close}` });
}

const MEDIA_TYPE = 'text/html';

function snapshotOf(
  { url, documentUrl }: { url: string; documentUrl: string | null },
  key: string,
  extraction: ExtractedText,
  { now, extractMs }: { now: number; extractMs: number },
): PageSnapshotRecord {
  return {
    key,
    canonicalUrl: url,
    finalUrl: url,
    mode: 'live',
    etag: null,
    lastModified: null,
    fetchedAt: now,
    validatedAt: now,
    meta: {
      status: 200,
      headers: {},
      mediaType: MEDIA_TYPE,
      charset: 'utf-8',
      redirects: [],
      robots: { allowed: true, checked: false, rule: null },
      noindex: [],
      canonical: null,
      timings: { fetchMs: 0, extractMs },
      extractor: extraction.extractor,
      siteconfig: extraction.siteconfig ?? null,
      language: extraction.language,
      llmsTxt: null,
      markdownTwin: null,
      needsScripts: false,
      documentUrl,
      pages: extraction.pages,
      explanation: extraction.explanation,
    },
  };
}
