import { fail } from '#core/errors.ts';
import { isPage } from '#core/kinds.ts';
import type { Kind } from '#core/kinds.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import { noPause } from '#core/turns.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { outlineOf } from './outline.ts';
import { placesOf } from './places.ts';

/**
 * One extractor for each kind. It is loaded when the first body of its kind arrives, so scrolling a stored page loads
 * none.
 */
const EXTRACTORS: Readonly<Record<Kind, () => Promise<Extractor>>> = {
  html: loadHtml,
  xhtml: loadHtml,
  markdown: async () => (await import('./markdown-extractor.ts')).markdownExtractor,
  text: async () => (await import('./text-extractor.ts')).textExtractor,
  json: async () => (await import('./json-extractor.ts')).jsonExtractor,
  notebook: async () => (await import('./notebook-extractor.ts')).notebookExtractor,
  xml: async () => (await import('./xml/xml-extractor.ts')).xmlExtractor,
  feed: async () => (await import('./feed/feed-extractor.ts')).feedExtractor,
  csv: loadCsv,
  tsv: loadCsv,
  pdf: async () => (await import('./pdf/pdf-extractor.ts')).pdfExtractor,
  docx: async () => (await import('./office/docx-extractor.ts')).docxExtractor,
  xlsx: async () => (await import('./office/xlsx-extractor.ts')).xlsxExtractor,
  pptx: async () => (await import('./office/pptx-extractor.ts')).pptxExtractor,
  odt: async () => (await import('./office/odt-extractor.ts')).odtExtractor,
  epub: async () => (await import('./epub-extractor.ts')).epubExtractor,
};

/**
 * Turns a decoded body into Markdown lines.
 * @throws {PeriscopeError} `extract_failed` when nothing is readable.
 */
export async function extract(input: ExtractInput): Promise<Extracted> {
  const { kind, pause = noPause } = input;
  const extractor = await EXTRACTORS[kind]();
  const extracted = await extractor.extract(input);
  await pause();
  if (extracted.lines.every((line) => line.trim() === '')) {
    fail({
      code: 'extract_failed',
      url: redactUrl(input.url),
      ...(isPage(kind)
        ? { reason: 'the page shows no text without running scripts' }
        : { reason: 'the file shows no text', of: 'file' }),
    });
  }
  const anchors = extracted.anchors ?? placesOf(kind, extracted.lines);
  await pause();
  return { ...extracted, anchors, outline: outlineOf(extracted) };
}

async function loadHtml(): Promise<Extractor> {
  return (await import('./html/html-extractor.ts')).htmlExtractor;
}

async function loadCsv(): Promise<Extractor> {
  return (await import('./csv-extractor.ts')).csvExtractor;
}
