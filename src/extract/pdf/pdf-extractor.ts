import type { getDocumentProxy } from 'unpdf';
import {
  PDF_ANNOTATIONS_PER_PAGE_MAX,
  PDF_DRAWING_BYTES_MAX,
  PDF_FILE_PAGES_MAX,
  PDF_PAGE_DRAWING_BYTES_MAX,
  PDF_PAGES_MAX,
  PDF_WORK_MAX,
  PDF_WORK_PER_PAGE,
  PDF_WORK_BETWEEN_PAUSES,
  PDF_WORK_PER_TEXT_PIECE,
} from '#extract/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import { escapeInline } from '#extract/escape.ts';
import { oneLine } from '#core/text/text.ts';
import { toExtracted, writePageMark, failUnreadableFile } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { replaceByActualText } from '#extract/pdf/drawn/actual-text.ts';
import { findDoubledLines, removeRepeatedRuns, mergeDoubledLetters } from '#extract/pdf/drawn/copies.ts';
import { translateGlyphCodes, rewriteFromGlyphs } from '#extract/pdf/drawn/glyph-codes.ts';
import { classifyAnnotations } from '#extract/pdf/drawn/annotations.ts';
import type { PdfComment } from '#extract/pdf/drawn/annotations.ts';
import { separateTablePieces, divideIntoRegions } from './regions.ts';
import { writePages } from './blocks.ts';
import { joinDropCaps } from '#extract/pdf/drawn/drop-caps.ts';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { removeLineNumbers } from '#extract/pdf/drawn/line-numbers.ts';
import type { PageDrawingFacts } from '#extract/pdf/drawn/drawing-facts.ts';
import { drawnGlyphs } from '#extract/pdf/drawn/drawn-text.ts';
import { PdfFactCounter } from './notes.ts';
import { readRotatedText } from '#extract/pdf/drawn/sideways.ts';
import { toPdfPieces, setLinksOfPieces } from '#extract/pdf/drawn/pieces.ts';
import { divideAtTextStarts } from '#extract/pdf/drawn/text-starts.ts';
import type { PdfPiece, PdfTextRun } from '#extract/pdf/drawn/pieces.ts';
import { findGrids } from '#extract/pdf/tables/page-grids.ts';
import { findRunningHead, removeRunningHeads } from './running-heads.ts';
import { markSuperAndSubscripts } from '#extract/pdf/drawn/scripts.ts';
import { isLetterSpaced, NearbyGlyphs, VISIBLE_SIZE_MIN_PT, selectVisibleRuns } from '#extract/pdf/drawn/seen-text.ts';
import { toPdfLines, toRuledRowSegments, toSegments, markUnderlines } from './segments.ts';
import type { PdfLine, PageLines } from './segments.ts';
import { measureTextStyle } from './style.ts';
import { pauseForOthers, readTextRuns } from './text-runs.ts';
import type { PdfWorkBudget } from './text-runs.ts';
import { readDeclaredTitle, choosePdfTitle } from './title.ts';

/**
 * Work for each page of the file, whether read or not, because the streams of all pages are searched. In total, this
 * counts at most half of `PDF_WORK_MAX`.
 */
const PDF_WORK_PER_PAGE_OF_FILE = 100;
/** Work for each annotation, at up to 80 µs. */
const PDF_WORK_PER_ANNOTATION = 90;
/** Text size of form values, in points, on a page without other text. */
const VALUE_SIZE = 10;
/** Pages of the file that cost one unit of work: to find a page, pdf.js searches all of them. */
const PDF_PAGES_PER_WORK = 20;
/** Entries in lists of trees that count as pages. Other trees than that of the pages have fewer. */
const PDF_TREE_NODES_MIN = 30_000;
/** Bytes of drawing instructions that cost one unit of work, at up to 0.2 µs each. */
const PDF_DRAWN_BYTES_PER_WORK = 4;
/** Comparisons of glyphs that cost one unit of work. */
const PDF_COMPARED_PER_WORK = 6;
/** Numbers that pdf.js gives to types of annotations, such as links (ISO 32000-2 table 171). */
const ALL_TYPES = new Set(Array.from({ length: 30 }, (_, index) => index));

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;
type OptionalContent = Awaited<ReturnType<Pdf['getOptionalContentConfig']>>;

const DRAWN_TOO_MUCH = `Its pages have more than ${PDF_DRAWING_BYTES_MAX} bytes of drawing commands, or one page has far too many: some pages were left out.`;
const TOO_MANY_PAGES = `The PDF declares more than ${PDF_FILE_PAGES_MAX} pages: later ones, and all links, form fields and comments, are left out.`;

/** Extracts the text layer of a PDF in reading order. Each page begins with a mark, `<!-- page 3 -->`. */
export const pdfExtractor: Extractor = { id: 'pdf', version: '31', extract: extractPdf };

async function extractPdf(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const guarded = blankCostlyStreams(input);
  await pause();
  const pdf = await open(guarded.bytes, input);
  await pause();
  const left = PDF_WORK_MAX - Math.min(PDF_WORK_MAX / 2, pdf.numPages * PDF_WORK_PER_PAGE_OF_FILE);
  const work: PdfWorkBudget = { left, pauseAt: left - PDF_WORK_BETWEEN_PAUSES, pause, unread: [] };
  try {
    return await read(pdf, input, { work, guarded, pause });
  } finally {
    const closed = pdf.loadingTask.destroy();
    // Closing a document waits for pages that were not read to the end, so their readers are cancelled here. Not
    // earlier, because pdf.js would then process the remaining text of such a page.
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
      // Prevents pdf.js from decoding pictures when it lists the operators of a page.
      maxImageSize: 0,
    });
  } catch (error) {
    if (nameOf(error) === 'PasswordException')
      return failUnreadableFile(input, 'the PDF is encrypted and asks for a password');
    return failUnreadableFile(input, 'the PDF is broken', error);
  }
}

/** Returns the name of an error of pdf.js, which in workerd may not be an instance of `Error`. */
function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

type Reading = { work: PdfWorkBudget; guarded: ReturnType<typeof blankCostlyStreams>; pause: Pause };

async function read(pdf: Pdf, input: ExtractInput, { work, guarded, pause }: Reading): Promise<ExtractedText> {
  const links = new LinkResolver(input.url);
  const notes = new PdfFactCounter();
  const layers = await pdf.getOptionalContentConfig().catch(() => null);
  const hasHiddenLayers = [...(layers ?? [])].some(([, group]) => !isVisible(group));
  const hiding: Hiding = { facts: guarded.facts, layers, hasHiddenLayers };
  const cuts = guarded.cut ? [DRAWN_TOO_MUCH] : [];
  const total = Math.min(pdf.numPages, PDF_FILE_PAGES_MAX);
  if (total < pdf.numPages) cuts.push(TOO_MANY_PAGES);
  const pages: PageLines[] = [];
  const comments: PdfComment[] = [];
  const broken: number[] = [];
  const first = Math.min(Math.max(1, input.firstPage ?? 1), total);
  // Any page may draw the largest stream, and no pause can interrupt drawing it. For each page, the next pause
  // therefore comes earlier, by twice the work for this stream.
  const drawnWork = Math.ceil(guarded.facts.largestBytes / PDF_DRAWN_BYTES_PER_WORK);
  const searched = guarded.treeNodes > PDF_TREE_NODES_MIN ? Math.max(total, 3 * guarded.treeNodes) : total;
  const perPage = PDF_WORK_PER_PAGE + Math.ceil(searched / PDF_PAGES_PER_WORK);
  const otherPages = new Set(Array.from({ length: Math.max(0, total) }, (_, index) => index));
  const reading: PageReading = { links, work, notes, hiding, otherPages };
  for (let number = first; number <= total; number += 1) {
    if (pages.length >= PDF_PAGES_MAX || work.left <= 0) break;
    await pauseForOthers(work);
    work.left -= perPage;
    work.pauseAt += 2 * drawnWork;
    const page = await readPdfPage(pdf, number, reading).catch(() => null);
    // The work ran out within this page, so the next call starts at this page.
    if (page?.isWhole === false && work.left <= 0 && pages.length > 0) break;
    if (page === null) broken.push(number);
    if (page?.isWhole === false) cuts.push(`Page ${number} has too much text: some of it was left out.`);
    pages.push(page ?? { height: 0, regions: [] });
    comments.push(...(page?.comments ?? []));
  }
  if (broken.length === pages.length) failUnreadableFile(input, 'the PDF is broken');
  if (broken.length > 0) cuts.push(`Pages that could not be read: ${broken.slice(0, 20).join(', ')}.`);
  await pause();
  const info = await pdf.getMetadata().catch(() => null);
  const blank = pages.flatMap(({ regions }, index) => (isBlank(regions) ? [first + index] : []));
  const unseen = blank.filter((page) => !broken.includes(page));
  const extracted = await write({ pages, first, notes, comments, unseen }, cuts, info?.info, input);
  const last = Math.max(first, ...(extracted.pageStarts?.keys() ?? []));
  const [page] = unseen;
  const toView = page === undefined ? undefined : { page };
  return { ...extracted, toView, pages: { first, last, total } };
}

function isBlank(regions: PageLines['regions']): boolean {
  return regions.every((lines) => lines.length === 0);
}

/** `unseen` has the numbers of pages without text, which can only be viewed as images. */
type ReadPages = {
  pages: PageLines[];
  first: number;
  notes: PdfFactCounter;
  comments: readonly PdfComment[];
  unseen: readonly number[];
};

async function write(
  { pages, first, notes, comments, unseen }: ReadPages,
  cuts: string[],
  info: unknown,
  input: ExtractInput,
): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const content = removeRunningHeads(pages);
  await pause();
  if (content.every(({ regions }) => isBlank(regions))) {
    if (cuts.includes(DRAWN_TOO_MUCH) || notes.has('drawings'))
      failUnreadableFile(input, 'its pages have too many drawing commands to be read');
    if (notes.has('hidden')) failUnreadableFile(input, 'the PDF has only text that a reader cannot see');
    return scan({ first, last: first + pages.length - 1, info, cuts }, input);
  }
  for (const page of unseen) if (!notes.isAbout(page, 'drawings')) notes.add('pictures', page);
  const style = measureTextStyle(content);
  await pause();
  const written = writePages(
    content.map(({ regions }) => regions),
    style,
  );
  await pause();
  for (const { fact, page } of written.facts) notes.add(fact, first + page);
  const markdown: string[] = [];
  const pageStarts = new Map<number, number>();
  for (const [index, lines] of written.pages.entries()) {
    pageStarts.set(first + index, markdown.length);
    markdown.push(writePageMark(first + index), '', ...lines, '');
  }
  const title = choosePdfTitle(info, content, style, findRunningHead(pages, content));
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

type Scan = { first: number; last: number; info: unknown; cuts: readonly string[] };

/** Writes the result for a scan without text: only a mark for each page, so that `#page=N` works. */
async function scan({ first, last, info, cuts }: Scan, input: ExtractInput): Promise<ExtractedText> {
  const count = last - first + 1;
  const markdown = [count === 1 ? 'This PDF is a page without text.' : `This PDF is ${count} pages without text.`, ''];
  const pageStarts = new Map<number, number>();
  for (let page = first; page <= last; page += 1) {
    pageStarts.set(page, markdown.length);
    markdown.push(writePageMark(page), '');
  }
  const written = { title: readDeclaredTitle(info), language: languageOf(info), markdown, pageStarts, cuts };
  return toExtracted(pdfExtractor, { ...written, strategy: 'scan' }, input);
}

function commentLines(comments: readonly PdfComment[]): string[] {
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

type PageReading = {
  links: LinkResolver;
  work: PdfWorkBudget;
  notes: PdfFactCounter;
  hiding: Hiding;
  otherPages: Set<number>;
};
type Hiding = { facts: PageDrawingFacts; layers: OptionalContent | null; hasHiddenLayers: boolean };
type PageRead = PageLines & { comments: PdfComment[]; isWhole: boolean };

async function readPdfPage(pdf: Pdf, number: number, reading: PageReading): Promise<PageRead> {
  const { links: allLinks, work, notes, hiding } = reading;
  const page = await pdf.getPage(number);
  if (page.ref === null) throw new TypeError('a page without an object number would escape all limits');
  const object = page.ref.num;
  if (hiding.facts.drawnBytes(object) > PDF_PAGE_DRAWING_BYTES_MAX) {
    notes.add('drawings', number);
    return { height: 0, regions: [], comments: [], isWhole: true };
  }
  work.left -= Math.ceil(hiding.facts.sharedBytes(object) / PDF_DRAWN_BYTES_PER_WORK);
  try {
    const viewport = page.getViewport({ scale: 1 });
    const transform = viewport.transform.map(Number);
    const actual = hiding.facts.actualTexts(object);
    const extra = hiding.facts.extraTextWork(object);
    const { runs: all, isWhole, sections } = await readTextRuns(page, work, actual !== null, extra);
    await pauseForOthers(work);
    const seen = isWhole ? await seenRunsOf(page, all, { number, hiding, work, notes }) : all;
    const runs = actual === null ? seen : replaceByActualText(seen, actual, sections);
    const { upright, turned: rotated } = toPdfPieces(runs, transform);
    const texts = divideAtTextStarts(upright, hiding.facts.textStartsOf(object), transform);
    const sideways = readRotatedText(rotated, transform);
    // Read even for a page without text, because it may show the values of a form.
    const isLinked = work.left > 0;
    const hasTooMany = hiding.facts.annotations(object) > PDF_ANNOTATIONS_PER_PAGE_MAX;
    if (hasTooMany) notes.add('annotations', number);
    const annotations = isLinked && !hasTooMany ? await listAnnotations(pdf, page, reading) : [];
    const { links, values, comments } = classifyAnnotations(annotations, {
      page: number,
      transform,
      links: allLinks,
      size: sizeOfMost(upright),
    });
    const { pieces, hasNumbers } = removeLineNumbers(markSuperAndSubscripts(joinDropCaps(texts)));
    if (hasNumbers) notes.add('lineNumbers', number);
    const layOut = (placed: readonly PdfPiece[], matrix: readonly number[]) => {
      const { grids, others, across } = findGrids(placed, hiding.facts.boxesOf(object), matrix);
      const ruled = grids.flatMap(toRuledRowSegments);
      const parts = ruled.length > 0 ? [others] : separateTablePieces(others);
      return parts.flatMap((part) => {
        const segments = [...markUnderlines(toSegments(part), across), ...ruled];
        return divideIntoRegions(segments, () => notes.add('rowsOrColumns', number)).map(toPdfLines);
      });
    };
    const regions = [
      ...layOut([...setLinksOfPieces(pieces, links), ...values], transform),
      ...sideways.pages.flatMap((turned) => layOut(markSuperAndSubscripts(turned.pieces), turned.transform)),
      ...aside(sideways.stamps),
    ];
    return { height: viewport.height, regions, comments, isWhole: isWhole && isLinked };
  } finally {
    page.cleanup();
  }
}

type Seeing = Omit<PageReading, 'links' | 'otherPages'> & { number: number };

/**
 * Returns the text without what a reader cannot see. The operators of a page are listed only if the file has signs of
 * hidden text, or if the page has doubled letters, widely spaced words or a font with its own codes, because that is
 * slow.
 */
async function seenRunsOf(
  page: Page,
  all: PdfTextRun[],
  { number, hiding, work, notes }: Seeing,
): Promise<PdfTextRun[]> {
  const { facts, layers, hasHiddenLayers } = hiding;
  const runs = removeRepeatedRuns(all);
  const isLarge = ({ transform: [, , c = 0, d = 0] }: PdfTextRun) => Math.abs(c) + Math.abs(d) >= VISIBLE_SIZE_MIN_PT;
  const large = runs.filter(isLarge);
  if (large.length < runs.length) {
    const tiny = runs.reduce((sum, run) => sum + (isLarge(run) ? 0 : run.str.trim().length), 0);
    if (tiny > 0) notes.add('hidden', number, tiny);
  }
  const mayHide = hasHiddenLayers || facts.mayHide(page.ref?.num ?? -1);
  const doubled = findDoubledLines(large);
  const needsGlyphs = doubled.length > 0 || large.some(({ str, hasOwnCodes }) => hasOwnCodes || isLetterSpaced(str));
  if (large.length === 0 || (!mayHide && !needsGlyphs)) return large;
  // Listing operators also parses the annotations, so it is skipped for a page with too many.
  if (!facts.isListable || facts.annotations(page.ref?.num ?? -1) > PDF_ANNOTATIONS_PER_PAGE_MAX) {
    if (mayHide) notes.add('unchecked', number);
    return large;
  }
  work.left -= large.reduce((sum, { str }) => sum + PDF_WORK_PER_TEXT_PIECE + str.length, 0);
  const drawn = await drawnGlyphs(page, (layer) => layers?.isVisible(layer) !== false).catch(() => []);
  const glyphs = translateGlyphCodes(drawn, large, (font) => fontName(page, font));
  const near = new NearbyGlyphs(glyphs);
  const seen = selectVisibleRuns(rewriteFromGlyphs(mergeDoubledLetters(large, doubled, near), near), glyphs, near);
  work.left -= Math.ceil(near.compared / PDF_COMPARED_PER_WORK);
  if (near.hasTooMany) notes.add('unchecked', number);
  if (seen.hidden > 0) notes.add('hidden', number, seen.hidden);
  return seen.runs;
}

function fontName({ commonObjs }: Page, font: string): string {
  const found: unknown = commonObjs.has(font) ? commonObjs.get(font) : null;
  return typeof found === 'object' && found !== null && 'name' in found ? String(found.name) : '';
}

function isVisible(group: unknown): boolean {
  return typeof group !== 'object' || group === null || Reflect.get(group, 'visible') !== false;
}

/** Makes a region of rotated text, such as a stamp in the margin. It comes last on the page. */
function aside(turned: readonly string[]): PdfLine[][] {
  const noBox = { x: 0, width: 0, size: 1, rtl: false, mono: false, font: '', link: null, script: '' };
  const pieces = turned.map((text, index) => ({ ...noBox, text, y: index }));
  return turned.length === 0 ? [] : [toPdfLines(toSegments(pieces)).map((line) => ({ ...line, isRow: true }))];
}

/**
 * Lists the annotations of a page. The intent `print` lists them as parsed. With `display`, pdf.js would also collect
 * the text below each link and of each appearance, which can take any time.
 */
async function listAnnotations(pdf: Pdf, page: Page, { work, otherPages }: PageReading): Promise<unknown[]> {
  // pdf.js would look for annotations on each page that is not in the set.
  if (pdf.numPages > PDF_FILE_PAGES_MAX) return [];
  const index = page.pageNumber - 1;
  otherPages.delete(index);
  const annotations: unknown[] = await page
    .getAnnotations({ intent: 'print' })
    .then(() => pdf.getAnnotationsByType(ALL_TYPES, otherPages))
    .catch(() => []);
  otherPages.add(index);
  work.left -= annotations.length * PDF_WORK_PER_ANNOTATION;
  return annotations;
}

function sizeOfMost(pieces: readonly PdfPiece[]): number {
  const chars = new Map<number, number>();
  for (const { size, text } of pieces) chars.set(size, (chars.get(size) ?? 0) + text.length);
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [VALUE_SIZE, 0])[0];
}
