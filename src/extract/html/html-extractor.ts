import { toPlain } from '#extract/plain.ts';
import { toLines } from '#extract/lines/lines.ts';
import { identityOf } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Explanation, Extractor } from '#extract/extractor.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import { parseDocument } from './dom.ts';
import type { DomDocument, DomNode } from './dom.ts';
import { mainContentOf } from './main/main-content.ts';
import { MODEL } from './main/model.ts';
import { toMarkdown } from './markdown/walk.ts';
import { languageOf, namesOf, titleOf } from './page-facts.ts';
import { preparePage } from './prepare.ts';

/** A page that shows less text than this is described by what it says of itself, if that is more. */
const TEXT_CHARS_MIN = 100;
const NOTHING: ReadonlySet<DomNode> = new Set();

/** HTML and XHTML: the main content, or the whole page, as Markdown. */
export const htmlExtractor: Extractor = { id: 'html', version: `2.${MODEL}`, extract: extractHtml };

function extractHtml(input: ExtractInput): Extracted {
  const prepared = preparePage(toPlain(input.text), input.kind === 'xhtml');
  const document = parseDocument(prepared.html);
  const title = titleOf(document);
  const language = languageOf(document);
  const described = input.mode === 'readable' && prepared.textChars < TEXT_CHARS_MIN ? describe(document) : null;
  const { markdown, explanation } = described ?? write(input, document, prepared.jsonLd);
  const { lines, cuts } = toLines(toPlain(markdown.join('\n')).split('\n'));
  const byScript = described === null ? [] : ['The page shows its content by script: this is what it says of itself.'];
  return {
    title,
    language,
    lines: lines.every((line) => line === '') ? [] : lines,
    extractor: identityOf(htmlExtractor),
    cuts: [...prepared.cuts, ...byScript, ...cuts],
    explanation,
  };
}

type Written = { markdown: string[]; explanation: Explanation };

function write(input: ExtractInput, document: DomDocument, jsonLd: readonly string[]): Written {
  const base = baseOf(document, input.url);
  if (input.mode === 'raw') {
    const markdown = toMarkdown(document.body, base, NOTHING);
    return { markdown, explanation: { strategy: 'whole page', candidates: [] } };
  }
  const { skip, chars, keptChars } = mainContentOf(document, jsonLd, input.url);
  const candidates = [
    { strategy: 'main content', chars: keptChars },
    { strategy: 'whole page', chars },
  ];
  const markdown = toMarkdown(document.body, base, skip);
  if (markdown.length > 0) return { markdown, explanation: { strategy: 'main content', candidates } };
  return { markdown: toMarkdown(document.body, base, NOTHING), explanation: { strategy: 'whole page', candidates } };
}

/** Title and description from the page's own metadata, or `null` when it describes itself in less than a sentence. */
function describe(document: DomDocument): Written | null {
  const { title, description } = namesOf(document);
  if (description.length < TEXT_CHARS_MIN) return null;
  const escape = (text: string) => escapeLineStart(escapeInline(text, { inLink: false, inCell: false }));
  const markdown = title === '' ? [escape(description)] : [`# ${escape(title)}`, '', escape(description)];
  const candidates = [{ strategy: 'metadata', chars: description.length }];
  return { markdown, explanation: { strategy: 'metadata', candidates } };
}

function baseOf(document: DomDocument, url: string): string {
  const href = document.head.querySelector('base[href]')?.getAttribute('href') ?? '';
  const base = href === '' ? null : URL.parse(href, url);
  return base !== null && /^https?:$/.test(base.protocol) ? base.href : url;
}
