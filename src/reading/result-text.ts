import { citationMark, linesName } from '#core/citation.ts';
import type { OutlineEntry, SearchHit, Viewport } from '#core/document.ts';
import { fenceFor, oneLine, utf8Bytes } from '#core/text/text.ts';
import type { FindResult, Match, Section } from '#reading/find/find-matches.ts';
import type { Extent } from '#client/cursors.ts';
import { VIEWPORT_BYTES_MAX } from './limits.ts';

/**
 * The text a model reads. Every line of page text in a viewport carries its `L<n>: ` prefix; page text anywhere else
 * stands inside a fence. Everything else is ours. Pure but for hashing; the same input gives the same text.
 */

export type ShownPage = {
  cursor: string;
  url: string;
  title: string | null;
  lineCount: number;
  /** Line where the rest of the page begins, if it has one. */
  restStart: number | null;
  /**
   * What the links of its citations begin with: an address in the first view, nothing in later ones, which leave out what
   * that one has stated; `null` for a result list, which has none.
   */
  link: string | null;
  /** Shown with the first view; empty when there is no outline, or it was already shown. */
  outline: readonly OutlineEntry[];
  /** Our own words on what the document leaves out. */
  notes: readonly string[];
};

export async function viewportText(page: ShownPage, slice: Slice, notes: readonly string[]): Promise<string> {
  const { start, end } = slice.viewport;
  return [
    ...(await titleLines(page.title, page.url)),
    `URL: ${page.url}`,
    `Cursor: ${page.cursor}`,
    `Lines ${start}–${end} of ${page.lineCount}${partWords(page.restStart, start)}:`,
    ...[...page.notes, ...notes].map((note) => `Note: ${note}`),
    ...outlineLines(page.outline),
    '',
    ...numbered(slice.lines, start),
    '',
    citeLine(page, slice.viewport),
    nextStep(page, slice.viewport),
  ].join('\n');
}

/** A result with what some providers say beyond title, address and snippet. */
export type ListedHit = SearchHit & { age?: string | null; extraSnippets?: readonly string[] };

/** The lines of a result list: what `search` shows, and what `scroll` and `find` see on the list's cursor. */
export function listLines(hits: readonly ListedHit[]): string[] {
  if (hits.length === 0) return ['No results.'];
  return hits.flatMap((hit, index) => [
    `${index + 1}) ${hit.title} — ${new URL(hit.url).host}${hit.age === null || hit.age === undefined ? '' : ` (${hit.age})`}`,
    `   URL: ${hit.url}`,
    ...(hit.snippet === ''
      ? []
      : [`   Snippet${hit.place === undefined ? '' : ` (line ${hit.place.line})`}: ${hit.snippet}`]),
    ...(hit.extraSnippets ?? []).filter((text) => text !== '').map((text) => `   Snippet: ${text}`),
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

export async function matchesText(page: ShownPage, result: FindResult, regex: boolean): Promise<string> {
  const kind = regex ? 'regular expression' : 'text, ignoring case';
  const shown = result.matches.length;
  return [
    ...(await titleLines(page.title, page.url)),
    `URL: ${page.url}`,
    `Cursor: ${page.cursor}`,
    `${result.total} matching ${result.total === 1 ? 'line' : 'lines'} (${kind})${shown < result.total ? `, ${shown} shown: headings and whole words first` : ''}:`,
    ...(result.stoppedAt === null
      ? []
      : [
          `Note: the search stopped at line ${result.stoppedAt} of ${page.lineCount}; a simpler pattern reaches further.`,
        ]),
    '',
    ...matchLines(page, result),
    ...(result.best === null
      ? ['Nothing matches. Try a shorter or different pattern, or read on with scroll.']
      : [
          '',
          `Read around ${shown === 1 ? 'it' : `L${result.best.loc}`}: scroll {"cursor":"${page.cursor}","loc":${placeToRead(result.best)}}${page.link === null ? '' : ` or /L${result.best.loc}`}`,
        ]),
  ].join('\n');
}

/** A first view states the whole link. After that a few tokens remind of it: where this view begins. */
function citeLine({ cursor, link }: ShownPage, viewport: Viewport): string {
  const mark = `Cite: ${citationMark(cursor, viewport)}`;
  if (link === null) return mark;
  return link === '' ? `${mark} /L${viewport.start}` : `${mark} ${link}/${linesName(viewport)}`;
}

const CONTEXT_LINES = 5;

/** A heading is read from where it stands, another line from a few before it. */
function placeToRead({ loc, level }: Match): number {
  return level > 0 ? loc : Math.max(0, loc - CONTEXT_LINES);
}

/** Headings with the numbers of their lines. */
export function outlineLines(outline: readonly OutlineEntry[]): string[] {
  if (outline.length === 0) return [];
  const omitted = outline.reduce((sum, entry) => sum + (entry.omitted ?? 0), 0);
  const headings = outline.filter(({ level }) => level > 0).length;
  return [
    omitted === 0 ? 'Outline:' : `Outline (${headings} of ${headings + omitted} headings; find looks in all of them):`,
    ...outline.map(({ line, level, text }) => `L${line}: ${'#'.repeat(level)}${level > 0 ? ' ' : ''}${text}`),
  ];
}

/** The section of a match is named before it where that of the match above is another. Page text follows a line number. */
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
    for (const one of toName(its)) {
      // A heading ends the section above it: what it is a part of need not be said again.
      const isNamed = one === its && level === 0 ? one.loc === section : named.has(one.loc);
      if (!isNamed) lines.push(`In the section L${one.loc}: ${oneLine(one.text, SECTION_CHARS_MAX)}`);
      named.add(one.loc);
    }
    section = level > 0 ? loc : (its?.loc ?? null);
    if (level > 0) named.add(loc);
    lines.push(`L${loc}: ${level > 0 ? `${'#'.repeat(level)} ` : ''}${preview}`);
  }
  return lines;
}

/** A section deep in a document, such as "Returns", says nothing without the one that it is a part of. */
function toName(section: Section | null): Section[] {
  if (section === null) return [];
  return section.under === null || section.level < DEEP_LEVEL_MIN ? [section] : [section.under, section];
}

const DEEP_LEVEL_MIN = 3;

/** Of a heading before its matches. */
const SECTION_CHARS_MAX = 100;

/** What the lines outside the main part of a page are. */
export const REST_WORDS = 'the rest of the page (menus, related links, comments, notices)';

function partWords(restStart: number | null, start: number): string {
  if (restStart === null) return '';
  return start < restStart
    ? ` (main part; the rest of the page begins at line ${restStart})`
    : ` (the rest of the page, beside its main part; it begins at line ${restStart})`;
}

async function titleLines(title: string | null, url: string): Promise<string[]> {
  if (title === null) return [];
  const fence = await fenceFor(`${url}\n${title}`);
  return [`Title: ${fence.open} ${title} ${fence.close}`];
}

function numbered(lines: readonly string[], start: number): string[] {
  return lines.map((line, index) => `L${start + index}: ${line}`);
}

function nextStep(page: ShownPage, viewport: Viewport): string {
  const next = viewport.end + 1;
  if (next >= page.lineCount) return 'This is the end of the page.';
  const call = `scroll {"cursor":"${page.cursor}","loc":${next}}`;
  return next === page.restStart ? `This is the end of the main part. For ${REST_WORDS}: ${call}` : `Go on: ${call}`;
}

/** The last line of a viewport of `numLines` from `start`: a viewport never shows both main part and rest. Pure. */
export function lastLine(start: number, numLines: number, { lineCount, restStart }: Extent): number {
  const end = restStart !== null && start < restStart ? restStart : lineCount;
  return Math.min(start + numLines, end) - 1;
}

/** Lines of a document, numbered from `start`. `cut` tells that the size limit ended the viewport early. */
type Slice = { viewport: Viewport; lines: string[]; cut: boolean };

/**
 * The part of `lines` (which begin at line `start`) that fits into one result. Whole lines only; at least one, since no
 * stored line is larger than a result. Pure.
 */
export function fitViewport(lines: readonly string[], start: number): Slice {
  const count = fitting(lines);
  return {
    viewport: { start, end: start + count - 1 },
    lines: lines.slice(0, count),
    cut: count < lines.length,
  };
}

/** How many of the lines fit. Most views fit by far, which their number of characters tells. */
function fitting(lines: readonly string[]): number {
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

/** Of UTF-8, for one of the 16-bit units that a string counts. */
const CHARACTER_BYTES_MAX = 3;
/** `L12345: ` and the line break. */
const LINE_OVERHEAD_BYTES = 12;
