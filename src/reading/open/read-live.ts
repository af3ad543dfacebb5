import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { Extracted } from '#extract/extractor.ts';
import { URL_CHARS_MAX } from '#core/limits.ts';
import { boundedAddress } from '#core/text/text.ts';
import type { InTurn } from '#core/flow/turns.ts';
import { NO_ADDRESS } from '#extract/no-address.ts';
import { newDocument } from '#storage/pages/documents.ts';
import { snapshotKey, urlByScript } from '#storage/pages/snapshots.ts';
import type { Snapshot, SnapshotStore } from '#storage/pages/snapshots.ts';
import { extractInTurn } from './extract-in-turn.ts';
import { documentUrlNotes } from '#reading/page-result.ts';
import { detached, linesToHold } from './page-memory.ts';
import { holdUntil } from '#reading/reader.ts';
import type { OpenedPage, ReaderDeps } from '#reading/reader.ts';
import { scriptedUrl } from './render-page.ts';

/** A page as a browser session shows it, or a part of it. */
export type LivePage = {
  html: string;
  /** The address that answered with its document. */
  url: string;
  /** `document.URL`, which scripts can change; an object of an earlier version does not tell, and gives it as `url`. */
  documentUrl?: string | undefined;
  /** More of it was left out than taken. */
  isCut: boolean;
  /** Which part, when it is not the whole page. */
  part: string | undefined;
};

export type ReadLiveDeps = Pick<ReaderDeps, 'cursorTtlMs' | 'now'> & {
  inTurn: InTurn;
  snapshots: SnapshotStore;
};

/**
 * A live page as a document that is private to `subject`, who may be signed in to the page: nobody else can find it, it
 * is in no index, and it is dropped with its cursor. Its snapshot only lets the owner purge it; no cursor names it.
 * @throws {PeriscopeError} `extract_failed` when the page shows no text
 */
export async function readLivePage(
  page: LivePage,
  subject: string,
  signal: AbortSignal,
  deps: ReadLiveDeps,
): Promise<OpenedPage> {
  const started = deps.now();
  const { part } = page;
  const url = boundedAddress(page.url);
  const base = boundedAddress(page.documentUrl ?? page.url);
  const input = {
    kind: 'html',
    text: page.html,
    bytes: new Uint8Array(),
    url: /^https?:/u.test(base) ? base : NO_ADDRESS,
    // A part that was asked for is wanted whole.
    mode: part === undefined ? 'readable' : 'raw',
  } as const;
  const extraction = await extractInTurn(input, signal, deps.inTurn).catch(asLive);
  const now = deps.now();
  const stored = await newDocument(extraction, subject);
  const { document } = stored;
  // Each reading has one: the next must not take this one out of its owner's reach.
  const key = await snapshotKey(url, `private to ${subject}`, `live ${document.id}`);
  // A fragment is no word of a script's: it may be part of the address that was asked for, or of a link.
  const documentUrl = page.documentUrl && scriptedUrl(page.url, page.documentUrl.replace(/#.*$/su, ''));
  const snapshot = snapshotOf({ url, documentUrl: documentUrl && boundedAddress(documentUrl) }, key, extraction, {
    now,
    extractMs: now - started,
  });
  await deps.snapshots.save(snapshot, stored, holdUntil(deps), null);
  const cut = page.isCut ? ['The page exceeds the size limit: its end is missing.'] : [];
  const long =
    url !== page.url ? [`The page's address is longer than ${URL_CHARS_MAX} characters: its end is left out.`] : [];
  return {
    ...detached({ document, url, urlByScript: urlByScript(snapshot) ?? undefined }),
    lines: linesToHold(extraction.lines, document.byteCount),
    notes: [...(await documentUrlNotes(documentUrl ?? null)), ...extraction.cuts, ...cut, ...long],
    isLive: true,
  };
}

/** The page has already run its scripts, and the browser can show it in other ways. */
function asLive(error: unknown): never {
  if (!(error instanceof PeriscopeError) || error.failure.code !== 'extract_failed') throw error;
  return fail({ code: 'extract_failed', of: 'live', reason: 'the page in the browser shows no text now' });
}

const MEDIA_TYPE = 'text/html';

function snapshotOf(
  { url, documentUrl }: { url: string; documentUrl: string | null | undefined },
  key: string,
  extraction: Extracted,
  { now, extractMs }: { now: number; extractMs: number },
): Snapshot {
  return {
    key,
    url,
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
      timings: { fetchMs: 0, extractMs },
      extractor: extraction.extractor,
      siteconfig: extraction.siteconfig ?? null,
      language: extraction.language,
      llmsTxt: null,
      markdownTwin: null,
      needsScripts: false,
      documentUrl,
      explanation: extraction.explanation,
    },
  };
}
