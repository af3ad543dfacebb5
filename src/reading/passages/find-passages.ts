import type { Viewport } from '#core/document/document.ts';
import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { CursorPageBinding } from '#client/cursors.ts';
import type { Pause } from '#core/flow/turns.ts';
import { noPause } from '#core/flow/turns.ts';
import { sanitizeCursorForMessage, findCursor, toPageBinding, computePinEnd } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { splitIntoChunks } from '#reading/find/find-matches.ts';
import { openPagesInParallel } from '#reading/open/open-batch.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import { PAGE_END_NOT_STORED_NOTE, describeSearchedPart, composePagePartWords } from '#reading/part-words.ts';
import { PASSAGES_CONCURRENCY, CPU_LOCK_CHARS_MIN } from '#reading/limits.ts';
import { parseQuestion } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import type { RankedPassage } from '#ranking/passage.ts';
import { rankDocuments, dropWeakerPassages } from './rank-documents.ts';
import type { RankedDocumentResult } from './rank-documents.ts';
import { firstPageOfNextPart, openPagePart, PAGE_PARTS_PER_CALL_MAX } from '#reading/open/open-page.ts';
import { refuseHitIfAiDisallowed } from '#reading/open/open-whole.ts';
import { openAtFragment } from '#reading/open/fragments.ts';
import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import { readableText } from '#core/text/visible-text.ts';
import { oneLine, withoutFragment } from '#core/text/text.ts';
import { completeList, LIST_LINES_MAX } from '#core/document/list-rest.ts';
import type { ListRest } from '#core/document/list-rest.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { chooseNewerCopy, computeSnapshotKeys } from '#reading/open/page-keys.ts';

/** A document to search: a page, or one part of a page. */
type SearchedDocument = {
  binding: CursorPageBinding;
  chunks: () => AsyncIterable<{ firstLine: number; lines: readonly string[] }>;
  bytes: number;
  /** Cursor of the document; `null` until one is needed. */
  cursor: string | null;
};

type Asked = { name: string; documents: SearchedDocument[]; failure: Failure | null; notes: string[] };

export type FoundPassage = {
  url: string;
  title: string | null;
  documentId: string;
  cursor: string;
  lines: Viewport;
  /** The lines of the passage as they are stored. */
  text: readonly string[];
  /** The fence of the code block that contains the first line; `null` if the line is not in code. */
  fence: string | null;
  headings: readonly string[];
  lead: { line: number; text: string } | null;
  /** The items of a list that the passage does not contain, although it contains the first ones. */
  rest: ListRest | null;
};

export type PageSearchReport = {
  asked: string;
  url: string | null;
  title: string | null;
  passages: number;
  /** True if the page has a matching passage, even if other pages have better ones. */
  fits: boolean;
  failure: Failure | null;
  /**
   * The nearest headings of a page without matching passages. Such a page also gets a `cursor`, for further searches.
   */
  headings: readonly string[];
  cursor: string | null;
  notes: readonly string[];
};

/** A search for passages in pages. */
type Request = {
  question: string;
  /** Rewordings of the question. */
  also: readonly string[];
  urls: readonly string[];
  cursors: readonly string[];
  max: number;
};

type Deps = OpenPageDeps & ReaderDeps;

/**
 * Opens the pages and finds the best passages in all of them. A page that cannot be opened does not affect the others.
 */
export async function findBestPassages(
  { question, also, urls, cursors, max }: Request,
  signal: AbortSignal,
  onDone: (done: number) => void,
  deps: Deps,
): Promise<{ passages: FoundPassage[]; pages: PageSearchReport[] }> {
  const [opened, known] = await Promise.all([openAll(urls, signal, onDone, deps), knownAll(cursors, deps)]);
  const asked = eachDocumentOnce([...opened, ...known]);
  const documents = asked.flatMap((one) => one.documents);
  const ranking = new PassageRanking(
    parseQuestion(question),
    also.map((text) => parseQuestion(text)),
  );
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
  const read = documents.map(({ binding, chunks }) => ({ ...binding, chunks }));
  const rank = (pause: Pause) => rankDocuments(read, ranking, pause);
  const texts = await (bytes < CPU_LOCK_CHARS_MIN ? rank(noPause) : deps.inTurn(signal, rank));
  const found: ScoredPassage[] = [];
  const seen = new Set<string>();
  const all = ranking.passages(max, SPARE);
  for (const ranked of all) {
    if (found.length >= max) break;
    const others = all.filter((one) => one !== ranked && one.source === ranked.source);
    const passage = await shown(ranked, others, { documents, texts }, deps);
    const key = passage?.text.join('\n').trim() ?? '';
    if (passage === null || seen.has(key)) continue;
    seen.add(key);
    found.push({ ...passage, score: ranked.score });
  }
  const passages = dropWeakerPassages(found, question);
  const searched = { documents, texts, passages, ranking };
  const pages = await Promise.all(asked.map((one) => pageOf(one, searched, deps)));
  return { passages, pages };
}

type ScoredPassage = FoundPassage & { score: number };

/** Number of extra passages to rank, because passages with equal text are shown only once. */
const SPARE = 10;

async function openAll(
  urls: readonly string[],
  signal: AbortSignal,
  onDone: (done: number) => void,
  deps: Deps,
): Promise<Asked[]> {
  const entries = await openPagesInParallel(
    urls,
    (url, either) => openParts(url, either, deps),
    PASSAGES_CONCURRENCY,
    signal,
    onDone,
  );
  return entries.map(({ url, page, failure }): Asked => {
    if (page === null) return { name: url, documents: [], failure, notes: [] };
    const documents = page.parts.map((opened): SearchedDocument => {
      const { document, lines } = opened;
      return {
        binding: toPageBinding(opened),
        chunks: () => (lines === null ? deps.documents.scan(document.id) : splitIntoChunks(lines)),
        bytes: document.byteCount,
        cursor: null,
      };
    });
    return { name: url, documents, failure: null, notes: page.notes };
  });
}

async function knownAll(cursors: readonly string[], deps: Deps): Promise<Asked[]> {
  return Promise.all(
    cursors.map(async (cursor): Promise<Asked> => {
      const failed = (failure: Failure): Asked => ({
        name: sanitizeCursorForMessage(cursor),
        documents: [],
        failure,
        notes: [],
      });
      try {
        const view = await findCursor(cursor, deps);
        if (view === null) return failed({ code: 'unknown_cursor', cursor: sanitizeCursorForMessage(cursor) });
        const { page } = view;
        if (page === null) return failed(IS_LIST);
        if ((await deps.documents.origin(page.documentId)) === null) return failed(NOT_STORED);
        const part = composePagePartWords(page.pages, page.url, page.isLive === true ? 'live' : 'address');
        const chunks = () => deps.documents.scan(page.documentId);
        const document = { binding: page, chunks, bytes: page.lineCount * LINE_BYTES_USUAL, cursor };
        return {
          name: cursor,
          documents: [document],
          failure: null,
          notes: part === null ? [] : [describeSearchedPart(part)],
        };
      } catch (error) {
        const failure = findFailure(error);
        if (failure === null) throw error;
        return failed(failure);
      }
    }),
  );
}

/**
 * Assumed bytes per line if the cursor does not have the size. Used only to decide whether to wait for the CPU lock
 * (`inTurn`).
 */
const LINE_BYTES_USUAL = 80;

const NOT_STORED = { code: 'cache_error', reason: 'the text of this document is missing' } as const;

const IS_LIST = {
  code: 'invalid_argument',
  field: 'cursors',
  problem: 'contains the cursor of a result list',
  hint: 'Open a result with open_result, or pass the addresses of results as urls.',
} as const;

/** Removes repeated documents. If two URLs lead to one document, its passages appear under the first URL. */
function eachDocumentOnce(asked: readonly Asked[]): Asked[] {
  const seen = new Map<string, string>();
  return asked.map((one) => {
    const documents = one.documents.filter(({ binding }) => !seen.has(binding.documentId));
    const same = one.documents.map(({ binding }) => seen.get(binding.documentId)).find((name) => name !== undefined);
    for (const { binding } of documents) seen.set(binding.documentId, one.name);
    return same === undefined ? one : { ...one, documents, notes: [...one.notes, `It is the same text as ${same}.`] };
  });
}

async function shown(
  { source, lines: own, lead, headings }: RankedPassage,
  others: readonly RankedPassage[],
  { documents, texts }: Pick<Searched, 'documents' | 'texts'>,
  deps: Deps,
): Promise<FoundPassage | null> {
  const document = documents[source];
  if (document === undefined) return null;
  const { documentId, url, title, restStart } = document.binding;
  const end = Math.min(own.end + LIST_LINES_MAX, restStart === null || restStart <= own.end ? Infinity : restStart - 1);
  const [cursor, read] = await Promise.all([
    cursorOf(document, own.start, deps),
    deps.documents.readLines(documentId, own.start, end),
  ]);
  const count = own.end - own.start + 1;
  const { lines, text, rest } = completeList({ lines: own, text: read.slice(0, count) }, read.slice(count), (range) =>
    others.every((one) => range.end < one.lines.start || range.start > one.lines.end),
  );
  return {
    url,
    title,
    documentId,
    cursor,
    lines,
    text,
    fence: texts[source]?.fences.openBefore(lines.start) ?? null,
    headings,
    lead: lead === null ? null : { line: lead.loc, text: lead.raw },
    rest,
  };
}

async function cursorOf(document: SearchedDocument, at: number, deps: Deps): Promise<string> {
  document.cursor ??= await deps.client.mintPage(document.binding, at, null, deps.cursorTtlMs);
  return document.cursor;
}

async function pageOf(
  { name, documents: own, failure, notes }: Asked,
  { documents, texts, passages, ranking }: Searched,
  deps: Deps,
): Promise<PageSearchReport> {
  const [first] = own;
  const ids = new Set(own.map(({ binding }) => binding.documentId));
  const count = passages.filter(({ documentId }) => ids.has(documentId)).length;
  const fits = count > 0 || own.some((document) => ranking.fits(documents.indexOf(document)));
  const isBare = first !== undefined && count === 0 && !fits;
  return {
    asked: name,
    url: first?.binding.url ?? null,
    title: first?.binding.title ?? null,
    passages: count,
    fits,
    failure,
    headings: isBare ? ranking.headings(documents.indexOf(first)) : [],
    cursor: first === undefined ? null : isBare ? await cursorOf(first, 0, deps) : first.cursor,
    notes: [...notes, ...own.flatMap((document) => stopNotes(texts[documents.indexOf(document)]?.stop ?? null))],
  };
}

type Searched = {
  documents: readonly SearchedDocument[];
  texts: readonly RankedDocumentResult[];
  passages: readonly FoundPassage[];
  ranking: PassageRanking;
};

function stopNotes(stop: number | null): string[] {
  return stop === null
    ? []
    : [`It was searched up to line ${stop - 1}: these pages are too long together. Pass fewer pages.`];
}

const PAGE_FRAGMENT = /#page=\d/i;

/** A page with all its parts, each a document. `notes`: what was not read. */
type PageInParts = { parts: OpenResult[]; notes: string[] };

/**
 * Opens all parts of a page, or only the part that its URL names. A failure of a later part does not affect the others.
 * @throws {PeriscopeError} as `openPage` does for the first part
 */
async function openParts(url: string, signal: AbortSignal, deps: OpenPageDeps & ReaderDeps): Promise<PageInParts> {
  const request = { requestedUrl: url, mode: 'auto', holdUntil: computePinEnd(deps) } as const;
  const { opened } = await openAtFragment(request, signal, deps);
  await refuseHitIfAiDisallowed(opened, url, deps);
  const parts = [opened];
  if (PAGE_FRAGMENT.test(url)) return { parts, notes: partSearchedNotes(opened) };
  const first = opened.snapshot.meta.pages?.first ?? 1;
  if (first > 1) return openParts(withoutFragment(url), signal, deps);
  for (let next = firstPageOfNextPart(opened); next !== null && parts.length < PAGE_PARTS_PER_CALL_MAX;) {
    const part = await openPagePart({ ...request, requestedUrl: withoutFragment(url), firstPage: next }, signal, deps);
    if (part === null) break;
    parts.push(part);
    next = firstPageOfNextPart(part);
  }
  return { parts, notes: unreadNotes(parts.at(-1) ?? opened) };
}

function unreadNotes({ snapshot, shownUrl: url }: OpenResult): string[] {
  const part = composePagePartWords(snapshot.meta.pages, url);
  if (part === null) return [];
  const { words, isLast, isCut, next } = part;
  if (isLast) return isCut ? [`It was read as far as ${words}. ${PAGE_END_NOT_STORED_NOTE}`] : [];
  return [`It was read as far as ${words}. ${next === null ? PAGE_END_NOT_STORED_NOTE : `Next part: ${next}`}`];
}

function partSearchedNotes({ snapshot, shownUrl: url }: OpenResult): string[] {
  const part = composePagePartWords(snapshot.meta.pages, url);
  return part === null ? [] : [describeSearchedPart(part)];
}

/** Maximum bytes of stored text that is searched for one list of results, from its top: about ten ordinary pages. */
const HELD_BYTES_MAX = 2_000_000;

type HeldPassage = { documentId: string; lines: Viewport; text: string };

type HeldDeps = OpenPageDeps & ReaderDeps & { mayShow: (url: string) => boolean };

/**
 * Finds passages in the stored pages of search results that this subject may see, without fetching.
 * @returns `passages` by URL; `unread`: URLs of stored pages beyond the size limit
 */
export async function findStoredHitPassages(
  { query, also }: { query: string; also: readonly string[] },
  urls: readonly string[],
  signal: AbortSignal,
  deps: HeldDeps,
): Promise<{ passages: Map<string, HeldPassage>; unread: string[] }> {
  const keys = await Promise.all(
    urls.map(async (url) => ({
      url,
      keys: await computeSnapshotKeys(canonicalizeUrl(url), { requestedUrl: url, mode: 'auto' }, deps.subject),
    })),
  );
  const all = keys.flatMap(({ keys: { own, shared } }) => (shared === null ? [own] : [own, shared]));
  const stored = all.length === 0 ? [] : await deps.snapshots.findAndHold(all, computePinEnd(deps));
  let bytes = 0;
  const unread: string[] = [];
  const held = keys.flatMap(({ url, keys: own }) => {
    const page = chooseNewerCopy(own, stored);
    if (page === null || !deps.mayShow(page.snapshot.finalUrl)) return [];
    if (bytes + page.document.byteCount > HELD_BYTES_MAX) {
      unread.push(url);
      return [];
    }
    bytes += page.document.byteCount;
    return [{ url, document: page.document }];
  });
  if (held.length === 0) return { passages: new Map(), unread };
  const ranking = new PassageRanking(
    parseQuestion(query),
    also.map((text) => parseQuestion(text)),
  );
  const documents = held.map(({ document }) => ({ ...document, chunks: () => deps.documents.scan(document.id) }));
  const rank = (pause: Pause) => rankDocuments(documents, ranking, pause);
  await (bytes < CPU_LOCK_CHARS_MIN ? rank(noPause) : deps.inTurn(signal, rank));
  const found = await Promise.all(
    [...ranking.pages()].map(async ([source, { passage }]) => {
      const { url, document } = held[source] ?? {};
      if (url === undefined || document === undefined) return [];
      const { core } = passage;
      const text = (await deps.documents.readLines(document.id, core.start, core.end))
        .map((line) => readableText(line))
        .join(' ');
      return [[url, { documentId: document.id, lines: core, text: oneLine(text, SNIPPET_CHARS_MAX) }] as const];
    }),
  );
  return { passages: new Map(found.flat()), unread };
}
