import type { CitedSource } from '#core/citation.ts';
import type { Viewport } from '#core/document.ts';
import { toPlain } from '#core/plain.ts';
import { utf8Bytes } from '#core/text.ts';
import type { CitationStore, StoredCitation } from '#storage/citations.ts';
import type { DocumentOrigin } from '#storage/documents.ts';
import { CITATION_BYTES_MAX, CITATION_LINES_BEFORE, CITATION_LINES_MAX } from './limits.ts';
import { lookUp } from './reader.ts';
import type { ReaderDeps } from './reader.ts';

/** `list`: the cursor shows search results; `purged`: its text is not stored any more. */
export type NoSource = 'unknown' | 'list' | 'purged';

export type SourceDeps = Pick<ReaderDeps, 'client' | 'cursorTtlMs' | 'documents'> & {
  subject: string;
  citations: CitationStore;
};

/**
 * What a cursor of the subject shows, for a page about it. It lives on as with any other use; one that is over still
 * leads to what was cited by it.
 */
export async function citedSource(cursor: string, deps: SourceDeps): Promise<CitedSource | NoSource> {
  const shown = await lookUp(cursor, null, deps);
  if (shown === null) {
    const kept = await deps.citations.ofCursor(deps.subject, cursor);
    return kept === null ? 'unknown' : sourceOf(kept, deps);
  }
  const { page } = shown;
  if (page === null) return 'list';
  const origin = await deps.documents.origin(page.documentId);
  if (origin === null) return 'purged';
  const { documentId, url, title, fetchedAt = origin.createdAt } = page;
  const urlByScript = page.urlByScript ?? (await deps.citations.urlByScript(documentId, url));
  const place = placeOf(origin);
  // The stored page that says so may be purged.
  const isLive = place.isLive || page.isLive === true;
  return { ...place, isLive, cursor, documentId, url, urlByScript, title, fetchedAt };
}

/** The page behind a citation that is kept. */
export async function sourceOf(kept: StoredCitation, deps: SourceDeps): Promise<CitedSource | 'purged'> {
  const { cursor, documentId, url, title, fetchedAt } = kept;
  const origin = await deps.documents.origin(documentId);
  if (origin === null) return 'purged';
  const place = placeOf(origin);
  const isLive = kept.isLive || place.isLive;
  const urlByScript = kept.urlByScript ?? (await deps.citations.urlByScript(documentId, url));
  return { ...place, isLive, cursor, documentId, url, urlByScript, title, fetchedAt };
}

function placeOf({ lineCount, restStart, isPrivate, isLive }: DocumentOrigin) {
  return { lineCount, restStart, isPrivate, isLive };
}

/** Lines around cited ones, as many as one page shows. */
export type CitationWindow = { start: number; lines: string[] };

/**
 * The cited lines, and as many around them as fit; they come first when not even all of them do.
 * @param at the line to begin with instead, for reading on
 */
export async function citationWindow(
  { documentId, lineCount }: CitedSource,
  cited: Viewport | null,
  at: number | null,
  { documents }: Pick<ReaderDeps, 'documents'>,
): Promise<CitationWindow> {
  const from = Math.min(at ?? cited?.start ?? 0, lineCount - 1);
  const first = at === null ? Math.max(0, from - CITATION_LINES_BEFORE) : from;
  const last = Math.min(lineCount, first + CITATION_LINES_MAX) - 1;
  const lines = (await documents.readLines(documentId, first, last)).map(toPlain);
  const to = at === null ? (cited?.end ?? from) : from;
  return fitWindow({ start: first, lines }, { start: from, end: to });
}

/** What fits of lines: first those that are wanted, one at least, then some behind them, then those before. Pure. */
export function fitWindow({ start, lines }: CitationWindow, wanted: Viewport): CitationWindow {
  const sizes = lines.map(escapedBytes);
  const index = wanted.start - start;
  const spare = (end: number) => (index === 0 || start + end <= wanted.end ? 0 : CITATION_BYTES_MAX / 3);
  let left = CITATION_BYTES_MAX;
  let end = index;
  while (end < lines.length && (end === index || left >= (sizes[end] ?? 0) + spare(end))) {
    left -= sizes[end] ?? 0;
    end += 1;
  }
  let begin = index;
  while (begin > 0 && left >= (sizes[begin - 1] ?? 0)) {
    begin -= 1;
    left -= sizes[begin] ?? 0;
  }
  while (end < lines.length && left >= (sizes[end] ?? 0)) {
    left -= sizes[end] ?? 0;
    end += 1;
  }
  return { start: start + begin, lines: lines.slice(begin, end) };
}

/** What an item of the list takes beside its text. */
const ITEM_BYTES = 45;
/** What a character takes more that HTML has to escape, at the most. */
const ESCAPED_BYTES = 5;

function escapedBytes(line: string): number {
  const escaped = line.match(/[&<>"']/g)?.length ?? 0;
  return utf8Bytes(line) + escaped * ESCAPED_BYTES + ITEM_BYTES;
}
