import { fail } from '#core/failures/failure.ts';
import { hasHtmlBody } from '#core/document/kinds.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { noPause } from '#core/flow/turns.ts';
import type { ExtractInput, ExtractedText, Extractor } from './extractor.ts';
import { findHeadings, mainLines } from '#core/document/document.ts';
import type { Extraction, OutlineEntry } from '#core/document/document.ts';
import { OUTLINED_DOCUMENT_LINES_MIN, OUTLINE_TOKENS_MAX } from './limits.ts';
import { oneLine, utf8Bytes } from '#core/text/text.ts';

/** Maximum characters of one heading in an outline. This much is enough to choose a section. */
const OUTLINE_TEXT_CHARS_MAX = 100;

/** Loaders of the extractors, by kind. Each loads at first use, so reading a stored page loads no parser. */
const EXTRACTORS: Readonly<Record<BodyKind, () => Promise<Extractor>>> = {
  html: loadHtml,
  xhtml: loadHtml,
  markdown: async () => (await import('./text-extractor.ts')).markdownExtractor,
  text: async () => (await import('./text-extractor.ts')).textExtractor,
  json: async () => (await import('./json/json-extractor.ts')).jsonExtractor,
  notebook: async () => (await import('./notebook-extractor.ts')).notebookExtractor,
  xml: async () => (await import('./xml/xml-extractor.ts')).xmlExtractor,
  feed: async () => (await import('./feed/feed-extractor.ts')).feedExtractor,
  csv: loadCsv,
  tsv: loadCsv,
  pdf: async () => (await import('./pdf/pdf-extractor.ts')).pdfExtractor,
  docx: async () => (await import('./office/word/docx-extractor.ts')).docxExtractor,
  xlsx: async () => (await import('./office/xlsx-extractor.ts')).xlsxExtractor,
  pptx: async () => (await import('./office/pptx-extractor.ts')).pptxExtractor,
  odt: async () => (await import('./office/odf/odt-extractor.ts')).odtExtractor,
  ods: async () => (await import('./office/odf/ods-extractor.ts')).odsExtractor,
  odp: async () => (await import('./office/odf/odp-extractor.ts')).odpExtractor,
  mail: async () => (await import('./mail/mail-extractor.ts')).mailExtractor,
  epub: async () => (await import('./epub-extractor.ts')).epubExtractor,
  image: async () => (await import('./image/image-extractor.ts')).imageExtractor,
};

/** Turns a decoded body into Markdown lines. @throws {PeriscopeError} `extract_failed` if no text is readable */
export async function extract(input: ExtractInput): Promise<ExtractedText> {
  const { kind, pause = noPause } = input;
  const extractor = loaded.get(kind) ?? (await load(kind));
  const extracted = await extractor.extract(input);
  await pause();
  if (extracted.lines.every((line) => line.trim() === '')) {
    fail({
      code: 'extract_failed',
      url: redactUrl(input.url),
      ...(hasHtmlBody(kind) ? await emptyPage(input) : { reason: 'the file shows no text', of: 'file' }),
    });
  }
  const anchors = extracted.anchors ?? placesOf(kind, extracted);
  await pause();
  return { ...extracted, anchors, outline: outlineOf(extracted) };
}

async function emptyPage({ text, kind }: ExtractInput): Promise<{ reason: string; of?: 'empty' }> {
  const { parseHtmlTree } = await import('./html/build-tree.ts');
  const { scripts } = parseHtmlTree({ html: text, xml: kind === 'xhtml', scripting: true });
  if (scripts > 0) return { reason: 'the page shows no text without running scripts' };
  return { reason: 'the page has no visible text and no scripts', of: 'empty' };
}

const loaded = new Map<BodyKind, Extractor>();

async function load(kind: BodyKind): Promise<Extractor> {
  const extractor = await EXTRACTORS[kind]();
  loaded.set(kind, extractor);
  return extractor;
}

async function loadHtml(): Promise<Extractor> {
  return (await import('./html/html-extractor.ts')).htmlExtractor;
}

async function loadCsv(): Promise<Extractor> {
  return (await import('./csv-extractor.ts')).csvExtractor;
}

/**
 * Returns link targets of files other than HTML: `page=12` for files with numbered pages, such as PDF; heading slugs
 * for Markdown.
 */
function placesOf(
  kind: BodyKind,
  { lines, pageStarts = new Map() }: ExtractedText,
): ReadonlyMap<string, number> | undefined {
  if (kind === 'pdf' || kind === 'docx' || kind === 'json')
    return new Map([...pageStarts].map(([page, line]) => [`page=${page}`, line]));
  return kind === 'markdown' ? headingNames(lines) : undefined;
}

/** Maps heading slugs, such as `getting-started`, to lines, by GitHub's rules, which most site generators share. */
function headingNames(lines: readonly string[]): Map<string, number> {
  const names = new Map<string, number>();
  /** For each slug, the number appended to the next heading with the same slug, as in `usage-1`. */
  const next = new Map<string, number>();
  for (const { text, line } of findHeadings(lines)) {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let name = slug;
    let count = next.get(slug) ?? 1;
    for (; names.has(name); count += 1) name = `${slug}-${count}`;
    next.set(slug, count);
    names.set(name, line);
  }
  return names;
}

/** In a PDF with headings, the share of the outline's token budget that page numbers may use. */
const PAGES_SHARE = 0.3;
/** Minimum entries of an outline. If dropping a heading level would leave fewer, some headings of this level stay. */
const ENTRIES_MIN = 8;
/** Number of occurrences from which a heading text, such as "Parameters", is left out of the outline. */
const REPEATED_MIN = 4;

/**
 * Builds an outline of the document's main part within `OUTLINE_TOKENS_MAX`: repeated headings, the deepest heading
 * levels and some pages of a PDF are left out. Omitted headings, but not omitted pages, are counted at the entry before
 * them. Returns `undefined` for a short document, or if fewer than two entries remain.
 */
export function outlineOf(extraction: Extraction & Pick<ExtractedText, 'pageStarts'>): OutlineEntry[] | undefined {
  const lines = mainLines(extraction);
  if (lines.length <= OUTLINED_DOCUMENT_LINES_MIN) return undefined;
  const pages = [...(extraction.pageStarts ?? [])].map(([page, line]) => ({ line, level: 0, text: `page ${page}` }));
  const all = findHeadings(lines).map((heading) => ({
    ...heading,
    text: oneLine(heading.text, OUTLINE_TEXT_CHARS_MAX),
  }));
  const headings = withoutRepeated(all);
  const forPages = headings.length === 0 ? OUTLINE_TOKENS_MAX : OUTLINE_TOKENS_MAX * PAGES_SHARE;
  const shownPages = thinned(pages, forPages);
  const shown = withinBudget(headings, OUTLINE_TOKENS_MAX - tokensOf(shownPages));
  const entries = [...shownPages, ...shown].toSorted((a, b) => a.line - b.line || a.level - b.level);
  return entries.length < 2 ? undefined : withOmitted(entries, all);
}

/**
 * Removes headings that many sections share, such as "Parameters", unless fewer than two others remain: they do not
 * help to choose a section.
 */
function withoutRepeated(headings: readonly OutlineEntry[]): readonly OutlineEntry[] {
  const counts = new Map<string, number>();
  for (const { text } of headings) counts.set(text, (counts.get(text) ?? 0) + 1);
  const others = headings.filter(({ text }) => (counts.get(text) ?? 0) < REPEATED_MIN);
  return others.length < 2 ? headings : others;
}

/**
 * Adds the number of omitted headings to the entry before them. The count of the first entry includes headings before
 * it.
 */
function withOmitted(entries: readonly OutlineEntry[], all: readonly OutlineEntry[]): OutlineEntry[] {
  const shown = new Set(entries.filter(({ level }) => level > 0).map(({ line }) => line));
  const left = all.filter(({ line }) => !shown.has(line));
  return entries.map((entry, index) => {
    const from = index === 0 ? 0 : entry.line;
    const end = entries[index + 1]?.line ?? Infinity;
    const omitted = left.filter(({ line }) => line >= from && line < end).length;
    return omitted === 0 ? entry : { ...entry, omitted };
  });
}

function withinBudget(headings: readonly OutlineEntry[], budget: number): OutlineEntry[] {
  let shown: OutlineEntry[] = [];
  for (let level = 1; level <= 6; level += 1) {
    const more = headings.filter((heading) => heading.level === level);
    if (tokensOf(shown) + tokensOf(more) <= budget) shown = [...shown, ...more];
    else return shown.length < ENTRIES_MIN ? [...shown, ...thinned(more, budget - tokensOf(shown))] : shown;
  }
  return shown;
}

function thinned(entries: readonly OutlineEntry[], budget: number): OutlineEntry[] {
  const step = Math.ceil(tokensOf(entries) / Math.max(1, budget));
  let sampled = entries.filter((_, index) => index % Math.max(1, step) === 0);
  while (sampled.length > 0 && tokensOf(sampled) > budget) sampled = sampled.slice(0, -1);
  return sampled;
}

/** Estimates the tokens of an outline: six for `L123: ## `, and one per three bytes of text. */
function tokensOf(entries: readonly OutlineEntry[]): number {
  return entries.reduce((sum, { text }) => sum + 6 + Math.ceil(utf8Bytes(text) / 3), 0);
}
