import { toPlain } from '#core/plain.ts';
import { toLines } from '#extract/lines/lines.ts';
import { identityOf } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Explanation, Extractor } from '#extract/extractor.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import { readSite } from '#extract/siteconfigs/read-site.ts';
import type { SiteReading } from '#extract/siteconfigs/read-site.ts';
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
  const site = input.mode === 'readable' ? readSite(document, input) : null;
  const configured = site === null ? null : writeSite(site, baseOf(document, input.url));
  const mayDescribe = configured === null && prepared.textChars < TEXT_CHARS_MIN;
  const whole = input.mode === 'raw' ? write(input, document, prepared.jsonLd) : null;
  // Read whole, a page shows what it has, however little; only one that shows nothing is described.
  const described = mayDescribe && (whole === null || whole.markdown.length === 0) ? describe(document) : null;
  const { markdown, explanation } = configured ?? described ?? whole ?? write(input, document, prepared.jsonLd);
  const { lines, cuts } = toLines(toPlain(markdown.join('\n')).split('\n'));
  const byScript = described === null ? [] : ['The page shows its content by script: this is what it says of itself.'];
  return {
    title: configured?.title ?? title,
    language,
    lines: lines.every((line) => line === '') ? [] : lines,
    extractor: identityOf(htmlExtractor),
    cuts: [...prepared.cuts, ...byScript, ...cuts],
    explanation: { ...explanation, candidates: [...inVain(site), ...explanation.candidates] },
    siteconfig: configured?.siteconfig,
    needsScripts: site?.needsScripts,
  };
}

type Written = { markdown: string[]; explanation: Explanation };

function write(input: ExtractInput, document: DomDocument, jsonLd: readonly string[]): Written {
  const base = baseOf(document, input.url);
  if (input.mode === 'raw') {
    const markdown = toMarkdown(document.body, base, NOTHING);
    return { markdown, explanation: { strategy: 'whole page', candidates: [] } };
  }
  const { skip, kind, chars, keptChars } = mainContentOf(document, jsonLd, input.url);
  const candidates = [
    { strategy: 'main content', chars: keptChars },
    { strategy: 'whole page', chars },
  ];
  const markdown = toMarkdown(document.body, base, skip);
  if (markdown.length > 0) return { markdown, explanation: { strategy: `main content of ${kind} page`, candidates } };
  return { markdown: toMarkdown(document.body, base, NOTHING), explanation: { strategy: 'whole page', candidates } };
}

/** What a site config takes for the content, or `null` when it is nothing that can be written. */
function writeSite({ content }: SiteReading, base: string) {
  const markdown = content === null ? [] : toMarkdown(content.root, base, NOTHING);
  if (content === null || markdown.length === 0) return null;
  const { title, siteconfig, match } = content;
  const chars = (content.root.textContent ?? '').replace(/\s+/g, ' ').length;
  const candidates = [{ strategy: `site config ${siteconfig}`, chars }];
  return { markdown, title, siteconfig, explanation: { strategy: 'site config', candidates, siteconfigMatch: match } };
}

/** Site configs that fit the page and found no text in it. */
function inVain(site: SiteReading | null): Explanation['candidates'] {
  return site?.inVain.map((siteconfig) => ({ strategy: `site config ${siteconfig}`, chars: 0 })) ?? [];
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
