import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { CodeFences, toPlain } from '#core/text/plain.ts';
import { diffWords } from '#core/text/word-diff.ts';
import type { DiffPart } from '#core/text/word-diff.ts';
import { utf8Bytes } from '#core/text/text.ts';
import type { CitationStore, StoredCitation } from '#storage/citations.ts';
import type { DocumentOrigin, DocumentStore } from '#storage/pages/documents.ts';
import { CITATION_LINES_MAX } from '#reading/limits.ts';
import { holdUntil, findCursor } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { runWithPauses } from '#core/flow/turns.ts';
import type { InTurn } from '#core/flow/turns.ts';
import { findQuote, foldText } from './quote-text.ts';
import { inOneChunk } from '#reading/find/find-matches.ts';
import { openAtFragment } from '#reading/open/fragments.ts';
import { nearestPassage } from './near-passage.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import type { Chunks } from './quote-text.ts';
import { foldForSearch } from '#core/text/fold.ts';

/** Characters compared with the live page word by word: some two thousand words, whose comparison table takes 15 MB. */
const CHECK_CHARS_MAX = 12_000;
/** Lines shown before the cited ones, if there are that many. */
const CITATION_LINES_BEFORE = 100;
/** HTML bytes of text on one citation page, which stays below 100 KB with its frame. One line may be longer. */
const CITATION_BYTES_MAX = 75_000;

/** `list`: the cursor shows search results; `purged`: the text is no longer stored. */
export type NoSourceReason = 'unknown' | 'list' | 'purged';

type SourceDeps = Pick<ReaderDeps, 'client' | 'cursorTtlMs' | 'documents' | 'renewHold'> & {
  subject: string;
  citations: CitationStore;
};

/** Finds the page of a cursor and renews the cursor. An expired cursor still leads to the pages cited with it. */
export async function findCitedSource(cursor: string, deps: SourceDeps): Promise<CitedSource | NoSourceReason> {
  // Passes no `worksOn` check: users may see their citations of a page that is skipped.
  const shown = await findCursor(cursor, null, { ...deps, worksOn: async () => undefined });
  if (shown === null) {
    const stored = await deps.citations.ofCursor(deps.subject, cursor);
    return stored === null ? 'unknown' : loadCitedSource(stored, deps);
  }
  const { page } = shown;
  if (page === null) return 'list';
  const origin = await deps.documents.origin(page.documentId);
  if (origin === null) return 'purged';
  const { documentId, url, title, fetchedAt } = page;
  const urlByScript = page.urlByScript ?? (await deps.citations.urlByScript(documentId, url));
  const place = sourceFields(origin);
  const isLive = place.isLive || page.isLive === true;
  return { ...place, isLive, cursor, documentId, url, urlByScript, title, fetchedAt };
}

export async function loadCitedSource(stored: StoredCitation, deps: SourceDeps): Promise<CitedSource | 'purged'> {
  const { cursor, documentId, url, title, fetchedAt } = stored;
  const origin = await deps.documents.origin(documentId);
  if (origin === null) return 'purged';
  const place = sourceFields(origin);
  const isLive = stored.isLive || place.isLive;
  const urlByScript = stored.urlByScript ?? (await deps.citations.urlByScript(documentId, url));
  return { ...place, isLive, cursor, documentId, url, urlByScript, title, fetchedAt };
}

function sourceFields({ lineCount, restStart, isPrivate, isLive }: DocumentOrigin) {
  return { lineCount, restStart, isPrivate, isLive };
}

type CitationWindow = { start: number; lines: string[] };

/**
 * Returns the lines to show. The cited lines come first: if they do not all fit, no lines around them are shown.
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

/** Takes the wanted lines first (at least one), then lines after them, then lines before. Pure. */
function fitWindow({ start, lines }: CitationWindow, wanted: Viewport): CitationWindow {
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

/** HTML bytes of each line besides its text. */
const ITEM_BYTES = 120;
/** Maximum UTF-8 bytes added by escaping a character, or by a Markdown mark that becomes an element. */
const ESCAPED_BYTES = 10;
/** HTML bytes of a link element besides its URL. */
const LINK_BYTES = 60;

function escapedBytes(line: string): number {
  const escaped = line.match(/[&<>"'|*_~`]/g)?.length ?? 0;
  const links = line.match(/\]\(/g)?.length ?? 0;
  return utf8Bytes(line) + escaped * ESCAPED_BYTES + links * LINK_BYTES + ITEM_BYTES;
}

/** Returns the fence of the code block that is open before a line, or `null`. */
export async function findOpenFence(
  { documentId }: CitedSource,
  line: number,
  signal: AbortSignal,
  { documents, inTurn }: Pick<CheckDeps, 'documents' | 'inTurn'>,
): Promise<string | null> {
  if (line === 0) return null;
  return inTurn(signal, async (pause) => {
    const fences = new CodeFences();
    for await (const { firstLine, lines } of documents.scan(documentId)) {
      for (const text of lines.slice(0, Math.max(0, line - firstLine))) fences.take(text);
      if (firstLine + lines.length >= line) break;
      await pause();
    }
    return fences.open;
  });
}

type LiveAnswer = {
  checkedAt: number;
  outcome:
    | { kind: 'unchanged' }
    | { kind: 'same'; lines: Viewport }
    | { kind: 'differs'; parts: DiffPart[] }
    | { kind: 'gone' }
    | { kind: 'silent' }
    | { kind: 'too_long' };
};

type CheckDeps = OpenPageDeps & ReaderDeps & { inTurn: InTurn; documents: DocumentStore };

/**
 * Compares the citation with the live page, which it opens as `open_url` does.
 * @throws {PeriscopeError} as `openPage` does
 */
export async function checkCitation(
  source: CitedSource,
  cited: Viewport,
  signal: AbortSignal,
  deps: CheckDeps,
): Promise<LiveAnswer> {
  const answer = (said: LiveAnswer['outcome']): LiveAnswer => ({ checkedAt: deps.now(), outcome: said });
  const lines = await deps.documents.readLines(source.documentId, cited.start, cited.end);
  const text = lines.join('\n');
  if (text.length > CHECK_CHARS_MAX) return answer({ kind: 'too_long' });
  const request = { requestedUrl: source.url, mode: 'auto', maxAgeMs: 0, holdUntil: holdUntil(deps) } as const;
  const { opened } = await openAtFragment(request, signal, deps);
  if (opened.origin === 'stale') return answer({ kind: 'silent' });
  const { document } = opened;
  if (document.id === source.documentId) return answer({ kind: 'unchanged' });
  const scan = (): Chunks => (opened.lines === null ? deps.documents.scan(document.id) : inOneChunk(opened.lines));
  return answer(await deps.inTurn(signal, (pause) => compare(text, scan, pause)));
}

async function compare(text: string, scan: () => Chunks, pause: () => Promise<void>): Promise<LiveAnswer['outcome']> {
  const place = await findQuote(text, scan, pause);
  if (place !== null) return { kind: 'same', lines: place.lines };
  const near = await nearestPassage(text, scan, pause);
  if (near === null) return { kind: 'gone' };
  const read = foldText('read', text).lines.map((line) => line.text);
  const now = near.text.slice(0, CHECK_CHARS_MAX * 2);
  const diff = diffWords(read.filter((line) => line !== '').join('\n'), now, { keyOf: foldForSearch });
  return { kind: 'differs', parts: await runWithPauses(diff, pause) };
}
