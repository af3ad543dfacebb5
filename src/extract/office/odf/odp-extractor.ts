import { FILE_MARKDOWN_CHARS_MAX } from '#extract/limits.ts';
import { noPause } from '#core/flow/turns.ts';
import { escapeInline, escapeLineStart, PLAIN_CONTEXT } from '#extract/escape.ts';
import { failUnreadableFile, toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { appendLines, createHtmlReader } from '#extract/html-in-files.ts';
import { readFileTitle } from '#extract/office/package.ts';
import { firstNamedChild, namedChildren, descendantsOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { listOdfNotes, writeOdfRest, readOdf } from './read-odf.ts';
import type { OdfFile } from './read-odf.ts';

/** Classes of frames that say the same on every slide, apart from numbers and dates, such as the footer. */
const FURNITURE = new Set(['page-number', 'date-time', 'footer', 'header']);

/** Extracts OpenDocument presentations: text and notes of each slide after a line `<!-- slide n -->`. */
export const odpExtractor: Extractor = { id: 'odp', version: '3', extract: extractOdp };

async function extractOdp(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const file = await readOdf(input, 'office:presentation');
  const reader = await createHtmlReader(pause);
  const pages = descendantsOf(file.body, 'draw:page');
  const cuts = new Set(file.cuts);
  const markdown: string[] = [];
  let chars = 0;
  for (const [index, page] of pages.entries()) {
    if (chars > FILE_MARKDOWN_CHARS_MAX) {
      cuts.add(`The presentation has ${pages.length} slides: those after ${index} were left out.`);
      break;
    }
    if (isHidden(page, file)) {
      cuts.add('Hidden slides were left out.');
      continue;
    }
    const read = await reader(`<!doctype html><html><body>${slideHtml(page, file)}</body></html>`, input.url);
    for (const cut of read.cuts) cuts.add(cut);
    const lines = [...read.markdown, '', ...notesOf(page)];
    if (lines.every((line) => line === '')) continue;
    for (const line of lines) chars += line.length + 1;
    appendLines(markdown, [`<!-- slide ${index + 1} -->`, '', ...lines, '']);
  }
  if (markdown.length === 0) return failUnreadableFile(input, 'the presentation shows no text');
  const { rest, notes } = writeOdfRest(file);
  return toExtracted(
    odpExtractor,
    {
      title: readFileTitle(file.archive),
      markdown,
      rest,
      cuts: [...cuts, ...notes, ...listOdfNotes(file)],
      strategy: 'slides',
    },
    input,
  );
}

function isHidden(page: XmlElement, { styles }: OdfFile): boolean {
  const name = page.attributes['draw:style-name'];
  const properties = 'style:drawing-page-properties';
  return styles.property('drawing-page', name, properties, 'presentation:visibility') === 'hidden';
}

function slideHtml(page: XmlElement, { writer }: OdfFile): string {
  const titles: string[] = [];
  const blocks: string[] = [];
  for (const shape of page.children) {
    if (typeof shape === 'string') continue;
    const kind = shape.attributes['presentation:class'] ?? '';
    if (FURNITURE.has(kind)) continue;
    const html = writer.html(shape);
    if (html.trim() === '') continue;
    if (kind === 'title') titles.push(`<h2>${html.replace(/<\/?(?:p|div|h\d)>/g, ' ')}</h2>`);
    else blocks.push(`<div>${html}</div>`);
  }
  return [...titles, ...blocks].join('');
}

function notesOf(page: XmlElement): string[] {
  const frames = namedChildren(firstNamedChild(page, 'presentation:notes'), 'draw:frame').filter(
    ({ attributes }) => attributes['presentation:class'] === 'notes',
  );
  const lines = frames
    .flatMap((frame) => descendantsOf(frame, 'text:p'))
    .map((paragraph) => textOf(paragraph).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .map((text) => `> ${escapeLineStart(escapeInline(text, PLAIN_CONTEXT))}`);
  return lines.length === 0 ? [] : ['> Notes:', '>', ...lines.flatMap((line) => [line, '>']).slice(0, -1)];
}
