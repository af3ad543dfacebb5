import { cursorPath } from '#core/document/citation.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import { openAtFragment } from './fragments.ts';
import type { OpenResult, OpenMode, OpenPageDeps } from '#reading/opened.ts';
import { composePagePartWords } from '#reading/part-words.ts';
import { PAGE_RESULT_SIZE_LIMITS, writePageResult } from '#reading/page-result.ts';
import type { PageResult, ResultSizeLimits, PageMarkdown } from '#reading/page-result.ts';
import { computePinEnd, toPageBinding } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { fail } from '#core/failures/failure.ts';
import { canonicalizeUrl, redactForFailure } from '#net/fetch/canonical-url.ts';
import { forbidsAiInput } from '#net/robots/content-signals.ts';

type OpenOptions = {
  mode: OpenMode;
  siteconfig: string | undefined;
  refresh: boolean;
  maxAgeSeconds: number | undefined;
  /** True if the call names several URLs, some of which may come from a search. */
  isOneOfMany?: boolean;
};

/** An opened page with its cursor. `from`: number of the line that the URL's fragment names. */
export type PageWithCursor = { opened: OpenResult; cursor: string; link: string; from: number };

const ALL_LINES = { start: 0, end: Number.MAX_SAFE_INTEGER };

/** Opens a page, and finds the place that the URL's fragment names. @throws {PeriscopeError} as `openPage` does */
export async function openPageWithCursor(
  requestedUrl: string,
  options: OpenOptions,
  signal: AbortSignal,
  deps: OpenPageDeps & ReaderDeps,
): Promise<PageWithCursor> {
  const { mode, siteconfig, refresh, maxAgeSeconds } = options;
  const maxAgeMs = maxAgeSeconds === undefined ? undefined : maxAgeSeconds * 1000;
  const request = {
    requestedUrl,
    mode,
    siteconfig,
    refresh,
    maxAgeMs,
    holdUntil: computePinEnd(deps),
    lines: ALL_LINES,
  };
  const { opened, place } = await openAtFragment(request, signal, deps);
  if (options.isOneOfMany === true) await refuseHitIfAiDisallowed(opened, requestedUrl, deps);
  if (place !== null && 'problem' in place) {
    return mintPageCursor({ ...opened, notes: [...opened.notes, place.problem] }, 0, deps);
  }
  return mintPageCursor(opened, place?.line ?? 0, deps);
}

export async function mintPageCursor(opened: OpenResult, from: number, deps: ReaderDeps): Promise<PageWithCursor> {
  const cursor = await deps.client.mintPage(toPageBinding(opened), from, null, deps.cursorTtlMs);
  return { opened, cursor, link: deps.origin + cursorPath(cursor), from };
}

/** Options of the result. `extra`: lines to show above the page. */
type Shown = { extra: readonly string[]; maxLines?: number | undefined; room?: ResultSizeLimits };

export function createPageResult(
  { opened, cursor, link, from }: PageWithCursor,
  { extra, maxLines, room = PAGE_RESULT_SIZE_LIMITS }: Shown,
  deps: ReaderDeps,
): Promise<PageResult> {
  const { snapshot, origin } = opened;
  const whole = toPageMarkdown(opened, deps.documents);
  const status = [
    `Cursor: ${cursor}`,
    `Link: ${link}`,
    `Snapshot: ${snapshot.key} (${ORIGIN_WORDS[origin]})`,
    ...extra,
  ];
  return writePageResult({ ...whole, from, maxLines }, { cursor, status }, room);
}

export function toPageMarkdown(
  opened: Pick<OpenResult, 'document' | 'shownUrl' | 'snapshot' | 'lines' | 'notes'>,
  documents: DocumentStore,
): PageMarkdown {
  const { document, shownUrl, snapshot, lines, notes } = opened;
  return {
    source: shownUrl,
    markdownSource: snapshot.meta.markdownTwin,
    title: document.title,
    lineCount: document.lineCount,
    restStart: document.restStart,
    part: composePagePartWords(snapshot.meta.pages, shownUrl),
    outline: document.outline,
    fetchedAt: snapshot.fetchedAt,
    extractor: document.extractor,
    siteconfig: snapshot.meta.siteconfig,
    notes,
    chunks: lines === null ? documents.scan(document.id) : [{ lines }],
  };
}

const ORIGIN_WORDS = {
  fetched: 'fetched now',
  fresh: 'from the cache',
  confirmed: 'from the cache, confirmed by the site',
  stale: 'from the cache, the site does not answer',
} as const;

type OpenStoredDeps = ReaderDeps & {
  subject: string;
  mayShow: (url: string) => boolean;
};

/**
 * Creates a cursor for a stored document, which must belong to the subject or be findable by the subject's searches.
 * Its ID alone gives no access.
 * @param knownUrl the URL at which the document was read, for a document that no stored page shows any more
 * @returns `null` if the subject has no such document, if its URL is unknown or may not be shown, or if it was just
 *   deleted
 */
export async function mintCursorForStored(
  documentId: string,
  knownUrl: string | null,
  deps: OpenStoredDeps,
): Promise<string | null> {
  const found = await deps.documents.visibleTo(documentId, deps.subject);
  if (found === null) return null;
  const { document, fetchedAt, isLive } = found;
  const url = found.url ?? knownUrl;
  if (url === null || !deps.mayShow(url)) return null;
  if (!(await deps.documents.hold(documentId, computePinEnd(deps)))) return null;
  const binding = toPageBinding({ document, shownUrl: url, isLive, fetchedAt });
  return deps.client.mintPage(binding, 0, null, deps.cursorTtlMs);
}

/**
 * Refuses a page that a search found, if its site asks not to feed pages to AI models. Used by calls that open URLs
 * which the user may not have chosen. Other pages of such a site are opened with a note.
 * @throws {PeriscopeError} `content_signal_disallowed`
 */
export async function refuseHitIfAiDisallowed(
  { snapshot, shownUrl }: Pick<OpenResult, 'snapshot' | 'shownUrl'>,
  requestedUrl: string,
  { client, net }: Pick<OpenPageDeps, 'net'> & Pick<ReaderDeps, 'client'>,
): Promise<void> {
  const { preferences } = snapshot.meta;
  if (!net.policy.respectSignals || preferences === undefined || !forbidsAiInput(preferences)) return;
  const addresses = [canonicalizeUrl(requestedUrl), shownUrl].map((address) => address.replace(/#.*$/s, ''));
  if ((await client.listed(addresses)).length > 0)
    fail({ code: 'content_signal_disallowed', url: redactForFailure(shownUrl) });
}
