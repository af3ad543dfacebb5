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
import { toExtracted, pageMark, failUnreadable } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { writePages } from './blocks.ts';
import { withDropCaps } from './drop-caps.ts';
import { guardStreams } from './guard-streams.ts';
import { withoutLineNumbers } from './line-numbers.ts';
import { PageNotes } from './notes.ts';
import { piecesOf, withLinks } from './pieces.ts';
import type { LinkArea, TextRun } from './pieces.ts';
import { regionsOf } from './regions.ts';
import { withoutRunningHeads } from './running-heads.ts';
import { withScripts } from './scripts.ts';
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
/** A page is searched for among all pages: this many of them cost as much as one character. */
const PDF_PAGES_PER_WORK = 40;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;
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
    return await read(pdf, input, { work, isBlanked: guarded.cut, pause });
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

type Reading = { work: Work; isBlanked: boolean; pause: Pause };

async function read(pdf: Pdf, input: ExtractInput, { work, isBlanked, pause }: Reading): Promise<Extracted> {
  const links = new Links(input.url);
  const notes = new PageNotes();
  const cuts = isBlanked ? [DRAWN_TOO_MUCH] : [];
  const pages: PageLines[] = [];
  const broken: number[] = [];
  const first = Math.min(Math.max(1, input.firstPage ?? 1), pdf.numPages);
  const perPage = PDF_WORK_PER_PAGE + Math.ceil(pdf.numPages / PDF_PAGES_PER_WORK);
  for (let number = first; number <= pdf.numPages; number += 1) {
    if (pages.length >= PDF_PAGES_MAX || work.left <= 0) break;
    await letIn(work);
    work.left -= perPage;
    const page = await readPdfPage(pdf, number, { links, work, notes }).catch(() => null);
    // Whoever reads on begins with the page on which the work ended.
    if (page?.isWhole === false && work.left <= 0 && pages.length > 0) break;
    if (page === null) broken.push(number);
    if (page?.isWhole === false) cuts.push(`Page ${number} has too much text: some of it was left out.`);
    pages.push(page ?? { height: 0, regions: [] });
  }
  if (broken.length === pages.length) failUnreadable(input, 'the PDF is broken');
  if (broken.length > 0) cuts.push(`Pages that could not be read: ${broken.slice(0, 20).join(', ')}.`);
  await pause();
  const info = await pdf.getMetadata().catch(() => null);
  const extracted = await write({ pages, first, notes }, cuts, info?.info, input);
  const last = Math.max(first, ...(extracted.pageStarts?.keys() ?? []));
  return { ...extracted, pages: { first, last, total: pdf.numPages } };
}

async function write(
  { pages, first, notes }: { pages: PageLines[]; first: number; notes: PageNotes },
  cuts: string[],
  info: unknown,
  input: ExtractInput,
): Promise<Extracted> {
  const { pause = noPause } = input;
  const content = withoutRunningHeads(pages);
  await pause();
  if (content.every((page) => page.regions.every((lines) => lines.length === 0))) {
    return failUnreadable(
      input,
      cuts.includes(DRAWN_TOO_MUCH)
        ? 'its pages have too many drawing commands to be read'
        : 'the PDF is a scan without text',
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
      cuts: [...cuts, ...notes.texts(first + pages.length - 1)],
      strategy: 'text layer',
    },
    input,
  );
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

type PageReading = { links: Links; work: Work; notes: PageNotes };
type PageRead = PageLines & { isWhole: boolean };

async function readPdfPage(pdf: Pdf, number: number, { links, work, notes }: PageReading): Promise<PageRead> {
  const page = await pdf.getPage(number);
  try {
    const viewport = page.getViewport({ scale: 1 });
    const transform = viewport.transform.map(Number);
    const { runs, isWhole } = await textRuns(page, work);
    await letIn(work);
    const { upright, turned } = piecesOf(runs, transform);
    const hasLinks = upright.length > 0 && work.left > 0;
    const areas = hasLinks ? await linkAreas(page, transform, links, work) : [];
    const { pieces, hasNumbers } = withoutLineNumbers(withScripts(withDropCaps(upright)));
    if (hasNumbers) notes.add('lineNumbers', number);
    const doubt = () => notes.add('rowsOrColumns', number);
    const regions = regionsOf(segmentsOf(withLinks(pieces, areas)), doubt).map(linesOf);
    const all = [...regions, ...aside(turned)];
    return { height: viewport.height, regions: all, isWhole: isWhole && (hasLinks || upright.length === 0) };
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

/** Rotated text, such as a stamp in the margin, comes last. */
function aside(turned: readonly string[]): Line[][] {
  const noBox = { x: 0, width: 0, size: 1, rtl: false, mono: false, font: '', link: null, script: '' };
  const pieces = turned.map((text, index) => ({ ...noBox, text, y: index }));
  return turned.length === 0 ? [] : [linesOf(segmentsOf(pieces)).map((line) => ({ ...line, isRow: true }))];
}

async function linkAreas(page: Page, transform: readonly number[], links: Links, work: Work): Promise<LinkArea[]> {
  const annotations: unknown[] = await page.getAnnotations({ intent: 'display' }).catch(() => []);
  work.left -= annotations.length * PDF_WORK_PER_ANNOTATION;
  return annotations.flatMap((annotation) => {
    if (typeof annotation !== 'object' || annotation === null) return [];
    if (!('url' in annotation) || typeof annotation.url !== 'string') return [];
    if (!('rect' in annotation) || !Array.isArray(annotation.rect)) return [];
    const href = links.resolve(annotation.url);
    const [x0 = NaN, y0 = NaN, x1 = NaN, y1 = NaN] = annotation.rect.map(Number);
    const [left, top] = onPage(x0, y0, transform);
    const [right, bottom] = onPage(x1, y1, transform);
    if (href === null || ![left, top, right, bottom].every(Number.isFinite)) return [];
    return [
      {
        left: Math.min(left, right),
        right: Math.max(left, right),
        top: Math.min(top, bottom),
        bottom: Math.max(top, bottom),
        href,
      },
    ];
  });
}

function onPage(x: number, y: number, transform: readonly number[]): [x: number, y: number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  return [a * x + c * y + e, b * x + d * y + f];
}
