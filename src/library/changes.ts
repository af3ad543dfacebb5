import { fail } from '#core/failures/failure.ts';
import type { Viewport, Document } from '#core/document/document.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { PAGE_RESULT_BYTES_MAX } from '#core/limits.ts';
import { followedPageChangePath } from '#core/paths.ts';
import { openPage } from '#reading/open/open-page.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import { sanitizeCursorForMessage, findCursor, computePinEnd, toPageBinding } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import type { ChangeStore, FollowedChange } from '#storage/library/changes.ts';
import type { ChangedBlock } from '#storage/library/round-pages.ts';
import { headingLevel } from '#core/document/document.ts';
import { runWithPauses } from '#core/flow/turns.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { foldForSearch } from '#core/text/fold.ts';
import type { DocumentStore } from '#storage/pages/documents.ts';
import type { Follow } from '#storage/library/follows.ts';
import { compareDocuments } from '#library/compare/compare.ts';
import type { BlockChange, DocumentLines, LineSpan } from '#library/compare/compare.ts';

const CHANGED_BLOCKS_CHARS_MAX = 100_000;
/** Maximum blocks stored per change, and their characters. A rewritten page may have hundreds. */
const CHANGED_BLOCKS_PER_PAGE_MAX = 200;
/** Maximum changes in one answer. The model gets further changes by passing `nextSince` as `since`. */
const CHANGES_PER_ANSWER_MAX = 20;
/** Maximum changed blocks shown in one answer, over all its pages. */
const BLOCKS_PER_ANSWER_MAX = 60;

export type ChangesDeps = OpenPageDeps & ReaderDeps & { changes: ChangeStore };

export type CursorLines = { cursor: string; lines: Viewport; text: string[] };

export type ReportedBlock = {
  kind: ChangedBlock['kind'];
  before: CursorLines | null;
  after: CursorLines | null;
  section: string | null;
  head: string | null;
  words: ChangedBlock['words'];
};

/** A changed page. */
export type ReportedChange = {
  kind: FollowedChange['kind'];
  url: string;
  title: string | null;
  library: string | null;
  at: number;
  movedTo: string | null;
  problem: string | null;
  documentId: string | null;
  /** Link that opens both versions for the user; `null` for a comparison that is not stored. */
  link: string | null;
  /** Cursor of the version before the change; `null` if there is none. */
  before: string | null;
  /** Cursor of the version after the change; `null` if there is none. */
  after: string | null;
  blocks: ReportedBlock[];
  /** Number of blocks that are not shown. */
  left: number;
};

/** Lists changes after `since` (ms), oldest first. `nextSince`: value of `since` for the next call. */
export async function listChangesSince(
  since: number,
  follow: string | undefined,
  deps: ChangesDeps,
): Promise<{ changes: ReportedChange[]; nextSince: number; isMore: boolean }> {
  const rows = await deps.changes.since(deps.subject, since, CHANGES_PER_ANSWER_MAX + 1, follow);
  const shown = wholeMoments(rows);
  const room = { bytes: PAGE_RESULT_BYTES_MAX / 2, blocks: BLOCKS_PER_ANSWER_MAX };
  const changes: ReportedChange[] = [];
  for (const row of shown) changes.push(await tellable(row, room, deps));
  return { changes, nextSince: shown.at(-1)?.at ?? since, isMore: rows.length > shown.length };
}

/** Returns the change that one check found in one page; `null` if none exists or it belongs to another subject. */
export async function findChange(
  place: { follow: string; round: number; page: string },
  deps: ChangesDeps,
): Promise<ReportedChange | null> {
  const row = await deps.changes.find(deps.subject, place.follow, place.page, place.round);
  const room = { bytes: PAGE_RESULT_BYTES_MAX, blocks: CHANGED_BLOCKS_PER_PAGE_MAX };
  return row === null ? null : tellable(row, room, deps);
}

/**
 * Ends an answer between two points in time: the next call asks only for changes after the last time, so changes of the
 * same time must stay together. If more changes have one time than fit into an answer, the others are not listed.
 */
function wholeMoments(rows: readonly FollowedChange[]): readonly FollowedChange[] {
  const over = rows[CHANGES_PER_ANSWER_MAX];
  if (over === undefined) return rows;
  const before = rows.filter(({ at }) => at < over.at);
  return before.length > 0 ? before : rows.slice(0, CHANGES_PER_ANSWER_MAX);
}

type Room = { bytes: number; blocks: number };

async function tellable(row: FollowedChange, room: Room, deps: ChangesDeps): Promise<ReportedChange> {
  const { kind, url, title, library, at, movedTo, problem } = row;
  const address = movedTo ?? url;
  const [before, after] = await Promise.all([
    side(row.before, url, deps),
    // A page that no longer exists has no new version.
    kind === 'gone' || kind === 'closed' ? null : side(row.after, address, deps),
  ]);
  const { blocks, left } = await shownBlocks(row.blocks, before, after, room, deps);
  return {
    kind,
    url,
    title,
    library,
    at,
    movedTo,
    problem,
    documentId: row.after ?? row.before,
    link: deps.origin + followedPageChangePath(row.follow, row.round, row.key),
    before: before?.cursor ?? null,
    after: after?.cursor ?? null,
    blocks,
    left,
  };
}

type Side = { cursor: string; documentId: string };

/** Creates a cursor for an old or new version of a changed page, which is stored as long as the change. */
async function side(documentId: string | null, url: string, deps: ChangesDeps): Promise<Side | null> {
  if (documentId === null) return null;
  const document = await deps.documents.find(documentId, deps.subject);
  if (document === null || !(await deps.documents.hold(documentId, computePinEnd(deps)))) return null;
  const origin = await deps.documents.origin(documentId);
  if (origin === null) return null;
  const binding = toPageBinding({ document, shownUrl: url, fetchedAt: origin.createdAt });
  return { cursor: await deps.client.mintPage(binding, 0, null, deps.cursorTtlMs), documentId };
}

async function shownBlocks(
  blocks: readonly ChangedBlock[],
  before: Side | null,
  after: Side | null,
  room: Room,
  { documents }: Pick<ChangesDeps, 'documents'>,
): Promise<{ blocks: ReportedBlock[]; left: number }> {
  const shown: ReportedBlock[] = [];
  for (const block of blocks) {
    if (room.blocks <= 0 || room.bytes <= 0) break;
    const [old, now] = await Promise.all([
      citable(block.before, before, room, documents),
      citable(block.after, after, room, documents),
    ]);
    room.blocks -= 1;
    room.bytes -= utf8Bytes([...(old?.text ?? []), ...(now?.text ?? [])].join('\n'));
    const { kind, section, head, words } = block;
    shown.push({ kind, before: old, after: now, section, head, words });
  }
  return { blocks: shown, left: blocks.length - shown.length };
}

/** Reads as many lines of a range as fit. The citation names the whole range. */
async function citable(
  range: { first: number; last: number } | null,
  of: Side | null,
  room: Room,
  documents: ChangesDeps['documents'],
): Promise<CursorLines | null> {
  if (range === null || of === null) return null;
  const lines = { start: range.first, end: range.last };
  const read = await documents.readLines(
    of.documentId,
    lines.start,
    Math.min(lines.end, lines.start + BLOCK_LINES_MAX - 1),
  );
  const text: string[] = [];
  let bytes = 0;
  for (const line of read.map(sanitizeText)) {
    bytes += utf8Bytes(line);
    if (text.length > 0 && bytes > room.bytes / 2) break;
    text.push(line);
  }
  return { cursor: of.cursor, lines, text };
}

/** Maximum lines shown per block. The tool `scroll` shows more of them. */
const BLOCK_LINES_MAX = 30;

/**
 * Compares two documents for which the subject has cursors, or one of them with the live page.
 * @throws {PeriscopeError} `unknown_cursor`; same errors as opening the page
 */
export async function compareVersions(
  cursors: readonly string[],
  signal: AbortSignal,
  deps: ChangesDeps,
): Promise<ReportedChange> {
  const [first, second] = cursors;
  const old = await heldPage(first ?? '', deps);
  const now = second === undefined ? await pageNow(old.url, signal, deps) : await heldPage(second, deps);
  const [before, after] = await Promise.all([
    readWholeDocument(old.documentId, deps.documents),
    readWholeDocument(now.documentId, deps.documents),
  ]);
  if (before === null || after === null) return fail(NOT_STORED);
  const room = { bytes: PAGE_RESULT_BYTES_MAX / 2, blocks: BLOCKS_PER_ANSWER_MAX };
  const all = await compareWithCpuLock(before, after, [], signal, deps);
  const { blocks, left } = await shownBlocks(all, old, now, room, deps);
  const isMoved = old.url !== now.url;
  return {
    kind: isMoved && second === undefined ? 'moved' : 'changed',
    url: old.url,
    title: now.title ?? old.title,
    library: null,
    at: deps.now(),
    movedTo: isMoved ? now.url : null,
    problem: null,
    documentId: now.documentId,
    link: null,
    before: old.cursor,
    after: now.cursor,
    blocks,
    left,
  };
}

const NOT_STORED = { code: 'cache_error', reason: 'the text of this document is missing' } as const;

type Held = Side & { url: string; title: string | null };

async function heldPage(cursor: string, deps: ChangesDeps): Promise<Held> {
  const view = await findCursor(cursor, deps);
  if (view === null) return fail({ code: 'unknown_cursor', cursor: sanitizeCursorForMessage(cursor) });
  if (view.page === null) return fail(IS_LIST);
  const { documentId, url, title } = view.page;
  return { cursor, documentId, url, title };
}

const IS_LIST = {
  code: 'invalid_argument',
  field: 'cursors',
  problem: 'contains the cursor of a result list',
  hint: 'Pass cursors of pages.',
} as const;

async function pageNow(url: string, signal: AbortSignal, deps: ChangesDeps): Promise<Held> {
  const opened = await openPage(
    { requestedUrl: url, mode: 'auto', maxAgeMs: 0, holdUntil: computePinEnd(deps) },
    signal,
    deps,
  );
  const cursor = await deps.client.mintPage(toPageBinding(opened), 0, null, deps.cursorTtlMs);
  return { cursor, documentId: opened.document.id, url: opened.shownUrl, title: opened.document.title };
}

export async function findReportedBlocks(
  before: string,
  { document, lines }: { document: Document; lines: readonly string[] },
  { contains, varying }: Pick<Follow, 'contains' | 'varying'>,
  signal: AbortSignal,
  deps: { documents: DocumentStore; inTurn: RunWithCpuLock },
): Promise<ChangedBlock[]> {
  const old = await readWholeDocument(before, deps.documents);
  // Without the old version, which is no longer stored, the whole page counts as added.
  if (old === null) {
    const after = { first: 0, last: Math.max(0, document.lineCount - 1) };
    return [{ kind: 'added', before: null, after, section: null, head: null, words: [] }];
  }
  const now = { lines, restStart: document.restStart };
  const blocks = await compareWithCpuLock(old, now, varying, signal, deps);
  return fitting(contains === null ? blocks : touching(blocks, contains, old, now));
}

function compareWithCpuLock(
  before: DocumentLines,
  after: DocumentLines,
  varying: readonly string[],
  signal: AbortSignal,
  { inTurn }: { inTurn: RunWithCpuLock },
): Promise<BlockChange[]> {
  return inTurn(signal, (pause) => runWithPauses(compareDocuments(before, after, varying), pause));
}

export async function readWholeDocument(id: string, documents: DocumentStore): Promise<DocumentLines | null> {
  const origin = await documents.origin(id);
  if (origin === null) return null;
  const lines: string[] = [];
  for await (const chunk of documents.scan(id)) lines.push(...chunk.lines);
  return { lines, restStart: origin.restStart };
}

function touching(
  blocks: readonly BlockChange[],
  phrase: string,
  old: DocumentLines,
  now: DocumentLines,
): BlockChange[] {
  const wanted = foldForSearch(phrase);
  const before = linesAbout(wanted, old);
  const after = linesAbout(wanted, now);
  const isAbout = (range: LineSpan | null, about: Uint8Array) =>
    range !== null && about.subarray(range.first, range.last + 1).includes(1);
  return blocks.filter((block) => isAbout(block.before, before) || isAbout(block.after, after));
}

/** Marks each line with 1 if the line, or a heading above it, has the phrase. */
function linesAbout(wanted: string, { lines }: DocumentLines): Uint8Array {
  const about = new Uint8Array(lines.length);
  const headings: { level: number; isAbout: boolean }[] = [];
  for (const [at, line] of lines.entries()) {
    const has = foldForSearch(line).includes(wanted);
    const level = headingLevel(line);
    if (level > 0) {
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, isAbout: has || headings.at(-1)?.isAbout === true });
    }
    about[at] = Number(has || headings.at(-1)?.isAbout === true);
  }
  return about;
}

/** Cuts the list of blocks at its limit. Once the words have used up their limit, blocks are stored without words. */
function fitting(blocks: readonly ChangedBlock[]): ChangedBlock[] {
  let left = CHANGED_BLOCKS_CHARS_MAX;
  return blocks.slice(0, CHANGED_BLOCKS_PER_PAGE_MAX).map(({ words, ...block }) => {
    left -= words.reduce((sum, { text }) => sum + text.length, 0);
    return { ...block, words: left < 0 ? [] : words };
  });
}
