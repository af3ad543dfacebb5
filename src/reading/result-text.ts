import { citationMark, lineRange } from '#core/document/citation.ts';
import type { Heading, OutlineEntry, SearchHit, Viewport } from '#core/document/document.ts';
import { fenceFor, oneLine, utf8Bytes } from '#core/text/text.ts';
import type { FindResult, Match, Section } from '#reading/find/find-matches.ts';
import type { Extent } from '#client/cursors.ts';
import { VIEWPORT_BYTES_MAX } from './limits.ts';
import { partEnd, partSearched } from './part-words.ts';
import type { PartWords } from './part-words.ts';

/**
 * The text that a model reads. Each line of page text in a viewport starts with `L<n>: `; page text anywhere else
 * stands inside a fence. The rest is ours. Pure but for hashing.
 */

export type ShownPage = {
  cursor: string;
  shownUrl: string;
  title: string | null;
  lineCount: number;
  restStart: number | null;
  /** Set for a page that is read in parts. */
  part: PartWords | null;
  /**
   * Prefix of citation links: an address in the first view, empty in later ones, which leave out what the first has
   * stated; `null` for a result list.
   */
  link: string | null;
  outline: readonly OutlineEntry[];
  notes: readonly string[];
};

/** @param restHeadings the headings of the rest, if the view ends where the rest begins */
export async function viewportText(
  page: ShownPage,
  slice: Slice,
  notes: readonly string[],
  restHeadings: readonly Heading[] = [],
): Promise<string> {
  const { start, end } = slice.viewport;
  return [
    ...(await titleLines(page.title, page.shownUrl)),
    `URL: ${page.shownUrl}`,
    `Cursor: ${page.cursor}`,
    `Lines ${start}–${end} of ${page.lineCount}${placeWords(page, start)}:`,
    ...[...page.notes, ...notes].map((note) => `Note: ${note}`),
    ...outlineLines(page.outline),
    '',
    ...numbered(slice.lines, start),
    '',
    citeLine(page, slice.viewport),
    ...nextStep(page, slice.viewport, restHeadings),
  ].join('\n');
}

/** `held`: the lines of the stored page that fit the query. */
export type ListedHit = SearchHit & {
  age?: string | null;
  extraSnippets?: readonly string[];
  held?: { lines: Viewport; text: string } | undefined;
};

export function listLines(hits: readonly ListedHit[]): string[] {
  if (hits.length === 0) return ['No results.'];
  return hits.flatMap((hit, index) => [
    `${index + 1}) ${hit.title} — ${new URL(hit.url).host}${hit.age === null || hit.age === undefined ? '' : ` (${hit.age})`}`,
    `   URL: ${hit.url}`,
    ...(hit.snippet === ''
      ? []
      : [`   Snippet${hit.place === undefined ? '' : ` (line ${hit.place.line})`}: ${hit.snippet}`]),
    ...(hit.extraSnippets ?? []).filter((text) => text !== '').map((text) => `   Snippet: ${text}`),
    ...(hit.held === undefined ? [] : [`   Stored page (${lineRange(hit.held.lines)}): ${hit.held.text}`]),
  ]);
}

export async function resultListText(
  cursor: string,
  lines: readonly string[],
  isEmpty: boolean,
  notes: readonly string[],
): Promise<string> {
  const ours = notes.map((note) => `Note: ${note}`);
  if (isEmpty) return [`No results (cursor ${cursor})`, ...ours].join('\n');
  const fence = await fenceFor(lines.join('\n'));
  return [
    `Results (cursor ${cursor})`,
    ...ours,
    fence.open,
    ...lines,
    fence.close,
    `Open one: open_result {"cursor":"${cursor}","result_id":1}`,
  ].join('\n');
}

/** `asRegex`: the regular expression that was probably meant, when nothing matches. */
export type LookedFor = { isRegex: boolean; asRegex: string | null };

export async function matchesText(page: ShownPage, result: FindResult, wanted: LookedFor): Promise<string> {
  const kind = wanted.isRegex ? 'regular expression' : 'text, ignoring case';
  const shown = result.matches.length;
  return [
    ...(await titleLines(page.title, page.shownUrl)),
    `URL: ${page.shownUrl}`,
    `Cursor: ${page.cursor}`,
    `${result.total} matching ${result.total === 1 ? 'line' : 'lines'} (${kind})${shown < result.total ? `, ${shown} shown: headings and whole words first` : ''}${result.matches.some(({ section }) => section !== null) ? ', below the headings of their sections' : ''}:`,
    ...(result.stoppedAt === null
      ? []
      : [
          `Note: the search stopped at line ${result.stoppedAt} of ${page.lineCount}; a simpler pattern reaches further.`,
        ]),
    '',
    ...matchLines(page, result),
    ...(result.best === null
      ? [nothingMatches(page, wanted)]
      : [
          '',
          `Read around ${shown === 1 ? 'it' : `L${result.best.loc}`}: scroll {"cursor":"${page.cursor}","loc":${placeToRead(result.best)},"num_lines":${AROUND_LINES}}${page.link === null ? '' : ` or /L${result.best.loc}`}`,
        ]),
    ...(page.part === null ? [] : [partSearched(page.part)]),
  ].join('\n');
}

/** Only the first view states the whole link; later ones save tokens. */
function citeLine({ cursor, link }: ShownPage, viewport: Viewport): string {
  const mark = `Cite: ${citationMark(cursor, viewport)}`;
  if (link === null) return mark;
  return link === '' ? `${mark} /L${viewport.start}` : `${mark} ${link}/${lineRange(viewport)}`;
}

function nothingMatches({ cursor, part }: ShownPage, { isRegex, asRegex }: LookedFor): string {
  const here = 'Nothing matches. Try a shorter or different pattern, or read on with scroll.';
  const hint = part === null ? here : 'Nothing matches here.';
  if (asRegex === null) return hint;
  const call = JSON.stringify({ cursor, pattern: asRegex, is_regex: true });
  return isRegex
    ? `Nothing matches: a regular expression minds case. Without: find ${call}`
    : `Nothing matches: the pattern was looked for as plain text. As a regular expression: find ${call}`;
}

/** Of a view around a match: as few as a view may have. Whoever needs more scrolls on. */
const AROUND_LINES = 20;
const CONTEXT_LINES = 5;

/** Lines before a match give context; a heading needs none. */
function placeToRead({ loc, level }: Match): number {
  return level > 0 ? loc : Math.max(0, loc - CONTEXT_LINES);
}

export function outlineLines(outline: readonly OutlineEntry[]): string[] {
  if (outline.length === 0) return [];
  const omitted = outline.reduce((sum, entry) => sum + (entry.omitted ?? 0), 0);
  const headings = outline.filter(({ level }) => level > 0).length;
  return [
    omitted === 0 ? 'Outline:' : `Outline (${headings} of ${headings + omitted} headings; find looks in all of them):`,
    ...outline.map(({ line, level, text }) => `L${line}: ${'#'.repeat(level)}${level > 0 ? ' ' : ''}${text}`),
  ];
}

/** A section is named once, before its first match. Page text follows a line number. */
function matchLines({ restStart }: ShownPage, { matches }: FindResult): string[] {
  const lines: string[] = [];
  const named = new Set<number>();
  let section: number | null = null;
  let inRest = false;
  for (const { loc, level, preview, section: its } of matches) {
    const isBeside = restStart !== null && loc >= restStart;
    if (isBeside !== inRest)
      lines.push(isBeside ? `In ${REST_WORDS}, from line ${restStart} on:` : 'In the main part:');
    inRest = isBeside;
    for (const one of sectionsToName(its)) {
      // A heading names its own section, so only the one above has to be named.
      const isNamed = one === its && level === 0 ? one.loc === section : named.has(one.loc);
      if (!isNamed) lines.push(headingLine(one));
      named.add(one.loc);
    }
    section = level > 0 ? loc : (its?.loc ?? null);
    if (level > 0) named.add(loc);
    lines.push(`L${loc}: ${level > 0 ? `${'#'.repeat(level)} ` : ''}${preview}`);
  }
  return lines;
}

function headingLine({ loc, level, text }: Section): string {
  return `L${loc}: ${'#'.repeat(level)} ${oneLine(text, SECTION_CHARS_MAX)}`;
}

/** A deep heading such as "Returns" means nothing without the one above. */
function sectionsToName(section: Section | null): Section[] {
  if (section === null) return [];
  return section.under === null || section.level < DEEP_LEVEL_MIN ? [section] : [section.under, section];
}

const DEEP_LEVEL_MIN = 3;

const SECTION_CHARS_MAX = 100;

export const REST_WORDS = 'the rest of the page (menus, related links, comments, notices)';

function placeWords({ restStart, part }: ShownPage, start: number): string {
  const which = part === null ? '' : ` in ${part.words}`;
  if (restStart === null) return which;
  return start < restStart
    ? `${which} (main part; the rest of the page begins at line ${restStart})`
    : `${which} (the rest of the page, beside its main part; it begins at line ${restStart})`;
}

async function titleLines(title: string | null, url: string): Promise<string[]> {
  if (title === null) return [];
  const fence = await fenceFor(`${url}\n${title}`);
  return [`Title: ${fence.open} ${title} ${fence.close}`];
}

function numbered(lines: readonly string[], start: number): string[] {
  return lines.map((line, index) => `L${start + index}: ${line}`);
}

function nextStep(page: ShownPage, viewport: Viewport, restHeadings: readonly Heading[]): string[] {
  const next = viewport.end + 1;
  const { part } = page;
  if (next >= page.lineCount) return [part === null ? 'This is the end of the page.' : partEnd(part, '')];
  const call = `scroll {"cursor":"${page.cursor}","loc":${next}}`;
  if (next !== page.restStart) return [`Next: ${call}`];
  const end = part === null ? 'This is the end of the main part.' : partEnd(part, 'the main part of ');
  if (restHeadings.length === 0) return [`${end} For ${REST_WORDS}: ${call}`];
  const more = restHeadings.length - REST_HEADINGS_MAX;
  return [
    `${end} For the rest of the page: ${call}`,
    `Headings in the rest${more > 0 ? ` (the first ${REST_HEADINGS_MAX} of ${restHeadings.length})` : ''}:`,
    ...restHeadings
      .slice(0, REST_HEADINGS_MAX)
      .map(({ line, level, text }) => `L${line}: ${'#'.repeat(level)} ${oneLine(text, SECTION_CHARS_MAX)}`),
  ];
}

/** Headings of the rest that are named: enough to see what it is about. */
const REST_HEADINGS_MAX = 8;

/** A viewport never shows both main part and rest. Pure. */
export function lastViewportLine(start: number, numLines: number, { lineCount, restStart }: Extent): number {
  const end = restStart !== null && start < restStart ? restStart : lineCount;
  return Math.min(start + numLines, end) - 1;
}

type Slice = { viewport: Viewport; lines: string[]; cut: boolean };

/**
 * Whole lines that fit into one result; at least one, since no stored line is larger than a result. Pure.
 * @param lines begin at line `start`
 */
export function fitViewport(lines: readonly string[], start: number): Slice {
  const count = countFitting(lines);
  return {
    viewport: { start, end: start + count - 1 },
    lines: lines.slice(0, count),
    cut: count < lines.length,
  };
}

/** Counting characters first is cheap and settles most cases. */
function countFitting(lines: readonly string[]): number {
  const overhead = lines.length * LINE_OVERHEAD_BYTES;
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  if (chars * CHARACTER_BYTES_MAX + overhead <= VIEWPORT_BYTES_MAX) return lines.length;
  let bytes = 0;
  let count = 0;
  for (const line of lines) {
    bytes += utf8Bytes(line) + LINE_OVERHEAD_BYTES;
    if (count > 0 && bytes > VIEWPORT_BYTES_MAX) break;
    count += 1;
  }
  return count;
}

/** UTF-8 bytes of one UTF-16 unit, at most. */
const CHARACTER_BYTES_MAX = 3;
/** `L12345: ` and the line break. */
const LINE_OVERHEAD_BYTES = 12;
