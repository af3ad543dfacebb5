import { strToU8, zipSync } from 'fflate';
import { DOCX_ELEMENTS_MAX, DOCX_PAGE_ELEMENTS, DOCX_XML_BYTES_MAX } from '#extract/limits.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { toExtracted, pageMark, failUnreadable } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { firstHeading, htmlReader } from '#extract/html-in-files.ts';
import { coreTitle } from './package.ts';

const XML_PART = /\.(?:xml|rels)$/;
/** Parts with the layout of pages, pictures, charts and settings of the editor. */
const UNREAD_PART =
  /(?:^|\/)(?:theme|customXml|docProps|glossary|charts|diagrams|drawings|embeddings)\/|\/(?:settings|webSettings|fontTable|stylesWithEffects|people|header\d*|footer\d*)\.xml(?:\.rels)?$/;
const TEXT_PART = /(?:^|\/)document\d*\.xml$/;
const NOTES_PART = /(?:^|\/)(?:footnotes|endnotes|comments)\w*\.xml$/;
const TEXT_RANK = 1;
const NOTES_RANK = 2;
const NO_NOTES = '<w:notes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';
const TOO_LONG = `The document has more than ${DOCX_ELEMENTS_MAX} paragraphs, cells and formats, or ${DOCX_XML_BYTES_MAX} characters: the rest was left out.`;

/**
 * Word documents. mammoth turns their styles into HTML, and the HTML extractor turns that into Markdown. Images give
 * their alt text. A long document is read page by page; a page holds as many paragraphs, cells and formats as can be
 * read at a time.
 */
export const docxExtractor: Extractor = { id: 'docx', version: '3', extract: extractDocx };

async function extractDocx(input: ExtractInput): Promise<Extracted> {
  const archive = openArchive(input);
  const { parts, cut, page, total } = textParts(archive, input);
  await input.pause?.();
  const html = await htmlOf(parts, input);
  await input.pause?.();
  const { markdown, cuts, title } = await (await htmlReader(input.pause))(html, input.url);
  const isLong = total > 1;
  const extracted = await toExtracted(
    docxExtractor,
    {
      title: coreTitle(archive) ?? title ?? firstHeading(markdown),
      markdown: isLong ? [pageMark(page), '', ...markdown] : markdown,
      pageStarts: new Map(isLong ? [[page, 0]] : []),
      cuts: cut ? [...cuts, TOO_LONG] : cuts,
      strategy: 'styles',
    },
    input,
  );
  return isLong ? { ...extracted, pages: { first: page, last: page, total } } : extracted;
}

async function htmlOf(parts: Parts, input: ExtractInput): Promise<string> {
  const mammoth = (await import('mammoth')).default;
  // The file is packed again, without pictures and within limits, because mammoth unpacks whatever it gets. Which of
  // the two inputs it uses depends on how it is bundled.
  const arrayBuffer = zipSync(parts, { level: 0 }).buffer;
  const source = { arrayBuffer, buffer: arrayBuffer };
  const noImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  try {
    const options = { includeEmbeddedStyleMap: false, externalFileAccess: false, convertImage: noImage };
    const { value } = await mammoth.convertToHtml(source, options);
    return `<!doctype html><html><body>${value}</body></html>`;
  } catch (error) {
    return failUnreadable(input, 'the document is broken', error);
  }
}

type Parts = Record<string, Uint8Array>;
type Read = { parts: Parts; cut: boolean; page: number; total: number };

/**
 * The parts that mammoth reads. Styles and numbering come first, because without them the text would lose its headings
 * and lists.
 */
function textParts(archive: Archive, input: ExtractInput): Read {
  const parts: Parts = Object.create(null);
  const budget = { elements: DOCX_ELEMENTS_MAX, chars: DOCX_XML_BYTES_MAX };
  const names = archive.names.filter((name) => XML_PART.test(name) && !UNREAD_PART.test(name));
  let cut = false;
  let page = 1;
  let total = 1;
  for (const name of names.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const source = archive.text(name);
    if (source === null) continue;
    const lean = withoutFormatting(source);
    const pages = rankOf(name) === TEXT_RANK ? divided(lean, DOCX_PAGE_ELEMENTS) : [lean];
    const own = Math.min(Math.max(1, input.firstPage ?? 1), pages.length);
    if (pages.length > total) [page, total] = [own, pages.length];
    const kept = withinBudget(pages[own - 1] ?? lean, budget);
    if (kept === null ? rankOf(name) < NOTES_RANK : kept.cut && rankOf(name) === 0)
      return failUnreadable(input, `the document has more than ${DOCX_ELEMENTS_MAX} parts besides its text`);
    cut ||= kept?.cut ?? true;
    parts[name] = strToU8(kept?.xml ?? NO_NOTES);
  }
  return { parts, cut, page, total };
}

/** The order in which parts must be read. */
function rankOf(name: string): number {
  if (NOTES_PART.test(name)) return NOTES_RANK;
  return TEXT_PART.test(name) ? TEXT_RANK : 0;
}

/**
 * Elements of Word's XML (ECMA-376 part 1 §17) that describe formatting, or who typed the text and when. Markdown
 * cannot show them. Most elements of a document are of this kind, and its reader takes about 15 µs for each.
 */
const LOOKS =
  'rFonts sz szCs color lang spacing kern noProof bCs iCs shd w position effect bdr em ind jc keepNext keepLines widowControl contextualSpacing snapToGrid outlineLvl suppressLineNumbers suppressAutoHyphens adjustRightInd autoSpaceDE autoSpaceDN textAlignment mirrorIndents tcW tblW tblInd tblLayout tblLook gridCol vAlign hideMark noWrap trHeight cantSplit cnfStyle top left bottom right insideH insideV start end between bar pgSz pgMar cols docGrid titlePg proofErr bookmarkStart bookmarkEnd lastRenderedPageBreak';
const LOOK = new RegExp(`<w:(?:${LOOKS.replaceAll(' ', '|')})(?:\\s[^<>]*)?/>`, 'g');
const EDITOR_ATTRIBUTES = /\sw(?:14)?:(?:rsid\w*|paraId|textId)="[^"<>]*"/g;
/** Elements that are empty once the formatting is removed, from the inside out. */
const EMPTY = /<w:(rPr|pPr|tcPr|tblPr|trPr|tabs|pBdr|tcBorders|tblBorders|tblCellMar|tcMar|tblGrid)(?:><\/w:\1>|\/>)/g;
const EMPTY_DEPTH = 3;
/** A document can be cut after these end tags; whatever is still open is then closed. */
const BOUNDARIES: ReadonlySet<string> = new Set(['p', 'r', 'tr', 'tbl', 'sdt']);

/** The same document without its formatting. Linear. */
export function withoutFormatting(xml: string): string {
  let lean = xml.replace(EDITOR_ATTRIBUTES, '').replace(LOOK, '');
  for (let pass = 0; pass < EMPTY_DEPTH; pass += 1) lean = lean.replace(EMPTY, '');
  return lean;
}

/**
 * Divides the document into well-formed parts of about `elementsMax` elements. A part ends after a paragraph, run or
 * row; what is open there is closed and opened again. Linear.
 */
function divided(xml: string, elementsMax: number): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let head = '';
  let from = 0;
  let elements = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const end = endOfTag(xml, at);
    const isEnd = xml.charAt(at + 1) === '/';
    if (isEnd) {
      const name = nameAt(open.pop() ?? '', 1);
      if (elements > elementsMax && BOUNDARIES.has(name.slice(name.indexOf(':') + 1))) {
        parts.push(head + xml.slice(from, end) + endTags(open.map((tag) => nameAt(tag, 1))));
        head = open.join('');
        from = end;
        elements = 0;
      }
    } else if (!/[!?]/.test(xml.charAt(at + 1))) {
      elements += 1;
      if (xml.charAt(end - 2) !== '/') open.push(xml.slice(at, end));
    }
    at = end;
  }
  const last = xml.slice(from);
  // After the last paragraph comes the layout of the pages.
  if (parts.length === 0 || TEXT.test(last)) parts.push(head + last);
  return parts;
}

const TEXT = /<(?:\w+:)?t[\s>]/;

function endTags(names: readonly string[]): string {
  return names
    .toReversed()
    .map((name) => `</${name}>`)
    .join('');
}

/** The budget left for a document. */
type WordBudget = { elements: number; chars: number };

/**
 * The beginning of the document that fits the budget, well-formed and cut inside a text or after a run or row; `null`
 * if nothing fits. What is kept is subtracted from the budget.
 */
function withinBudget(xml: string, budget: WordBudget): { xml: string; cut: boolean } | null {
  const open: string[] = [];
  let elements = 0;
  let textStart = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    if (at > budget.chars && open.length > 0)
      return ended(wholeText(xml, textStart, budget.chars), open, elements, budget);
    const end = endOfTag(xml, at);
    textStart = end;
    const isEnd = xml.charAt(at + 1) === '/';
    if (isEnd) {
      const name = open.pop() ?? '';
      const isBoundary = BOUNDARIES.has(name.slice(name.indexOf(':') + 1));
      if (elements > budget.elements && isBoundary) return ended(xml.slice(0, end), open, elements, budget);
    } else if (!/[!?]/.test(xml.charAt(at + 1))) {
      elements += 1;
      if (xml.charAt(end - 2) !== '/') open.push(nameAt(xml, at + 1));
    }
    at = end;
  }
  if (elements > budget.elements || xml.length > budget.chars) return null;
  spend(budget, elements, xml.length);
  return { xml, cut: false };
}

function ended(kept: string, open: readonly string[], elements: number, budget: WordBudget) {
  spend(budget, elements, kept.length);
  return { xml: kept + endTags(open), cut: true };
}

/** The text from `start` to `end`, without half a character reference. */
function wholeText(xml: string, start: number, end: number): string {
  return (
    xml.slice(0, start) +
    xml
      .slice(start, Math.max(start, end))
      .replace(/&[^;&]{0,10}$/, '')
      .toWellFormed()
  );
}

function spend(budget: WordBudget, elements: number, chars: number): void {
  budget.elements = Math.max(0, budget.elements - elements);
  budget.chars = Math.max(0, budget.chars - chars);
}

/** The position after the tag, comment or CDATA section that begins at `at`. */
function endOfTag(xml: string, at: number): number {
  const [mark, closing] = xml.startsWith('<!--', at)
    ? ['<!--', '-->']
    : xml.startsWith('<![CDATA[', at)
      ? ['<![CDATA[', ']]>']
      : ['<', '>'];
  const end = xml.indexOf(closing, at + mark.length);
  return end < 0 ? xml.length : end + closing.length;
}

function nameAt(xml: string, at: number): string {
  let end = at;
  while (end < xml.length && !/[\s/>]/.test(xml.charAt(end))) end += 1;
  return xml.slice(at, end);
}
