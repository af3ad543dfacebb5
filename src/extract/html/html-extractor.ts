import { READABILITY_WORK_MAX } from '#core/limits.ts';
import { toPlain } from '#extract/plain.ts';
import { toLines } from '#extract/lines/lines.ts';
import { identityOf } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { parseDocument } from './dom.ts';
import type { DomDocument, DomElement } from './dom.ts';
import { toMarkdown } from './markdown/walk.ts';
import { languageOf, titleOf } from './page-facts.ts';
import { prepareHtml } from './prepare.ts';
import { readable } from './readable.ts';

/** Below this share of the page's text, the main content was probably missed. */
const READABLE_SHARE_MIN = 0.1;
const READABLE_CHARS_MIN = 200;
const AROUND_CONTENT =
  'nav, footer, aside, [role="navigation"], [role="contentinfo"], [role="search"], [role="banner"]';

/** HTML and XHTML: the main content, or the whole page, as Markdown. */
export const htmlExtractor: Extractor = { id: 'html', version: '1', extract: extractHtml };

function extractHtml(input: ExtractInput): Extracted {
  const strict = read(input, false);
  return strict.lines.length > 0 ? strict : read(input, true);
}

function read(input: ExtractInput, lenient: boolean): Extracted {
  const prepared = prepareHtml(toPlain(input.text), { lenient, xml: input.kind === 'xhtml' });
  const document = parseDocument(prepared.html);
  const base = baseOf(document, input.url);
  const facts = { title: titleOf(document), language: languageOf(document) };
  const candidates: { strategy: string; chars: number }[] = [];
  const whole = textLength(document.body);
  let chosen: { strategy: string; root: DomElement } = { strategy: 'body', root: document.body };
  if (input.mode === 'readable') {
    const main = prepared.depthSum > READABILITY_WORK_MAX ? null : readable(document);
    const chars = main === null ? 0 : textLength(main);
    candidates.push({ strategy: 'readability', chars }, { strategy: 'body', chars: whole });
    if (main !== null && (chars >= READABLE_CHARS_MIN || chars >= whole * READABLE_SHARE_MIN)) {
      chosen = { strategy: 'readability', root: main };
    } else {
      chosen = { strategy: 'body without surroundings', root: withoutSurroundings(parseDocument(prepared.html)) };
    }
  }
  let markdown = toMarkdown([chosen.root], base);
  if (markdown.length === 0 && input.mode === 'readable') {
    chosen = { strategy: 'body', root: parseDocument(prepared.html).body };
    markdown = toMarkdown([chosen.root], base);
  }
  const { lines, cuts } = toLines(toPlain(markdown.join('\n')).split('\n'));
  return {
    ...facts,
    lines: lines.length === 1 && lines[0] === '' ? [] : lines,
    extractor: identityOf(htmlExtractor),
    cuts: [...prepared.cuts, ...cuts],
    explanation: { strategy: chosen.strategy, candidates },
  };
}

function withoutSurroundings(document: DomDocument): DomElement {
  for (const element of document.querySelectorAll(AROUND_CONTENT)) element.remove();
  return document.body;
}

function textLength(element: DomElement): number {
  return (element.textContent ?? '').replace(/\s+/g, ' ').length;
}

function baseOf(document: DomDocument, url: string): string {
  const href = document.head.querySelector('base[href]')?.getAttribute('href') ?? '';
  const base = href === '' ? null : URL.parse(href, url);
  return base !== null && /^https?:$/.test(base.protocol) ? base.href : url;
}
