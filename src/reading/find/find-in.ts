import type { CursorPageBinding, ShownCursor } from '#client/cursors.ts';
import { noPause } from '#core/flow/turns.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import { FIND_STEPS_MAX } from '#reading/limits.ts';
import { firstPageOfNextPart, openPagePart, PAGE_PARTS_PER_CALL_MAX, withoutFragment } from '#reading/open/parts.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import { computePinEnd, requireCursor, toPageBinding, openCursorSource } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { compilePattern, suggestRegex } from './compile-pattern.ts';
import { explainMatches } from './explain.ts';
import type { ReadLines } from './explain.ts';
import { splitIntoChunks, ResumableFind } from './find-matches.ts';
import type { FindResult } from './find-matches.ts';
import type { LineMatcher } from './matcher.ts';
import { writeMatchesText } from './matches-text.ts';
import type { ExplainedMatches, PartMatches } from './matches-text.ts';

/**
 * Maximum work of a search that runs immediately, up to 30 ms of CPU. A longer search waits for the isolate's CPU lock
 * (`inTurn`) and then continues.
 */
const FIND_WORK_WITHOUT_TURN = 1_500_000;
/** Time limit in ms for fetching the other parts of a long page, so that the call ends in time. */
const PARTS_DEADLINE_MS = 25_000;

type Deps = ReaderDeps & OpenPageDeps;

/** A document to search: the one that the cursor shows, or another part of the same page. */
type Searched = {
  extent: { lineCount: number; restStart: number | null };
  search: (matcher: LineMatcher) => ResumableFind;
  read: ReadLines;
};

/** Searches the document that a cursor shows. If the page is divided into parts, it also searches the other parts. */
export async function findInCursorDocument(
  cursor: string,
  looked: ShownCursor | null,
  { pattern, isRegex }: { pattern: string; isRegex: boolean },
  signal: AbortSignal,
  deps: Deps,
): Promise<{ url: string; matches: { loc: number; preview: string }[]; render: string }> {
  const matchers = compilePattern(pattern, isRegex);
  const found = requireCursor(cursor, looked);
  const { shown, search, read } = openCursorSource(found, deps);
  const { lineCount, restStart } = shown;
  const own: Searched = { extent: { lineCount, restStart }, search, read };
  const parts = found.page === null ? [] : await openOtherParts(found.page, signal, deps);
  const documents = [own, ...parts.map((part) => searchedPart(part, deps))];
  const results = await searchAll(documents, matchers, signal, deps);
  const explained = await Promise.all(
    documents.map(async (document, index) => explainedIn(document, results[index] ?? NOTHING)),
  );
  const [first = { result: NOTHING, explanations: new Map() }] = explained;
  const others = await Promise.all(
    parts.map(async (part, index): Promise<PartMatches> => {
      const { document, snapshot } = part;
      const one = explained[index + 1] ?? first;
      const at = one.result.best[0]?.loc ?? null;
      const pages = snapshot.meta.pages ?? null;
      const start = at ?? 0;
      const minted =
        at === null ? '' : await deps.client.mintPage(toPageBinding(part), start, cursor, deps.cursorTtlMs);
      return { ...one, cursor: minted, pages, restStart: document.restStart, lineCount: document.lineCount };
    }),
  );
  const isNowhere = explained.every(({ result }) => result.total === 0);
  const asRegex = isNowhere ? suggestRegex(pattern, isRegex) : null;
  const matches = first.result.matches.map(({ loc, preview }) => ({ loc, preview }));
  const render = await writeMatchesText(
    shown,
    { ...first, pages: found.page?.pages ?? null, others },
    { isRegex, asRegex },
  );
  return { url: shown.shownUrl, matches, render };
}

const NOTHING: FindResult = { matches: [], best: [], total: 0, stoppedAt: null };

async function explainedIn({ extent, read }: Searched, result: FindResult): Promise<ExplainedMatches> {
  const among = new Set(result.matches.map(({ loc }) => loc));
  return { result, explanations: await explainMatches(result.best, among, extent, read) };
}

function searchedPart(part: OpenResult, { documents }: Deps): Searched {
  const { document, lines } = part;
  const { lineCount, restStart } = document;
  return {
    extent: { lineCount, restStart },
    read: async (start, end) => lines?.slice(start, end + 1) ?? documents.readLines(document.id, start, end),
    search: (matcher) => {
      const chunks =
        lines === null ? documents.scanSeen(document.id) : toSearchableChunks(splitIntoChunks(lines), true);
      return new ResumableFind({ chunks, restStart }, matcher);
    },
  };
}

/**
 * Searches all documents with the first matcher. Uses each further matcher only if no document has had a match so far.
 */
async function searchAll(
  documents: readonly Searched[],
  matchers: readonly LineMatcher[],
  signal: AbortSignal,
  deps: Deps,
): Promise<FindResult[]> {
  let results: FindResult[] = [];
  for (const matcher of matchers) {
    let left = FIND_STEPS_MAX;
    results = [];
    for (const { search } of documents) {
      const one = search(matcher);
      results.push(await searchInTurn(one, left, signal, deps));
      left = Math.max(0, left - one.work);
    }
    if (results.some(({ total }) => total > 0)) break;
  }
  return results;
}

async function searchInTurn(
  search: ResumableFind,
  workMax: number,
  signal: AbortSignal,
  { inTurn }: ReaderDeps,
): Promise<FindResult> {
  const short = await search.goOn(noPause, Math.min(workMax, FIND_WORK_WITHOUT_TURN));
  return short.stoppedAt === null ? short : inTurn(signal, (pause) => search.goOn(pause, workMax));
}

async function openOtherParts(page: CursorPageBinding, signal: AbortSignal, deps: Deps): Promise<OpenResult[]> {
  const { pages, isLive } = page;
  if (pages === undefined || isLive === true || (pages.first === 1 && pages.last >= pages.total)) return [];
  const request = {
    requestedUrl: withoutFragment(page.url),
    mode: 'auto',
    holdUntil: computePinEnd(deps),
  } as const;
  return withTimeout(PARTS_DEADLINE_MS, async (late) => {
    const either = AbortSignal.any([signal, late]);
    const parts: OpenResult[] = [];
    for (let next = 1; next <= pages.total && parts.length < PAGE_PARTS_PER_CALL_MAX;) {
      if (next >= pages.first && next <= pages.last) {
        next = pages.last + 1;
        continue;
      }
      const part = await openPagePart({ ...request, firstPage: next }, either, deps);
      signal.throwIfAborted();
      if (part === null) break;
      parts.push(part);
      next = firstPageOfNextPart(part) ?? pages.total + 1;
    }
    return parts;
  });
}
