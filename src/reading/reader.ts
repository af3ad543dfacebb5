import { failOverBudget } from '#core/budgets.ts';
import type { Client, CursorRequest, CallPayment } from '#client/client.ts';
import type { PinnedResult, MovedViewport, CursorPageBinding, ShownCursor, TextExtent } from '#client/cursors.ts';
import { moveViewport } from '#client/cursors.ts';
import { cursorPath } from '#core/document/citation.ts';
import { findHeadings } from '#core/document/document.ts';
import type { Document, Heading, PageRange, SearchHit, Viewport } from '#core/document/document.ts';
import { fail } from '#core/failures/failure.ts';
import { DOCUMENT_PIN_EXTRA_MS, OPENED_DOCUMENT_PIN_EXTRA_MS } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import { mayHaveScriptedUrl } from '#storage/pages/snapshots.ts';
import type { PageSnapshotRecord } from '#storage/schema.ts';
import type { FragmentLine } from './opened.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import type { RecordWorkStart } from '#core/activity.ts';
import type { LineMatcher } from '#reading/find/match-place.ts';
import { withRelativeLinks } from '#core/text/links.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import { splitIntoChunks, ResumableFind } from '#reading/find/find-matches.ts';
import {
  fitViewport,
  writeHitLines,
  RELATIVE_LINKS_NOTE,
  writeResultListText,
  writeViewportText,
} from './result-text.ts';
import type { ListedHit, ViewportHeader } from './result-text.ts';
import { composePagePartWords } from './part-words.ts';

export type { CursorRequest, ShownCursor };

export type ReaderDeps = {
  client: ObjectCalls<Client>;
  cursorTtlMs: number;
  documents: DocumentStore;
  /** Runs after the response: extends the time for which the store keeps a cursor's document. */
  renewHold: (shown: RenewedCursor) => void;
  now: () => number;
  worksOn: RecordWorkStart;
  inTurn: RunWithCpuLock;
  origin: string;
};

type RenewedCursor = Pick<ShownCursor, 'cursor' | 'page' | 'renewHoldUntil'>;

type ViewportResult = {
  cursor: string;
  url: string;
  title: string | null;
  viewport: Viewport;
  text: string;
  citation: { cursor: string; L_start: number; L_end: number };
  render: string;
};

export type PageToShow = {
  document: Document;
  shownUrl: string;
  lines: readonly string[] | null;
  notes: readonly string[];
  snapshot?: PageSnapshotRecord | undefined;
  isLive?: boolean;
  /** Set if the page has drawn only the visible part of a list: heights of that part and of the list, in CSS px. */
  undrawn?: { shown: number; height: number };
  /** Time at which the page was fetched, in ms since 1970. */
  fetchedAt: number;
  /** True if a script of the page may have set `shownUrl`. Given only without a `snapshot`, which has this fact. */
  urlByScript?: boolean | undefined;
  /** Range of pages, if the document is one part of a long file. Given only without a `snapshot`, which has it. */
  pages?: PageRange | undefined;
};

/**
 * Returns the time in ms since 1970 until which a document opened now stays stored. Its cursor expires before that
 * time.
 */
export function computePinEnd(deps: Pick<ReaderDeps, 'cursorTtlMs' | 'now'>): number {
  return deps.now() + deps.cursorTtlMs + DOCUMENT_PIN_EXTRA_MS + OPENED_DOCUMENT_PIN_EXTRA_MS;
}

/** Returns the range of lines to show. The range may extend beyond the end of the page. */
export function lineRangeFrom(loc: number, numLines: number): { start: number; end: number } {
  return { start: loc, end: loc + numLines - 1 };
}

type BoundPage = Pick<
  PageToShow,
  'document' | 'shownUrl' | 'snapshot' | 'isLive' | 'urlByScript' | 'pages' | 'fetchedAt'
>;

export function toPageBinding({
  document,
  shownUrl,
  snapshot,
  isLive,
  urlByScript,
  pages,
  fetchedAt,
}: BoundPage): CursorPageBinding {
  const { id, title, lineCount, restStart } = document;
  const page = { documentId: id, url: shownUrl, title, lineCount, restStart, isLive, urlByScript, pages, fetchedAt };
  if (snapshot === undefined) return page;
  const { key, meta } = snapshot;
  return { ...page, snapshot: key, urlByScript: mayHaveScriptedUrl(snapshot), pages: meta.pages };
}

export async function showResults(
  listed: readonly ListedHit[],
  notes: readonly string[],
  deps: ReaderDeps,
): Promise<{ cursor: string; render: string }> {
  const lines = writeHitLines(listed);
  const hits = listed.map(({ title, url, snippet, place }) => ({ title, url, snippet, place }));
  const cursor = await deps.client.mintList({ hits, lines }, deps.cursorTtlMs);
  return { cursor, render: await writeResultListText(cursor, lines, hits.length === 0, notes) };
}

/**
 * Returns a result of the list that a cursor shows.
 * @throws {PeriscopeError} if the cursor is unknown, or if the list has no such result
 */
export function findListedResult(cursor: string, shown: ShownCursor | null, resultId: number): SearchHit {
  const hits = requireCursor(cursor, shown).list?.hits ?? [];
  const hit = hits[resultId - 1];
  if (hit === undefined) fail({ code: 'result_out_of_range', resultId, available: hits.length });
  return hit;
}

export async function showPage(
  opened: PageToShow,
  place: {
    loc: number;
    numLines: number;
    from: string | null;
    at?: FragmentLine | null;
    held?: PinnedResult | null;
  },
  deps: ReaderDeps,
): Promise<ViewportResult> {
  const { document, shownUrl } = opened;
  const loc = place.loc === 0 && place.at && 'line' in place.at ? place.at.line : place.loc;
  const view = moveViewport(0, document, { loc, delta: 0, numLines: place.numLines });
  const { start } = view;
  const end = lastViewportLine(start, place.numLines, document);
  const read = async (from: number, to: number) =>
    opened.lines?.slice(from, to + 1) ?? deps.documents.readLines(document.id, from, to);
  const [cursor, lines] = await Promise.all([
    isAt(place.held, start)
      ? place.held.cursor
      : deps.client.mintPage(toPageBinding(opened), start, place.from, deps.cursorTtlMs),
    read(start, end),
  ]);
  const { title, lineCount, restStart } = document;
  const notes = [...opened.notes, ...placeNotes(place.at ?? null, loc, lines, shownUrl)];
  const shown: ViewportHeader = {
    cursor,
    shownUrl,
    title,
    lineCount,
    restStart,
    part: composePagePartWords(opened.snapshot?.meta.pages ?? opened.pages, shownUrl, sourceOf(opened)),
    ...(opened.undrawn === undefined ? {} : { undrawn: opened.undrawn }),
    notes,
    outline: document.outline,
    link: deps.origin + cursorPath(cursor),
  };
  return show(shown, lines, view, read);
}

function isAt(held: PinnedResult | null | undefined, line: number): held is PinnedResult {
  return held?.view.start === line;
}

function sourceOf({ isLive }: { isLive?: boolean | undefined }): 'live' | 'address' {
  return isLive === true ? 'live' : 'address';
}

function placeNotes(at: FragmentLine | null, loc: number, lines: readonly string[], url: string): string[] {
  const [page = ''] = url.split('#');
  const goTo = `open_url ${JSON.stringify({ url: `${page}#NAME` })}`;
  return [
    ...(at !== null && 'problem' in at ? [at.problem] : []),
    ...(at !== null && 'line' in at && at.line !== loc ? [`The #fragment of the URL leads to line ${at.line}.`] : []),
    ...(lines.some((line) => IN_PAGE_LINK.test(line)) ? [`A link (#NAME) leads to a place in this page: ${goTo}`] : []),
  ];
}

const IN_PAGE_LINK = /\]\(#[^\s()]/;

export async function showMovedViewport(
  cursor: string,
  moved: ShownCursor | null,
  numLines: number,
  deps: ReaderDeps,
): Promise<ViewportResult> {
  const { view, ...found } = requireCursor(cursor, moved);
  const { shown, read } = openCursorSource(found, deps);
  const lines = await read(view.start, lastViewportLine(view.start, numLines, shown));
  return show(shown, lines, view, read);
}

export function requireCursor(cursor: string, shown: ShownCursor | null): ShownCursor {
  return shown ?? fail({ code: 'unknown_cursor', cursor: sanitizeCursorForMessage(cursor) });
}

type CursorDeps = Pick<ReaderDeps, 'client' | 'cursorTtlMs' | 'renewHold' | 'worksOn'>;

/**
 * Uses a cursor. This extends the lifetime of the cursor and of its document. Returns `null` for an unknown or expired
 * cursor.
 */
export async function findCursor(
  cursor: string,
  { client, cursorTtlMs, renewHold, worksOn }: CursorDeps,
): Promise<ShownCursor | null> {
  const shown = await client.use(cursor, null, cursorTtlMs);
  if (shown === null) return null;
  if (shown.page !== null) await worksOn(shown.page.url);
  renewHold(shown);
  return shown;
}

/** Uses a cursor and charges the rate limit in one request. @throws {PeriscopeError} `rate_limited` */
export async function findPaidCursor(
  use: CursorRequest,
  payment: CallPayment,
  deps: CursorDeps & { cacheTtlMs: number },
): Promise<ShownCursor | null> {
  const times = { ttlMs: deps.cursorTtlMs, maxAgeMs: deps.cacheTtlMs };
  const { refusal, shown } = await deps.client.payAndUse(use, payment, crypto.randomUUID(), times);
  if (refusal !== null) failOverBudget(refusal);
  if (shown?.page) await deps.worksOn(shown.page.url);
  if (shown !== null) deps.renewHold(shown);
  if (shown?.held) deps.renewHold(shown.held);
  return shown;
}

/** Runs after the response: extends a cursor once the store has promised to keep its document longer. */
export async function renewCursor(
  { cursor, page, renewHoldUntil }: RenewedCursor,
  { client, documents }: Pick<ReaderDeps, 'client' | 'documents'>,
): Promise<void> {
  if (page === null || renewHoldUntil === null) return;
  if (await documents.hold(page.documentId, renewHoldUntil)) await client.renew(cursor, renewHoldUntil);
}

/** The failure for a document that is no longer stored. */
const DELETED = { code: 'cache_error', reason: 'the text of this document is missing' } as const;

type ReadLines = (start: number, end: number) => Promise<readonly string[]>;

type Source = {
  shown: ViewportHeader;
  read: ReadLines;
  search: (matcher: LineMatcher) => ResumableFind;
};

export function openCursorSource(
  { cursor, page, list, isForgotten }: Omit<ShownCursor, 'view'>,
  deps: ReaderDeps,
): Source {
  if (page !== null) {
    if (isForgotten === true) fail(DELETED);
    return {
      shown: {
        cursor,
        shownUrl: page.url,
        title: page.title,
        lineCount: page.lineCount,
        restStart: page.restStart,
        part: composePagePartWords(page.pages, page.url, sourceOf(page)),
        outline: [],
        notes: [],
        link: null,
      },
      read: (start, end) => deps.documents.readLines(page.documentId, start, end),
      search: (matcher) => {
        const chunks = deps.documents.scanSeen(page.documentId);
        return new ResumableFind({ chunks, restStart: page.restStart }, matcher);
      },
    };
  }
  const lines = list?.lines ?? [];
  return {
    shown: {
      cursor,
      shownUrl: RESULT_LIST_URL,
      title: null,
      lineCount: lines.length,
      restStart: null,
      part: null,
      outline: [],
      notes: [],
      link: null,
    },
    read: async (start, end) => lines.slice(start, end + 1),
    search: (matcher) =>
      new ResumableFind({ chunks: toSearchableChunks(splitIntoChunks(lines), false), restStart: null }, matcher),
  };
}

const RESULT_LIST_URL = 'periscope:results';

async function show(
  page: ViewportHeader,
  stored: readonly string[],
  view: MovedViewport,
  read: ReadLines,
): Promise<ViewportResult> {
  const lines = withRelativeLinks(stored, page.shownUrl, view.start === 0);
  const slice = fitViewport(lines, view.start);
  const { viewport } = slice;
  const isRelative = slice.lines.some((line, index) => line !== stored[index]);
  const notes = [
    ...(isRelative ? [RELATIVE_LINKS_NOTE] : []),
    ...(view.clamped === 'start' ? ['That is before the first line; the beginning is shown.'] : []),
    ...(view.clamped === 'end' ? [`That is past the last line (${page.lineCount - 1}); the end is shown.`] : []),
    ...(view.clamped === 'rest'
      ? ['That is past the main part; the rest of the page is shown from its beginning.']
      : []),
    ...(slice.cut ? [`These lines are long: the view ends at line ${viewport.end} to fit the size limit.`] : []),
  ];
  return {
    cursor: page.cursor,
    url: page.shownUrl,
    title: page.title,
    viewport,
    text: slice.lines.join('\n'),
    citation: { cursor: page.cursor, L_start: viewport.start, L_end: viewport.end },
    render: await writeViewportText(page, slice, notes, await restHeadings(page, viewport, read)),
  };
}

/**
 * Number of lines of the rest (menus, comments, related links) in which headings are searched. Later headings matter
 * less.
 */
const REST_LINES_READ_MAX = 300;

async function restHeadings(
  { restStart, lineCount }: ViewportHeader,
  { end }: Viewport,
  read: ReadLines,
): Promise<readonly Heading[]> {
  if (restStart === null || end + 1 !== restStart) return [];
  const lines = await read(restStart, Math.min(lineCount, restStart + REST_LINES_READ_MAX) - 1);
  return findHeadings(lines).map((heading) => ({ ...heading, line: restStart + heading.line }));
}

/**
 * Returns the cursor as it may be repeated in a message. Valid cursors are short and plain; any other text is replaced.
 */
export function sanitizeCursorForMessage(cursor: string): string {
  return /^[\w-]{1,64}$/.test(cursor) ? cursor : '(not a cursor)';
}

/** Returns the last line of a view. A view ends where the main part ends and the rest (menus, comments) begins. */
function lastViewportLine(start: number, numLines: number, { lineCount, restStart }: TextExtent): number {
  const end = restStart !== null && start < restStart ? restStart : lineCount;
  return Math.min(start + numLines, end) - 1;
}
