import { fail } from '#core/errors.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { outlineOf } from './outline.ts';
import { placesOf } from './places.ts';

/** Each extractor is loaded when the first body of its kind comes: scrolling a stored page costs none of them. */
const EXTRACTORS: ReadonlyMap<string, () => Promise<Extractor>> = new Map([
  ['html', loadHtml],
  ['xhtml', loadHtml],
  ['markdown', loadMarkdown],
  ['text', loadText],
  ['json', loadJson],
  ['pdf', loadPdf],
  ['feed', loadFeed],
  ['csv', loadCsv],
  ['tsv', loadCsv],
  ['xml', loadXml],
  ['notebook', loadNotebook],
  ['docx', loadDocx],
  ['epub', loadEpub],
  ['xlsx', loadXlsx],
  ['pptx', loadPptx],
  ['odt', loadOdt],
]);

const MARKDOWN_PATH = /\.(?:md|mdx|markdown|mkd|qmd)$/i;

/** Kinds that scripts may fill. */
const PAGES: ReadonlySet<string> = new Set(['html', 'xhtml']);

/** The kinds `extract` can read. */
export const EXTRACT_KINDS: readonly string[] = [...EXTRACTORS.keys()];

/**
 * Turns a decoded body into Markdown lines.
 * @throws {PeriscopeError} `unsupported_mime` for a kind without extractor, `extract_failed` when nothing is readable.
 */
export async function extract(input: ExtractInput): Promise<Extracted> {
  const load = EXTRACTORS.get(kindOf(input));
  if (load === undefined)
    return fail({
      code: 'unsupported_mime',
      url: redactUrl(input.url),
      mediaType: safeType(input.mediaType ?? input.kind),
    });
  const kind = kindOf(input);
  const extractor = await load();
  const extracted = await extractor.extract(input);
  await input.pause?.();
  if (extracted.lines.every((line) => line.trim() === '')) {
    fail({
      code: 'extract_failed',
      url: redactUrl(input.url),
      ...(PAGES.has(input.kind)
        ? { reason: 'the page shows no text without running scripts' }
        : { reason: 'the file shows no text', of: 'file' }),
    });
  }
  const anchors = extracted.anchors ?? placesOf(kind, extracted.lines);
  await input.pause?.();
  return { ...extracted, anchors, outline: outlineOf(extracted) };
}

/** Servers call Markdown files plain text. */
function kindOf({ kind, url }: ExtractInput): string {
  if (kind !== 'text') return kind;
  const path = URL.parse(url)?.pathname ?? '';
  return MARKDOWN_PATH.test(path) ? 'markdown' : kind;
}

function safeType(type: string): string {
  return /^[\w./+-]{1,151}$/.test(type) ? type : 'of an unknown type';
}

async function loadHtml(): Promise<Extractor> {
  return (await import('./html/html-extractor.ts')).htmlExtractor;
}

async function loadMarkdown(): Promise<Extractor> {
  return (await import('./markdown-extractor.ts')).markdownExtractor;
}

async function loadText(): Promise<Extractor> {
  return (await import('./text-extractor.ts')).textExtractor;
}

async function loadJson(): Promise<Extractor> {
  return (await import('./json-extractor.ts')).jsonExtractor;
}

async function loadPdf(): Promise<Extractor> {
  return (await import('./pdf/pdf-extractor.ts')).pdfExtractor;
}

async function loadFeed(): Promise<Extractor> {
  return (await import('./feed/feed-extractor.ts')).feedExtractor;
}

async function loadCsv(): Promise<Extractor> {
  return (await import('./csv-extractor.ts')).csvExtractor;
}

async function loadXml(): Promise<Extractor> {
  return (await import('./xml/xml-extractor.ts')).xmlExtractor;
}

async function loadNotebook(): Promise<Extractor> {
  return (await import('./notebook-extractor.ts')).notebookExtractor;
}

async function loadDocx(): Promise<Extractor> {
  return (await import('./office/docx-extractor.ts')).docxExtractor;
}

async function loadEpub(): Promise<Extractor> {
  return (await import('./epub-extractor.ts')).epubExtractor;
}

async function loadXlsx(): Promise<Extractor> {
  return (await import('./office/xlsx-extractor.ts')).xlsxExtractor;
}

async function loadPptx(): Promise<Extractor> {
  return (await import('./office/pptx-extractor.ts')).pptxExtractor;
}

async function loadOdt(): Promise<Extractor> {
  return (await import('./office/odt-extractor.ts')).odtExtractor;
}
