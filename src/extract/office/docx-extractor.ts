import { strToU8, zipSync } from 'fflate';
import { DOCX_ELEMENTS_MAX, DOCX_PAGE_ELEMENTS, DOCX_XML_BYTES_MAX } from './limits.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { asExtracted, unreadable } from '#extract/as-extracted.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { headingOf, htmlReader } from '#extract/read-html.ts';
import { coreTitle } from './core-title.ts';
import { divided, withinBudget, withoutLooks } from './word-xml.ts';

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
  const extracted = await asExtracted(
    docxExtractor,
    {
      title: coreTitle(archive) ?? title ?? headingOf(markdown),
      markdown: isLong ? [`<!-- page ${page} -->`, '', ...markdown] : markdown,
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
    return unreadable(input, 'the document is broken', error);
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
    const lean = withoutLooks(source);
    const pages = rankOf(name) === TEXT_RANK ? divided(lean, DOCX_PAGE_ELEMENTS) : [lean];
    const own = Math.min(Math.max(1, input.firstPage ?? 1), pages.length);
    if (pages.length > total) [page, total] = [own, pages.length];
    const kept = withinBudget(pages[own - 1] ?? lean, budget);
    if (kept === null ? rankOf(name) < NOTES_RANK : kept.cut && rankOf(name) === 0)
      return unreadable(input, `the document has more than ${DOCX_ELEMENTS_MAX} parts besides its text`);
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
