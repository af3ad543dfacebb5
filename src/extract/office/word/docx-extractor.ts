import { strToU8, zipSync } from 'fflate';
import { DOCX_ELEMENTS_PER_PART, DOCX_XML_BYTES_MAX } from '#extract/limits.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { toExtracted, writePageMark, failUnreadableFile } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { firstHeading, createHtmlReader } from '#extract/html-in-files.ts';
import { parseXml, firstNamedChild, namedChildren, descendantsOf, textOf, renamePrefixes } from '#extract/xml/tree.ts';
import { diagramTexts, readChart } from '#extract/office/drawing-texts.ts';
import {
  readFileTitle,
  findMainPartName,
  readRelations,
  SidePartReader,
  TRACKED_CHANGES_NOTE,
  writeCommentsAndHeaders,
} from '#extract/office/package.ts';
import { paragraphStyles, WordNumbering, isWordFlagSet } from './numbering.ts';
import { divideDocumentXml, cutDocumentXml, stripWordFormatting } from './pages.ts';
import { REPLACEMENT_NUMBERING_XML, WordRewriter } from './rewriter.ts';
import { decodeXML } from 'entities/decode';
import { escapeInline, escapeLineStart, PLAIN_CONTEXT } from '#extract/escape.ts';
import type { XmlElement, XmlNode } from '#extract/xml/tree.ts';

/** Maximum elements of one numbered page together with the document's styles, lists and notes. */
const DOCX_ELEMENTS_MAX = 32_000;
const OFFICE = 'http://schemas.openxmlformats.org';
const PREFIXES: Readonly<Record<string, string>> = {
  [`${OFFICE}/wordprocessingml/2006/main`]: 'w',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  [`${OFFICE}/officeDocument/2006/relationships`]: 'r',
  [`${OFFICE}/officeDocument/2006/math`]: 'm',
  [`${OFFICE}/markup-compatibility/2006`]: 'mc',
  [`${OFFICE}/drawingml/2006/wordprocessingDrawing`]: 'wp',
  [`${OFFICE}/drawingml/2006/main`]: 'a',
  [`${OFFICE}/drawingml/2006/picture`]: 'pic',
  [`${OFFICE}/drawingml/2006/chart`]: 'c',
  [`${OFFICE}/drawingml/2006/diagram`]: 'dgm',
};
const XML_PART = /\.(?:xml|rels)$/;
/** Matches parts that mammoth does not need: comments and charts, which are read here, and layout or settings. */
const UNREAD_PART =
  /(?:^|\/)(?:theme|customXml|docProps|glossary|charts|diagrams|drawings|embeddings)\/|\/(?:settings|webSettings|fontTable|stylesWithEffects|people|comments\w*|header\d*|footer\d*)\.xml(?:\.rels)?$/;
const TEXT_PART = /(?:^|\/)document\d*\.xml$/;
const NOTES_PART = /(?:^|\/)(?:footnotes|endnotes)\w*\.xml$/;
const STYLES_PART = /(?:^|\/)styles\d*\.xml$/;
const NUMBERING_PART = /(?:^|\/)numbering\d*\.xml$/;
const TEXT_RANK = 1;
const NOTES_RANK = 2;
const NO_NOTES = '<w:notes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';
const TOO_LONG = `The document has more than ${DOCX_ELEMENTS_MAX} paragraphs, cells and formats, or ${DOCX_XML_BYTES_MAX} characters: the rest was left out.`;
const HIDDEN = 'Hidden text was left out.';
const DRAWINGS_MAX = 200;

/**
 * Extracts Word documents: mammoth converts them to HTML, and the HTML extractor to Markdown. A long document is
 * divided into numbered pages by its number of paragraphs, cells and formats.
 */
export const docxExtractor: Extractor = { id: 'docx', version: '10', extract: extractDocx };

async function extractDocx(input: ExtractInput): Promise<ExtractedText> {
  const archive = openArchive(input);
  const { parts, side, cut, page, total, rewriter, rest, hasChanges } = textParts(archive, input);
  await input.pause?.();
  const html = rewriter.finish(await htmlOf(parts, input));
  await input.pause?.();
  const { markdown, cuts, title } = await (await createHtmlReader(input.pause))(html, input.url);
  const isLong = total > 1;
  const notes = [
    ...side.notes,
    ...rest.notes,
    ...(hasChanges ? [TRACKED_CHANGES_NOTE] : []),
    ...(rewriter.hasHidden ? [HIDDEN] : []),
  ];
  const extracted = await toExtracted(
    docxExtractor,
    {
      title: readFileTitle(archive) ?? title ?? firstHeading(markdown),
      markdown: isLong ? [writePageMark(page), '', ...markdown] : markdown,
      rest: page === 1 ? rest.rest : [],
      pageStarts: new Map(isLong ? [[page, 0]] : []),
      cuts: [...cuts, ...(cut ? [TOO_LONG] : []), ...notes],
      strategy: 'styles',
    },
    input,
  );
  return isLong ? { ...extracted, pages: { first: page, last: page, total } } : extracted;
}

async function htmlOf(parts: Parts, input: ExtractInput): Promise<string> {
  const mammoth = (await import('mammoth')).default;
  // mammoth unpacks everything in its input, so the parts are packed again, without pictures and within limits. Both
  // forms of input are passed, because the bundler decides which of them mammoth reads.
  const arrayBuffer = zipSync(parts, { level: 0 }).buffer;
  const source = { arrayBuffer, buffer: arrayBuffer };
  const noImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  try {
    const options = { includeEmbeddedStyleMap: false, externalFileAccess: false, convertImage: noImage };
    const { value } = await mammoth.convertToHtml(source, options);
    return `<!doctype html><html><body>${value}</body></html>`;
  } catch (error) {
    return failUnreadableFile(input, 'the document is broken', error);
  }
}

type Parts = Record<string, Uint8Array>;
type Read = {
  parts: Parts;
  side: SidePartReader;
  cut: boolean;
  page: number;
  total: number;
  rewriter: WordRewriter;
  rest: ReturnType<typeof wordRest>;
  hasChanges: boolean;
};

/** Collects the parts for mammoth, up to a limit. Styles come first: without them, headings and lists are lost. */
function textParts(archive: Archive, input: ExtractInput): Read {
  const parts: Parts = Object.create(null);
  const budget = { elements: DOCX_ELEMENTS_MAX, chars: DOCX_XML_BYTES_MAX };
  const names = archive.names.filter((name) => XML_PART.test(name) && !UNREAD_PART.test(name));
  const side = new SidePartReader(archive);
  const rewriter = rewriterOf(archive, names, side);
  const read: Read = {
    parts,
    side,
    cut: false,
    page: 1,
    total: 1,
    rewriter,
    rest: { rest: [], notes: [] },
    hasChanges: false,
  };
  const main = findMainPartName(archive, 'word/document.xml');
  parts['word/numbering.xml'] = strToU8(REPLACEMENT_NUMBERING_XML);
  for (const name of names.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const written = archive.text(name);
    if (written === null) continue;
    const source = renamePrefixes(written, PREFIXES);
    if (NUMBERING_PART.test(name)) {
      parts[name] = strToU8(REPLACEMENT_NUMBERING_XML);
      continue;
    }
    const lean = stripWordFormatting(source);
    const isText = rankOf(name) === TEXT_RANK;
    const pages = isText ? divideDocumentXml(lean, DOCX_ELEMENTS_PER_PART) : [lean];
    const own = Math.min(Math.max(1, input.firstPage ?? 1), pages.length);
    if (pages.length > read.total) [read.page, read.total] = [own, pages.length];
    if (isText) {
      for (const before of pages.slice(0, own - 1)) rewriter.skip(before);
      read.hasChanges ||= /<w:(?:ins|del|moveFrom|moveTo)[\s>]/.test(source);
      if (name === main) read.rest = wordRest(archive, source, side);
    }
    const page = pages[own - 1] ?? lean;
    const kept = cutDocumentXml(rankOf(name) === 0 ? page : rewriter.rewrite(page), budget);
    if (kept === null ? rankOf(name) < NOTES_RANK : kept.cut && rankOf(name) === 0)
      return failUnreadableFile(input, `the document has more than ${DOCX_ELEMENTS_MAX} parts besides its text`);
    read.cut ||= kept?.cut ?? true;
    parts[name] = strToU8(kept?.xml ?? NO_NOTES);
  }
  return read;
}

function rankOf(name: string): number {
  if (NOTES_PART.test(name)) return NOTES_RANK;
  return TEXT_PART.test(name) ? TEXT_RANK : 0;
}

function rewriterOf(archive: Archive, names: readonly string[], side: SidePartReader): WordRewriter {
  const partOf = (pattern: RegExp) => {
    const name = names.find((one) => pattern.test(one));
    const source = name === undefined ? null : archive.text(name);
    return source === null ? undefined : parseXml(renamePrefixes(source, PREFIXES), 'local').document;
  };
  const styles = paragraphStyles(partOf(STYLES_PART));
  const relations = readRelations(archive, findMainPartName(archive, 'word/document.xml'));
  let left = DRAWINGS_MAX;
  const drawingPart = (id: string) => {
    left -= 1;
    const target = left < 0 ? undefined : relations.get(id)?.target;
    return target === undefined ? undefined : side.read(target);
  };
  return new WordRewriter(new WordNumbering(partOf(NUMBERING_PART), styles), styles, {
    chart: (id) => {
      const root = drawingPart(id);
      return root === undefined ? undefined : readChart(root);
    },
    diagram: (id) => {
      const root = drawingPart(id);
      return root === undefined ? [] : diagramTexts(root);
    },
  });
}

const HEADER_OR_FOOTER = /(?:^|\/)(?:header|footer)\d*\.xml$/;
const COMMENTS = /(?:^|\/)comments\.xml$/;
const COMMENTS_MAX = 1_000;
const HEADERS_MAX = 60;
const ABOUT_CHARS_MAX = 160;

/** Reads comments, headers and footers of a Word document as Markdown. @param document XML of the main part */
function wordRest(
  archive: Archive,
  document: string,
  side: SidePartReader,
): ReturnType<typeof writeCommentsAndHeaders> {
  const headers = new Set<string>();
  for (const name of archive.names.filter((one) => HEADER_OR_FOOTER.test(one)).slice(0, HEADERS_MAX)) {
    const text = wordsIn(side.read(name));
    if (/\p{L}{2}/u.test(text)) headers.add(text);
  }
  return writeCommentsAndHeaders(
    commentsOf(archive, document, side),
    [...headers].map((text) => `- ${listed(text)}`),
  );
}

function commentsOf(archive: Archive, document: string, side: SidePartReader): string[] {
  const name = archive.names.find((one) => COMMENTS.test(one));
  if (name === undefined) return [];
  const about = commentedTexts(document);
  return descendantsOf(side.read(name), 'comment')
    .slice(0, COMMENTS_MAX)
    .flatMap((comment) => {
      const text = wordsIn(comment);
      if (text === '') return [];
      const author = comment.attributes['w:author']?.trim() ?? '';
      const words = about.get(comment.attributes['w:id'] ?? '') ?? '';
      const head = [author, words === '' ? '' : `on “${words}”`].filter((part) => part !== '').join(', ');
      return [`- ${listed(head === '' ? text : `${head}: ${text}`)}`];
    });
}

function listed(text: string): string {
  return escapeLineStart(escapeInline(text, PLAIN_CONTEXT));
}

const RANGE_OR_TEXT = /<w:commentRange(Start|End) [^<>]*?w:id="(\d{1,9})"|<w:t(?: [^<>]*)?>([^<>]*)/g;
/** Maximum overlapping comments. Only files that are made to exhaust memory have more. */
const OPEN_MAX = 20;

/** Returns, by comment id, the text that each comment is about. Linear. */
function commentedTexts(document: string): Map<string, string> {
  const texts = new Map<string, string>();
  const open = new Set<string>();
  if (!document.includes('<w:commentRangeStart')) return texts;
  for (const [, kind, id = '', text = ''] of document.matchAll(RANGE_OR_TEXT)) {
    if (kind === 'Start' && open.size < OPEN_MAX) open.add(id);
    else if (kind === 'End') open.delete(id);
    else for (const one of open) texts.set(one, ((texts.get(one) ?? '') + text).slice(0, ABOUT_CHARS_MAX));
  }
  for (const [id, text] of texts) texts.set(id, decodeXML(text).replace(/\s+/g, ' ').trim());
  return texts;
}

function wordsIn(root: XmlElement | undefined): string {
  return descendantsOf(root, 'p').map(visible).join(' ').replace(/\s+/g, ' ').trim();
}

/** Returns the visible text of a node. The recursion is limited, because the XML reader limits the depth. */
function visible(node: XmlNode): string {
  if (typeof node === 'string') return '';
  if (node.name === 't') return textOf(node);
  if (node.name === 'tab' || node.name === 'br' || node.name === 'cr' || node.name === 'ptab') return ' ';
  if (node.name === 'del' || node.name === 'moveFrom' || node.name === 'Fallback' || node.name === 'pPr') return '';
  const vanish = firstNamedChild(namedChildren(node, 'rPr')[0], 'vanish');
  if (vanish !== undefined && isWordFlagSet(vanish)) return '';
  return node.children.map(visible).join('');
}
