import type { Document, OutlineEntry, Viewport } from '#core/document/document.ts';
import { PAGE_MARKDOWN_BYTES_MAX, PAGE_RESULT_BYTES_MAX } from '#core/limits.ts';
import { createFence, oneLine, utf8Bytes } from '#core/text/text.ts';
import type { Fence } from '#core/text/text.ts';
import { describeAiPreferences } from '#net/robots/content-signals.ts';
import { writeOutlineLines, RELATIVE_LINKS_NOTE, REST_DESCRIPTION } from './result-text.ts';
import { listWebLinks } from '#reading/open/markdown-twin.ts';
import type { PageLink } from '#reading/open/markdown-twin.ts';
import { RelativeLinkWriter } from '#core/text/links.ts';
import { sanitizeText } from '#core/text/plain.ts';
import type { PageSnapshotRecord } from '#storage/schema.ts';
import { SCRIPTED_URL_CHARS_MAX } from './limits.ts';
import type { OpenPageDeps, OpenRequest } from './opened.ts';
import { describePartEnd, describePagePart, composePagePartWords } from './part-words.ts';
import type { PagePartDescription } from './part-words.ts';
import { describeRendering } from '#reading/open/extract-page.ts';

export type PageResult = {
  url: string;
  title: string | null;
  markdown: string;
  shown: Viewport;
  rest: Viewport | null;
  totalLines: number;
  outline: readonly OutlineEntry[];
  links: PageLink[];
  /** `markdown` as a text block, with a fence around page text and links relative to the page. */
  text: string;
};

export type PageMarkdown = {
  source: string;
  markdownSource?: string | null | undefined;
  title: string | null;
  lineCount: number;
  restStart: number | null;
  /** First line to show; by default the first line of the page. */
  from?: number;
  /** Maximum number of lines to show; by default all. */
  maxLines?: number | undefined;
  /** The part of the page; `null` if the page is not divided into parts. */
  part: PagePartDescription | null;
  outline: readonly OutlineEntry[];
  fetchedAt: number | null;
  extractor: string;
  siteconfig: string | null;
  notes: readonly string[];
  chunks: AsyncIterable<{ lines: readonly string[] }> | Iterable<{ lines: readonly string[] }>;
};

/**
 * Size limits of a result in bytes, for the text block and for `markdown`. The links in `markdown` are not shortened.
 */
export type ResultSizeLimits = { textBytes: number; markdownBytes: number };

export const PAGE_RESULT_SIZE_LIMITS: ResultSizeLimits = {
  textBytes: PAGE_RESULT_BYTES_MAX,
  markdownBytes: PAGE_MARKDOWN_BYTES_MAX,
};

/**
 * Builds the result for a page.
 * @param facts the cursor to continue with, if any, and lines to show above the page
 */
export async function writePageResult(
  whole: PageMarkdown,
  facts: { cursor: string | null; status: readonly string[] },
  room: ResultSizeLimits,
): Promise<PageResult> {
  const { source, title, lineCount, restStart, from = 0, maxLines = Infinity } = whole;
  const end = restStart !== null && from < restStart ? restStart : lineCount;
  const rest = restStart === null ? null : { start: restStart, end: lineCount - 1 };
  // The outline is only useful when the page is read from its beginning, without a line limit.
  const outline = from === 0 && maxLines === Infinity ? whole.outline : [];
  const head = writeFrontmatter(whole);
  const above = [
    `URL: ${source}`,
    ...facts.status,
    ...whole.notes.map((note) => `Note: ${note}`),
    ...(await fencedOutline(source, outline)),
  ];
  const frame = ({ lines, short, isFull }: ShownLines, fence: Fence): Frame => {
    const last = from + lines.length - 1;
    const note = short.some((line, index) => line !== lines[index]) ? [`Note: ${RELATIVE_LINKS_NOTE}`] : [];
    return {
      above: [...above, ...note, `Lines ${from}–${last} of ${lineCount}:`, fence.open, head],
      below: [
        fence.close,
        goOn(facts.cursor, { start: from, end: last, isFull }, whole),
        ...(rest === null ? [] : [describeRest(rest, facts.cursor)]),
      ],
    };
  };
  const count = Math.min(end - from, maxLines);
  const within = await linesWithin(whole, count, { head, room }, frame);
  const markdown = `${head}\n${within.lines.join('\n')}`;
  const written = frame(within, await createFence(`${source}\n${markdown}`));
  return {
    url: source,
    title,
    markdown,
    shown: { start: from, end: from + within.lines.length - 1 },
    rest,
    totalLines: lineCount,
    outline,
    links: listWebLinks(within.lines),
    text: [...written.above, ...within.short, ...written.below].join('\n'),
  };
}

async function fencedOutline(source: string, outline: readonly OutlineEntry[]): Promise<string[]> {
  const [head, ...lines] = writeOutlineLines(outline);
  if (head === undefined) return [];
  const fence = await createFence(`${source}\n${lines.join('\n')}`);
  return [head, fence.open, ...lines, fence.close];
}

/** Writes the frontmatter. Page text is written as JSON strings, which are valid YAML. */
export function writeFrontmatter({
  title,
  source,
  markdownSource,
  fetchedAt,
  extractor,
  siteconfig,
}: Omit<PageMarkdown, 'chunks'>): string {
  return [
    '---',
    `title: ${title === null ? 'null' : JSON.stringify(title)}`,
    `source: ${source}`,
    ...(markdownSource === undefined || markdownSource === null ? [] : [`markdown_source: ${markdownSource}`]),
    ...(fetchedAt === null ? [] : [`fetched_at: ${new Date(fetchedAt).toISOString()}`]),
    `extractor: ${extractor}`,
    `siteconfig: ${siteconfig ?? 'none'}`,
    '---',
  ].join('\n');
}

/**
 * Lines as stored (`lines`), and with links relative to the page (`short`). `isFull`: the next line would exceed a
 * limit.
 */
type ShownLines = { lines: string[]; short: string[]; isFull: boolean };
/** Text that the result shows above and below the lines of the page. */
type Frame = { above: string[]; below: string[] };

/**
 * Returns the most lines that fit, at least one. Finds the number by binary search, by measuring the text as it would
 * be written.
 */
async function linesWithin(
  whole: PageMarkdown,
  count: number,
  { head, room }: { head: string; room: ResultSizeLimits },
  frame: (shown: ShownLines, fence: Fence) => Frame,
): Promise<ShownLines> {
  const shown = await linesUpTo(whole, count, { ...room, markdownBytes: room.markdownBytes - utf8Bytes(head) });
  const { lines, short } = shown;
  const fence = await createFence('');
  let sum = 0;
  const ends = short.map((line) => (sum += utf8Bytes(line) + 1));
  const firstLines = (some: number): ShownLines => ({
    lines: lines.slice(0, some),
    short: short.slice(0, some),
    isFull: shown.isFull || some < lines.length,
  });
  const fits = (some: number): boolean => {
    const { above, below } = frame(firstLines(some), fence);
    return (ends[some - 1] ?? 0) + utf8Bytes([...above, ...below].join('\n')) <= room.textBytes;
  };
  if (fits(lines.length)) return shown;
  let [most, tooMany] = [1, lines.length];
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >> 1;
    if (fits(middle)) most = middle;
    else tooMany = middle;
  }
  return firstLines(most);
}

/** Returns the first lines whose own bytes fit, without the text around them. */
async function linesUpTo(
  { source, from = 0, chunks }: PageMarkdown,
  count: number,
  room: ResultSizeLimits,
): Promise<ShownLines> {
  const shown: ShownLines = { lines: [], short: [], isFull: false };
  const links = new RelativeLinkWriter(source);
  let { textBytes, markdownBytes } = room;
  let before = from;
  for await (const { lines } of chunks) {
    for (const line of lines) {
      const short = links.take(line);
      before -= 1;
      if (before >= 0) continue;
      if (shown.lines.length >= count) return shown;
      textBytes -= utf8Bytes(short) + 1;
      markdownBytes -= utf8Bytes(line) + 1;
      shown.isFull = (textBytes < 0 || markdownBytes < 0) && shown.lines.length > 0;
      if (shown.isFull) return shown;
      shown.lines.push(line);
      shown.short.push(short);
    }
  }
  return shown;
}

function goOn(
  cursor: string | null,
  { start, end, isFull }: Viewport & { isFull: boolean },
  { lineCount, restStart, part }: PageMarkdown,
): string {
  const isInMain = restStart !== null && start < restStart;
  const count = isInMain ? restStart : lineCount;
  if (end + 1 < count) {
    const why = isFull ? 'to fit the size limit' : 'because of max_lines';
    if (cursor === null) return `Cut after line ${end} of ${count} ${why}.`;
    return `Cut after line ${end} ${why}. Next: scroll {"cursor":"${cursor}","loc":${end + 1}}`;
  }
  if (part !== null) return describePartEnd(part, isInMain ? 'the main part of ' : '');
  if (start === 0) return isInMain ? 'This is the whole main part.' : 'This is the whole page.';
  return `This is the end of ${isInMain ? 'the main part' : 'the page'}.`;
}

export function describeRest({ start, end }: Viewport, cursor: string | null): string {
  const way = cursor === null ? 'web_extract with mode raw shows them' : `scroll {"cursor":"${cursor}","loc":${start}}`;
  return `Lines ${start}–${end} are ${REST_DESCRIPTION}: ${way}`;
}

/** @param deps `render`: `null` without a browser, which draws pictures */
export async function listPageNotes(
  document: Document,
  snapshot: PageSnapshotRecord,
  deps: Pick<OpenPageDeps, 'render'>,
): Promise<string[]> {
  const { markdownTwin, documentUrl } = snapshot.meta;
  const twin = markdownTwin === null ? [] : [`This is the text of the page's Markdown version: ${markdownTwin}`];
  const scripted = await describeScriptedUrl(documentUrl ?? null);
  return [
    ...twin,
    ...describeRendering(snapshot),
    ...scripted,
    ...describeAiPreferences(snapshot.meta.preferences, snapshot.meta.isUnindexed === true),
    ...describePagePart(composePagePartWords(snapshot.meta.pages, snapshot.finalUrl)),
    ...document.cuts,
    ...viewNotes(snapshot, deps.render !== null),
  ];
}

/** Returns a note with the call that shows a picture, or a page without text, to the model. */
function viewNotes({ finalUrl, meta: { toView } }: PageSnapshotRecord, canDraw: boolean): string[] {
  if (toView === undefined) return [];
  const { page } = toView;
  if (!canDraw)
    return [
      `${page === null ? 'The picture' : `Page ${page}`} cannot be shown here: the operator has not enabled rendering.`,
    ];
  const call = JSON.stringify({ url: finalUrl, ...(page === null ? {} : { page }) });
  return [`To see ${page === null ? 'the picture' : `page ${page}`}, call view_image ${call}`];
}

/** Returns a note about the URL that scripts have set. The URL is in a fence, because the page chose it. */
export async function describeScriptedUrl(documentUrl: string | null): Promise<string[]> {
  if (documentUrl === null) return [];
  const shown = sanitizeText(oneLine(documentUrl, SCRIPTED_URL_CHARS_MAX));
  const { open, close } = await createFence(shown);
  return [`${DOCUMENT_URL_NOTE}\n${open}\n${shown}\n${close}`];
}

const DOCUMENT_URL_NOTE =
  'A script of the page changed its address to one that the site did not send, so the page is stored, cited and shared under the URL above. The other address:';

/**
 * Returns a note if a requested site config had no effect: its selectors match nothing, or the page is not HTML.
 * @param used the site config that was applied, or `null`
 */
export function siteConfigNotes({ siteconfig, mode }: Pick<OpenRequest, 'siteconfig' | 'mode'>, used: string | null) {
  if (siteconfig === undefined || used !== null || mode === 'raw') return [];
  return [`siteconfig had no effect: ${siteconfig} matched nothing on this page, so the page was read without it.`];
}
