import { countWithUnit, oneLine } from '#core/text/text.ts';
import type { PageRange } from '#core/document/document.ts';
import { createUrlShortener } from '#core/text/links.ts';
import type { ResultLine } from '#core/text/shown-lines.ts';
import { PAGE_END_NOT_STORED_NOTE, describeSearchedPart, composePagePartWords } from '#reading/part-words.ts';
import { REST_DESCRIPTION, SECTION_NAME_CHARS_MAX, writeTitleLines } from '#reading/result-text.ts';
import type { ViewportHeader } from '#reading/result-text.ts';
import type { MatchContext } from './explain.ts';
import type { FindResult, FindMatch, MatchSection } from './find-matches.ts';

export type ExplainedMatches = { result: FindResult; explanations: ReadonlyMap<number, MatchContext> };

/** The matches in another part of the page. `cursor` is empty if the part has no match. */
export type PartMatches = ExplainedMatches & {
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

function readAround({ cursor, link }: Pick<ViewportHeader, 'cursor' | 'link'>, result: FindResult): string[] {
  const [best] = result.best;
  if (best === undefined) return [];
  const which = result.matches.length === 1 ? 'it' : `L${best.loc}`;
  const call = JSON.stringify({ cursor, loc: placeToRead(best), num_lines: AROUND_LINES });
  return ['', `Read around ${which}: scroll ${call}${link === null ? '' : ` or /L${best.loc}`}`];
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
