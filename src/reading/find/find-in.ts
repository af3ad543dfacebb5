import type { CursorPageBinding, ShownCursor } from '#client/cursors.ts';
import { noPause } from '#core/flow/turns.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import { FIND_STEPS_MAX } from '#reading/limits.ts';
import { firstPageOfNextPart, openPagePart, PAGE_PARTS_PER_CALL_MAX } from '#reading/open/open-page.ts';
import type { OpenPageDeps, OpenResult } from '#reading/opened.ts';
import { computePinEnd, requireCursor, toPageBinding, openCursorSource } from '#reading/reader.ts';
import type { ReaderDeps } from '#reading/reader.ts';
import { compilePattern, suggestRegex } from './matcher.ts';
import { explainMatches } from './match-context.ts';
import type { ReadLines, MatchContext } from './match-context.ts';
import { splitIntoChunks, ResumableFind } from './find-matches.ts';
import type { FindResult, FindMatch, MatchSection } from './find-matches.ts';
import type { LineMatcher } from './match-place.ts';
import { countWithUnit, oneLine, withoutFragment } from '#core/text/text.ts';
import type { PageRange } from '#core/document/document.ts';
import { createUrlShortener } from '#core/text/links.ts';
import type { ResultLine } from '#core/text/shown-lines.ts';
import { PAGE_END_NOT_STORED_NOTE, describeSearchedPart, composePagePartWords } from '#reading/part-words.ts';
import { REST_DESCRIPTION, SECTION_NAME_CHARS_MAX, writeTitleLines } from '#reading/result-text.ts';
import type { ViewportHeader } from '#reading/result-text.ts';

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

type ExplainedMatches = { result: FindResult; explanations: ReadonlyMap<number, MatchContext> };

/** The matches in another part of the page. `cursor` is empty if the part has no match. */
type PartMatches = ExplainedMatches & {
  cursor: string;
  pages: PageRange | null;
  restStart: number | null;
  lineCount: number;
};

/** The matches in all parts. `pages`: page range of the part that the cursor shows. */
type Found = ExplainedMatches & { pages: PageRange | null; others: readonly PartMatches[] };

/** The caller's search. `asRegex`: if nothing matches, the regular expression that was probably meant. */
type LookedFor = { isRegex: boolean; asRegex: string | null };

export async function writeMatchesText(page: ViewportHeader, found: Found, wanted: LookedFor): Promise<string> {
  const { result, pages, others } = found;
  const having = others.filter(({ result: { total } }) => total > 0);
  const [firstOther] = having;
  return [
    ...(await writeTitleLines(page.title, page.shownUrl)),
    `URL: ${page.shownUrl}`,
    `Cursor: ${page.cursor}`,
    `${countWords(result)} (${wanted.isRegex ? 'regular expression' : 'text, ignoring case'})${others.length === 0 || pages === null ? '' : ` in ${pageWords(pages)}`}${sectionWords(result)}:`,
    ...stopLines(result, page.lineCount),
    '',
    ...matchLines(found, page),
    ...(having.length === 0 && result.total === 0 ? [nothingMatches(page, wanted, others.length > 0)] : []),
    ...readAround(page, result),
    ...having.flatMap((part) => partLines(part, page)),
    ...(result.total > 0 || firstOther === undefined ? [] : readAround({ ...page, ...firstOther }, firstOther.result)),
    ...unsearched(page, others, pages),
  ].join('\n');
}

function countWords({ total, matches }: FindResult): string {
  const lines = countWithUnit(total, 'matching line');
  return matches.length < total ? `${lines}, the best ${matches.length} shown` : lines;
}

function sectionWords({ matches }: FindResult): string {
  return matches.length === 0 ? '' : ', with section and explaining lines';
}

function stopLines({ stoppedAt }: FindResult, lineCount: number): string[] {
  if (stoppedAt === null) return [];
  return [`Note: the search stopped at line ${stoppedAt} of ${lineCount}; a simpler pattern reaches further.`];
}

function pageWords({ first, last, total }: PageRange): string {
  return first === last ? `page ${first} of ${total}` : `pages ${first} to ${last} of ${total}`;
}

function partLines(part: PartMatches, page: ViewportHeader): string[] {
  const { result, cursor, pages, lineCount } = part;
  return [
    '',
    `${countWords(result)}${pages === null ? '' : ` in ${pageWords(pages)}`} (cursor ${cursor}: these line numbers belong to it):`,
    ...stopLines(result, lineCount),
    ...matchLines(part, { ...page, restStart: part.restStart }),
  ];
}

/**
 * Returns a line that names the searched parts, with calls that open the parts next to them. No line for a page without
 * parts.
 */
function unsearched(page: ViewportHeader, others: readonly PartMatches[], own: PageRange | null): string[] {
  const { part } = page;
  if (part === null) return [];
  if (others.length === 0 || own === null) return [describeSearchedPart(part)];
  const searched = [own, ...others.flatMap(({ pages }) => pages ?? [])].toSorted((a, b) => a.first - b.first);
  let next = 1;
  for (const { first, last } of searched) if (first <= next) next = Math.max(next, last + 1);
  if (next > own.total) {
    return [
      `All ${own.total} pages of this document were searched.${own.isCut === true ? ` ${PAGE_END_NOT_STORED_NOTE}` : ''}`,
    ];
  }
  const until = composePagePartWords({ first: 1, last: next - 1, total: own.total }, page.shownUrl);
  return until === null ? [] : [describeSearchedPart(until)];
}

function nothingMatches({ cursor, part }: ViewportHeader, { isRegex, asRegex }: LookedFor, isMore: boolean): string {
  const here = 'Nothing matches. Try a shorter or different pattern, or read on with scroll.';
  const hint = part === null || isMore ? here : 'Nothing matches here.';
  if (asRegex === null) return hint;
  const call = JSON.stringify({ cursor, pattern: asRegex, is_regex: true });
  return isRegex
    ? `Nothing matches. A regular expression is case-sensitive. To ignore case: find ${call}`
    : `Nothing matches. The pattern was searched for as plain text. To search as a regular expression: find ${call}`;
}

function readAround({ cursor }: Pick<ViewportHeader, 'cursor'>, result: FindResult): string[] {
  const [best] = result.best;
  if (best === undefined) return [];
  const which = result.matches.length === 1 ? 'it' : `L${best.loc}`;
  const call = JSON.stringify({ cursor, loc: placeToRead(best), num_lines: AROUND_LINES });
  return ['', `Read around ${which}: scroll ${call}`];
}

/** Lines to show around a match in the suggested call: the minimum size of a view. */
const AROUND_LINES = 20;
const CONTEXT_LINES = 5;

function placeToRead({ loc, level }: FindMatch): number {
  return level > 0 ? loc : Math.max(0, loc - CONTEXT_LINES);
}

/**
 * Returns the matching lines with their sections and the lines that explain them. Each section is named once, and no
 * line is shown twice.
 */
function matchLines(
  { result, explanations }: ExplainedMatches,
  page: Pick<ViewportHeader, 'restStart' | 'shownUrl'>,
): string[] {
  const { restStart, shownUrl } = page;
  const relative = createUrlShortener(shownUrl);
  const isInOrder = result.matches.length === result.total;
  const shown = new ShownLines();
  const named = new Set<number>();
  let section: number | null = null;
  let inRest = false;
  for (const match of result.matches) {
    const { loc, level, section: its } = match;
    const isBeside = restStart !== null && loc >= restStart;
    if (isBeside !== inRest)
      shown.say(isBeside ? `In ${REST_DESCRIPTION}, from line ${restStart} on:` : 'In the main part:');
    inRest = isBeside;
    for (const one of sectionsToName(its)) {
      // A matching heading shows the name of its own section, so only the enclosing section is named.
      const isNamed = one === its && level === 0 ? one.loc === section : named.has(one.loc);
      if (!isNamed) shown.say(headingLine(one));
      named.add(one.loc);
    }
    section = level > 0 ? loc : (its?.loc ?? null);
    if (level > 0) named.add(loc);
    const { before, after } = explanations.get(loc) ?? { before: [], after: [] };
    if (match.head !== null) shown.add(match.head);
    for (const line of before) shown.add(line, isInOrder);
    shown.add({ loc, text: `${level > 0 ? `${'#'.repeat(level)} ` : ''}${match.line}${addresses(match, relative)}` });
    for (const line of after) shown.add(line);
  }
  return shown.lines;
}

class ShownLines {
  readonly #shown: { loc: number | null; line: string }[] = [];
  readonly #locs = new Set<number>();

  get lines(): string[] {
    return this.#shown.map(({ line }) => line);
  }

  say(line: string): void {
    this.#shown.push({ loc: null, line });
  }

  /** Adds a line if it is not shown yet. @param isInOrder true to place it before later lines of its section */
  add({ loc, text }: ResultLine, isInOrder = false): void {
    if (this.#locs.has(loc)) return;
    this.#locs.add(loc);
    const before = isInOrder ? this.#shown.findLastIndex((one) => one.loc === null || one.loc < loc) + 1 : undefined;
    this.#shown.splice(before ?? this.#shown.length, 0, { loc, line: `L${loc}: ${text}` });
  }
}

function addresses({ links }: FindMatch, relative: (address: string) => string): string {
  return links.length === 0 ? '' : ` → ${links.map(relative).join(' · ')}`;
}

function headingLine({ loc, level, text }: MatchSection): string {
  return `L${loc}: ${'#'.repeat(level)} ${oneLine(text, SECTION_NAME_CHARS_MAX)}`;
}

/**
 * Returns the headings to name for a section. A deep heading such as "Returns" occurs often, so the enclosing section
 * is also named.
 */
function sectionsToName(section: MatchSection | null): MatchSection[] {
  if (section === null) return [];
  return section.under === null || section.level < DEEP_LEVEL_MIN ? [section] : [section.under, section];
}

const DEEP_LEVEL_MIN = 3;
