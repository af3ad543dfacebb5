import type { getDocumentProxy } from 'unpdf';
import {
  PDF_DRAWN_BYTES_MAX,
  PDF_PAGES_MAX,
  PDF_PIECES_PER_PAGE_MAX,
  PDF_WORK_MAX,
  PDF_WORK_PER_PAGE,
  PDF_WORK_PER_PAUSE,
  PDF_WORK_PER_PIECE,
} from '#extract/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import { escapeInline } from '#extract/escape.ts';
import { oneLine } from '#core/text/text.ts';
import { toExtracted, pageMark, failUnreadable } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { readAnnotations } from '#extract/pdf/drawn/annotations.ts';
import type { Comment } from '#extract/pdf/drawn/annotations.ts';
import { writePages } from './blocks.ts';
import { withDropCaps } from '#extract/pdf/drawn/drop-caps.ts';
import { guardStreams } from '#extract/pdf/drawn/guard-streams.ts';
import { withoutLineNumbers } from '#extract/pdf/drawn/line-numbers.ts';
import type { DrawingFacts } from '#extract/pdf/drawn/drawing-facts.ts';
import { drawnGlyphs } from '#extract/pdf/drawn/drawn-text.ts';
import { PageNotes } from './notes.ts';
import { piecesOf, withLinks } from '#extract/pdf/drawn/pieces.ts';
import type { Piece, TextRun } from '#extract/pdf/drawn/pieces.ts';
import { regionsOf } from './regions.ts';
import { withoutRunningHeads } from './running-heads.ts';
import { withScripts } from '#extract/pdf/drawn/scripts.ts';
import { isSpaced, SEEN_SIZE_MIN, seenRuns } from '#extract/pdf/drawn/seen-text.ts';
import { linesOf, segmentsOf } from './segments.ts';
import type { Line, PageLines } from './segments.ts';
import { styleOf } from './style.ts';
import { titleOf } from './title.ts';

/**
 * The cost of each page of the file, read or not, because its streams are searched and listed. For all pages together
 * at most half the work.
 */
const PDF_WORK_PER_PAGE_OF_FILE = 100;
/** An annotation costs up to 80 µs, whether it is a link or not. */
const PDF_WORK_PER_ANNOTATION = 90;
/** Size of the values of a form that has no other text. */
const VALUE_SIZE = 10;
/** A page is searched for among all pages: this many of them cost as much as one character. */
const PDF_PAGES_PER_WORK = 40;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;
type OptionalContent = Awaited<ReturnType<Pdf['getOptionalContentConfig']>>;
type TextContent = Awaited<ReturnType<Page['getTextContent']>>;

const DRAWN_TOO_MUCH = `Its pages have more than ${PDF_DRAWN_BYTES_MAX} bytes of drawing commands, or one page has far too many: some pages were left out.`;

/** The text layer of a PDF in reading order, each page after its mark. */
export const pdfExtractor: Extractor = { id: 'pdf', version: '6', extract: extractPdf };

async function extractPdf(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const guarded = guardStreams(input);
  await pause();
  const pdf = await open(guarded.bytes, input);
  await pause();
  const left = PDF_WORK_MAX - Math.min(PDF_WORK_MAX / 2, pdf.numPages * PDF_WORK_PER_PAGE_OF_FILE);
  const work: Work = { left, pauseAt: left - PDF_WORK_PER_PAUSE, pause, unread: [] };
  try {
    return await read(pdf, input, { work, guarded, pause });
  } finally {
    const closed = pdf.loadingTask.destroy();
    // pdf.js waits for pages that were not read to their end. They are cancelled only now, because before they would
    // have run on.
    for (const reader of work.unread) await reader.cancel(new Error('read enough')).catch(() => undefined);
    await closed.catch(() => undefined);
  }
}

async function open(bytes: Uint8Array, input: ExtractInput): Promise<Pdf> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    return await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      useWasm: false,
      stopAtErrors: false,
      verbosity: 0,
      // Pictures are never decoded, also where the operators of a page are listed.
      maxImageSize: 0,
    });
  } catch (error) {
    if (nameOf(error) === 'PasswordException')
      return failUnreadable(input, 'the PDF is encrypted and asks for a password');
    return failUnreadable(input, 'the PDF is broken', error);
  }
}

/** Errors of pdf.js are not always an `Error` in workerd, so only the name counts. */
function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

type Reading = { work: Work; guarded: ReturnType<typeof guardStreams>; pause: Pause };

async function read(pdf: Pdf, input: ExtractInput, { work, guarded, pause }: Reading): Promise<Extracted> {
  const links = new Links(input.url);
  const notes = new PageNotes();
  const layers = await pdf.getOptionalContentConfig().catch(() => null);
  const hasHiddenLayers = [...(layers ?? [])].some(([, group]) => !isVisible(group));
  const hiding: Hiding = { facts: guarded.facts, layers, hasHiddenLayers };
  const cuts = guarded.cut ? [DRAWN_TOO_MUCH] : [];
  const pages: PageLines[] = [];
  const comments: Comment[] = [];
  const broken: number[] = [];
  const first = Math.min(Math.max(1, input.firstPage ?? 1), pdf.numPages);
  const perPage = PDF_WORK_PER_PAGE + Math.ceil(pdf.numPages / PDF_PAGES_PER_WORK);
  for (let number = first; number <= pdf.numPages; number += 1) {
    if (pages.length >= PDF_PAGES_MAX || work.left <= 0) break;
    await letIn(work);
    work.left -= perPage;
    const page = await readPdfPage(pdf, number, { links, work, notes, hiding }).catch(() => null);
    // Whoever reads on begins with the page on which the work ended.
    if (page?.isWhole === false && work.left <= 0 && pages.length > 0) break;
    if (page === null) broken.push(number);
    if (page?.isWhole === false) cuts.push(`Page ${number} has too much text: some of it was left out.`);
    pages.push(page ?? { height: 0, regions: [] });
    comments.push(...(page?.comments ?? []));
  }
  if (broken.length === pages.length) failUnreadable(input, 'the PDF is broken');
  if (broken.length > 0) cuts.push(`Pages that could not be read: ${broken.slice(0, 20).join(', ')}.`);
  await pause();
  const info = await pdf.getMetadata().catch(() => null);
  const extracted = await write({ pages, first, notes, comments }, cuts, info?.info, input);
  const last = Math.max(first, ...(extracted.pageStarts?.keys() ?? []));
  return { ...extracted, pages: { first, last, total: pdf.numPages } };
}

type ReadPages = { pages: PageLines[]; first: number; notes: PageNotes; comments: readonly Comment[] };

async function write(
  { pages, first, notes, comments }: ReadPages,
  cuts: string[],
  info: unknown,
  input: ExtractInput,
): Promise<Extracted> {
  const { pause = noPause } = input;
  const content = withoutRunningHeads(pages);
  await pause();
  if (content.every((page) => page.regions.every((lines) => lines.length === 0))) {
    if (cuts.includes(DRAWN_TOO_MUCH)) failUnreadable(input, 'its pages have too many drawing commands to be read');
    failUnreadable(
      input,
      notes.has('hidden') ? 'the PDF has only text that a reader cannot see' : 'the PDF is a scan without text',
    );
  }
  const style = styleOf(content);
  await pause();
  const written = writePages(
    content.map(({ regions }) => regions),
    style,
  );
  await pause();
  for (const page of written.uncertain) notes.add('tables', first + page);
  const markdown: string[] = [];
  const pageStarts = new Map<number, number>();
  for (const [index, lines] of written.pages.entries()) {
    pageStarts.set(first + index, markdown.length);
    markdown.push(pageMark(first + index), '', ...lines, '');
  }
  const title = titleOf(info, content, style);
  return toExtracted(
    pdfExtractor,
    {
      title,
      language: languageOf(info),
      markdown,
      pageStarts,
      rest: commentLines(comments),
      cuts: [...cuts, ...notes.texts(first + pages.length - 1)],
      strategy: 'text layer',
    },
    input,
  );
}

function commentLines(comments: readonly Comment[]): string[] {
  if (comments.length === 0) return [];
  const lines = comments.map(({ page, author, text }) => {
    const said = oneLine(text, text.length);
    return `- Page ${page}: ${escapeInline(author === '' ? said : `${author}: ${said}`, { inLink: false, inCell: false })}`;
  });
  return ['Comments:', '', ...lines];
}

function languageOf(info: unknown): string | null {
  const language = typeof info === 'object' && info !== null && 'Language' in info ? info.Language : null;
  return typeof language === 'string' && /^[a-z]{2,3}(?:-[\w-]{2,20})?$/i.test(language) ? language : null;
}

/** The budget left for the file (see `PDF_WORK_MAX`), and the pages that were not read to their end. */
type Work = { left: number; pauseAt: number; pause: Pause; unread: ReadableStreamDefaultReader<TextContent>[] };

/** Pauses for other requests when a share of the work is done. */
async function letIn(work: Work): Promise<void> {
  if (work.left >= work.pauseAt) return;
  await work.pause();
  work.pauseAt = work.left - PDF_WORK_PER_PAUSE;
}

type PageReading = { links: Links; work: Work; notes: PageNotes; hiding: Hiding };
/** Signs that a file has text that nobody sees, and its layers. */
type Hiding = { facts: DrawingFacts; layers: OptionalContent | null; hasHiddenLayers: boolean };
type PageRead = PageLines & { comments: Comment[]; isWhole: boolean };

async function readPdfPage(
  pdf: Pdf,
  number: number,
  { links: allLinks, work, notes, hiding }: PageReading,
): Promise<PageRead> {
  const page = await pdf.getPage(number);
  try {
    const viewport = page.getViewport({ scale: 1 });
    const transform = viewport.transform.map(Number);
    const { runs: all, isWhole } = await textRuns(page, work);
    await letIn(work);
    const runs = isWhole ? await seenRunsOf(page, all, { number, hiding, work, notes }) : all;
    const { upright, turned } = piecesOf(runs, transform);
    // A page without text may show the values of a form.
    const isLinked = work.left > 0;
    const size = sizeOfMost(upright);
    const annotations = isLinked ? await listAnnotations(page, work) : [];
    const { links, values, comments } = readAnnotations(annotations, {
      page: number,
      transform,
      links: allLinks,
      size,
    });
    const { pieces, hasNumbers } = withoutLineNumbers(withScripts(withDropCaps(upright)));
    if (hasNumbers) notes.add('lineNumbers', number);
    const doubt = () => notes.add('rowsOrColumns', number);
    const segments = segmentsOf([...withLinks(pieces, links), ...values]);
    const regions = [...regionsOf(segments, doubt).map(linesOf), ...aside(turned)];
    return { height: viewport.height, regions, comments, isWhole: isWhole && isLinked };
  } finally {
    page.cleanup();
  }
}

/**
 * The page's text as pdf.js finds it, up to the limits. pdf.js waits until its text is taken. A page that repeats
 * itself endlessly is left waiting until the file is closed, because cancelling would let it run on.
 */
async function textRuns(page: Page, work: Work): Promise<{ runs: TextRun[]; isWhole: boolean }> {
  const reader: ReadableStreamDefaultReader<TextContent> = page.streamTextContent().getReader();
  const runs: TextRun[] = [];
  // A chunk lists only the fonts that no earlier one has.
  const mono = new Map<string, boolean>();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { runs, isWhole: true };
    await letIn(work);
    for (const [font, style] of Object.entries(value.styles)) mono.set(font, style.fontFamily === 'monospace');
    for (const item of value.items) {
      if (!('str' in item)) continue;
      if (runs.length >= PDF_PIECES_PER_PAGE_MAX || work.left <= 0) {
        work.unread.push(reader);
        return { runs, isWhole: false };
      }
      work.left -= PDF_WORK_PER_PIECE + item.str.length;
      runs.push({ ...item, font: item.fontName, mono: mono.get(item.fontName) === true });
    }
  }
}

type Seeing = Omit<PageReading, 'links'> & { number: number };

/** The runs without text that nobody sees. The operators of a page are listed only where there are signs of it. */
async function seenRunsOf(page: Page, runs: TextRun[], { number, hiding, work, notes }: Seeing): Promise<TextRun[]> {
  const { facts, layers, hasHiddenLayers } = hiding;
  const isLarge = ({ transform: [, , c = 0, d = 0] }: TextRun) => Math.abs(c) + Math.abs(d) >= SEEN_SIZE_MIN;
  const large = runs.filter(isLarge);
  if (large.length < runs.length) {
    const tiny = runs.reduce((sum, run) => sum + (isLarge(run) ? 0 : run.str.trim().length), 0);
    if (tiny > 0) notes.add('hidden', number, tiny);
  }
  const mayHide = hasHiddenLayers || facts.mayHide(page.ref?.num ?? -1);
  if (large.length === 0 || (!mayHide && !large.some(({ str }) => isSpaced(str)))) return large;
  if (!facts.isListable) {
    if (mayHide) notes.add('unchecked', number);
    return large;
  }
  work.left -= large.reduce((sum, { str }) => sum + PDF_WORK_PER_PIECE + str.length, 0);
  const glyphs = await drawnGlyphs(page, (layer) => layers?.isVisible(layer) !== false).catch(() => []);
  const seen = seenRuns(large, glyphs);
  if (seen.hidden > 0) notes.add('hidden', number, seen.hidden);
  return seen.runs;
}

function isVisible(group: unknown): boolean {
  return typeof group !== 'object' || group === null || Reflect.get(group, 'visible') !== false;
}

/** Rotated text, such as a stamp in the margin, comes last. */
function aside(turned: readonly string[]): Line[][] {
  const noBox = { x: 0, width: 0, size: 1, rtl: false, mono: false, font: '', link: null, script: '' };
  const pieces = turned.map((text, index) => ({ ...noBox, text, y: index }));
  return turned.length === 0 ? [] : [linesOf(segmentsOf(pieces)).map((line) => ({ ...line, isRow: true }))];
}

async function listAnnotations(page: Page, work: Work): Promise<unknown[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'display' }).catch(() => []);
  work.left -= annotations.length * PDF_WORK_PER_ANNOTATION;
  return annotations;
}

/** The text size of most letters. */
function sizeOfMost(pieces: readonly Piece[]): number {
  const chars = new Map<number, number>();
  for (const { size, text } of pieces) chars.set(size, (chars.get(size) ?? 0) + text.length);
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [VALUE_SIZE, 0])[0];
}
