import { formatCitation, lineRange } from '#core/document/citation.ts';
import type { Heading, OutlineEntry, SearchHit, Viewport } from '#core/document/document.ts';
import { createFence, oneLine, utf8Bytes } from '#core/text/text.ts';
import { VIEWPORT_BYTES_MAX } from './limits.ts';
import { describePartEnd } from './part-words.ts';
import type { PagePartDescription } from './part-words.ts';

/**
 * A page for the result text that a model reads. Lines of a viewport begin with their number, such as `L12:`. Other
 * page text is inside a fence, which distinguishes it from this server's words.
 */

export type ViewportHeader = {
  cursor: string;
  shownUrl: string;
  title: string | null;
  lineCount: number;
  restStart: number | null;
  /** The part of the page; `null` if the page is not divided into parts. */
  part: PagePartDescription | null;
  /** Set if the page has drawn only the visible part of a list: heights of that part and of the list, in CSS px. */
  undrawn?: { shown: number; height: number };
  /** URL prefix of citation links; `null` for later views and for a list of results. */
  link: string | null;
  outline: readonly OutlineEntry[];
  notes: readonly string[];
};

/** Writes the text of a view. @param restHeadings headings of menus and comments, if the view ends before those */
export async function writeViewportText(
  page: ViewportHeader,
  slice: Slice,
  notes: readonly string[],
  restHeadings: readonly Heading[] = [],
): Promise<string> {
  const { start, end } = slice.viewport;
  return [
    ...(await writeTitleLines(page.title, page.shownUrl)),
    `URL: ${page.shownUrl}`,
    `Cursor: ${page.cursor}`,
    `Lines ${start}–${end} of ${page.lineCount}${placeWords(page, start)}:`,
    ...[...page.notes, ...notes].map((note) => `Note: ${note}`),
    ...writeOutlineLines(page.outline),
    '',
    ...numbered(slice.lines, start),
    '',
    citeLine(page, slice.viewport),
    ...nextStep(page, slice.viewport, restHeadings),
  ].join('\n');
}

export type ListedHit = SearchHit & {
  age?: string | null;
  extraSnippets?: readonly string[];
  /** Lines of the stored page that match the query. */
  held?: { lines: Viewport; text: string } | undefined;
};

export function writeHitLines(hits: readonly ListedHit[]): string[] {
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

export async function writeResultListText(
  cursor: string,
  lines: readonly string[],
  isEmpty: boolean,
  notes: readonly string[],
): Promise<string> {
  const ours = notes.map((note) => `Note: ${note}`);
  if (isEmpty) return [`No results (cursor ${cursor})`, ...ours].join('\n');
  const fence = await createFence(lines.join('\n'));
  return [
    `Results (cursor ${cursor})`,
    ...ours,
    fence.open,
    ...lines,
    fence.close,
    `Open one: open_result {"cursor":"${cursor}","result_id":1}`,
  ].join('\n');
}

/** Writes the citation mark of a view. Only the first view has the full link, to save tokens. */
function citeLine({ cursor, link }: ViewportHeader, viewport: Viewport): string {
  const mark = `Cite: ${formatCitation(cursor, viewport)}`;
  return link === null ? mark : `${mark} ${link}/${lineRange(viewport)}`;
}

export function writeOutlineLines(outline: readonly OutlineEntry[]): string[] {
  if (outline.length === 0) return [];
  const omitted = outline.reduce((sum, entry) => sum + (entry.omitted ?? 0), 0);
  const headings = outline.filter(({ level }) => level > 0).length;
  return [
    omitted === 0 ? 'Outline:' : `Outline (${headings} of ${headings + omitted} headings; find looks in all of them):`,
    ...outline.map(({ line, level, text }) => `L${line}: ${'#'.repeat(level)}${level > 0 ? ' ' : ''}${text}`),
  ];
}

export const SECTION_NAME_CHARS_MAX = 100;

/** A note for text in which the URLs of links were shortened. */
export const RELATIVE_LINKS_NOTE = 'Links are relative to the URL.';

export const REST_DESCRIPTION = 'the rest of the page (menus, related links, comments, notices)';

function placeWords({ restStart, part }: ViewportHeader, start: number): string {
  const which = part === null ? '' : ` in ${part.words}`;
  if (restStart === null) return which;
  return start < restStart
    ? `${which} (main part; the rest of the page begins at line ${restStart})`
    : `${which} (the rest of the page, outside its main part; it begins at line ${restStart})`;
}

export async function writeTitleLines(title: string | null, url: string): Promise<string[]> {
  if (title === null) return [];
  const fence = await createFence(`${url}\n${title}`);
  return [`Title: ${fence.open} ${title} ${fence.close}`];
}

function numbered(lines: readonly string[], start: number): string[] {
  return lines.map((line, index) => `L${start + index}: ${line}`);
}

function nextStep(page: ViewportHeader, viewport: Viewport, restHeadings: readonly Heading[]): string[] {
  const next = viewport.end + 1;
  const { part } = page;
  if (next >= page.lineCount) return [part === null ? endWords(page) : describePartEnd(part, '')];
  const call = `scroll {"cursor":"${page.cursor}","loc":${next}}`;
  if (next !== page.restStart) return [`Next: ${call}`];
  const end = part === null ? 'This is the end of the main part.' : describePartEnd(part, 'the main part of ');
  if (restHeadings.length === 0) return [`${end} For ${REST_DESCRIPTION}: ${call}`];
  const more = restHeadings.length - REST_HEADINGS_MAX;
  return [
    `${end} For the rest of the page: ${call}`,
    `Headings in the rest${more > 0 ? ` (the first ${REST_HEADINGS_MAX} of ${restHeadings.length})` : ''}:`,
    ...restHeadings
      .slice(0, REST_HEADINGS_MAX)
      .map(({ line, level, text }) => `L${line}: ${'#'.repeat(level)} ${oneLine(text, SECTION_NAME_CHARS_MAX)}`),
  ];
}

function endWords({ undrawn }: ViewportHeader): string {
  if (undrawn === undefined) return 'This is the end of the page.';
  return `This is the end of what the page has drawn. Its list continues: ${undrawn.shown} of ${undrawn.height} px are drawn. Call browser_scroll {"selector":"…"} with an element of the list, then browser_read again.`;
}

/** Maximum headings listed from the rest (menus, comments, related links), enough to show its topics. */
const REST_HEADINGS_MAX = 8;

type Slice = { viewport: Viewport; lines: string[]; cut: boolean };

/**
 * Returns the first lines that together fit into one result. There is always at least one, because no stored line is
 * larger than a result.
 * @param lines the lines from number `start` on
 */
export function fitViewport(lines: readonly string[], start: number): Slice {
  const count = countFitting(lines);
  return {
    viewport: { start, end: start + count - 1 },
    lines: lines.slice(0, count),
    cut: count < lines.length,
  };
}

/** Returns the number of lines that fit. Counts characters first, which is fast and usually decides. */
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

/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const CHARACTER_BYTES_MAX = 3;
/** Bytes that the prefix `L12345: ` and the line break add to each line. */
const LINE_OVERHEAD_BYTES = 12;
