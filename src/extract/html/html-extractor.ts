import { sanitizeText } from '#core/text/plain.ts';
import { noPause } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import { joinMainAndRest } from '#extract/lines/lines.ts';
import type { MainOrRestMarkdown } from '#extract/lines/lines.ts';
import { extractorVersion } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, ExtractionExplanation, Extractor } from '#extract/extractor.ts';
import { escapeInline, escapeLineStart, PLAIN_CONTEXT } from '#extract/escape.ts';
import { selectSiteContent } from '#extract/siteconfigs/read-site.ts';
import type { SiteContentResult } from '#extract/siteconfigs/read-site.ts';
import type { DomDocument, DomNode, DomElement } from './tree.ts';
import { separateMainContent } from './main/main-content.ts';
import { MODEL } from '#generated/models/model.ts';
import { readPageTraits } from '#extract/html/main/model/traits.ts';
import { convertRestToMarkdown, convertDomToMarkdown } from '#extract/html/markdown/to-markdown.ts';
import { declaredLanguage, metadataOf } from './page-metadata.ts';
import type { PageMetadata } from './page-metadata.ts';
import { divideMainAndRest } from './parts.ts';
import { divideSource } from './divide-source.ts';
import { LinkResolver } from './markdown/urls.ts';
import { parsePage } from './parse-page.ts';
import { elementsInside } from './tree.ts';

/**
 * Minimum characters of text on a page. If a page has less, its `meta` description is shown, if that is at least this
 * long. In mode `raw`, only a page without any text shows it.
 */
const TEXT_CHARS_MIN = 100;
const NOTHING: ReadonlySet<DomNode> = new Set();

/**
 * Extracts HTML and XHTML as Markdown. Mode `readable` moves menus and comments behind the main content; mode `raw`
 * keeps the order of the page.
 */
export const htmlExtractor: Extractor = { id: 'html', version: `20.${MODEL}`, extract: extractHtml };

async function extractHtml(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const given = sanitizeText(input.text);
  const html = input.kind === 'xhtml' ? given : closeSelfClosedTags(given);
  await pause();
  const { parsed, pages, laterAnchors } = await parseInPages(html, input, pause);
  await pause();
  const { document } = parsed;
  const names = metadataOf(document);
  const language = declaredLanguage(document);
  const page: Page = {
    input,
    document,
    links: new LinkResolver(baseOf(document, input.url), input.url),
    jsonLd: parsed.jsonLd,
    names,
    pause,
  };
  const site =
    input.mode === 'readable' ? selectSiteContent(document, { ...input, source: { html, names: parsed.names } }) : null;
  const configured = site === null ? null : await writeSite(site, page);
  const mayDescribe = configured === null && parsed.textChars < TEXT_CHARS_MIN;
  const whole = input.mode === 'raw' ? writeWhole(page, []) : null;
  // Mode `raw` always shows the page's text. It shows the `meta` description only if there is no text at all.
  const described = mayDescribe && (whole === null || whole.main.markdown.length === 0) ? describe(page) : null;
  const { main: shown, rest, explanation } = configured ?? described ?? whole ?? (await writeMain(page));
  const { textChars } = parsed;
  const onward = onwardAddress({ document, textChars, html, base: page.links.base, refresh: input.refresh }, input.url);
  const main = onward === null ? shown : withOnward(shown, page.links.resolve(onward));
  const selfClosed = html.length > given.length ? [SELF_CLOSED_NOTE] : [];
  const byScript =
    described === null
      ? []
      : [
          `The page ${parsed.hasScripts ? 'builds its content with scripts' : textChars > 0 ? 'shows almost no text' : 'shows no text'}. The text below is only the description that the page gives of itself.`,
        ];
  await pause();
  const { cuts, anchors, ...lines } = await joinMainAndRest(main, rest, pause);
  if (pages !== undefined) anchors.set(`page=${pages.first}`, 0);
  return {
    title: configured?.title ?? names.title,
    language,
    ...lines,
    anchors,
    pages,
    laterAnchors,
    extractor: extractorVersion(htmlExtractor),
    cuts: [...parsed.cuts, ...selfClosed, ...byScript, ...cuts],
    explanation: { ...explanation, candidates: [...inVain(site), ...explanation.candidates] },
    siteconfig: configured?.siteconfig,
    needsScripts: site?.needsScripts,
  };
}

type PageInPages = { parsed: ReturnType<typeof parsePage> } & Pick<ExtractedText, 'pages' | 'laterAnchors'>;

async function parseInPages(html: string, { kind, firstPage }: ExtractInput, pause: Pause): Promise<PageInPages> {
  const isXml = kind === 'xhtml';
  const whole = firstPage === undefined ? parsePage(html, isXml) : null;
  if (whole?.isFull === false) return { parsed: whole };
  await pause();
  const { total, source, later } = divideSource(html, isXml);
  if (total === 1) return { parsed: whole ?? parsePage(html, isXml) };
  await pause();
  const first = Math.min(Math.max(1, firstPage ?? 1), total);
  const parsed = parsePage(source(first), isXml, true);
  return { parsed, pages: { first, last: first, total }, laterAnchors: first === 1 ? later : undefined };
}

/** Appends the target of the page's own redirect as a link. The caller decides whether to open it. */
function withOnward(main: MainOrRestMarkdown, url: string | null): MainOrRestMarkdown {
  if (url === null) return main;
  return { ...main, markdown: [...main.markdown, '', `[This page sends its readers on to this address](${url})`] };
}

type Page = {
  input: ExtractInput;
  document: DomDocument;
  links: LinkResolver;
  jsonLd: readonly string[];
  names: PageMetadata;
  pause: Pause;
};

type Written = { main: MainOrRestMarkdown; rest: MainOrRestMarkdown; explanation: ExtractionExplanation };

const EMPTY: MainOrRestMarkdown = { markdown: [], anchors: new Map() };

async function writeMain({ input, document, links, jsonLd, names, pause }: Page): Promise<Written> {
  const { body } = document;
  const traits = readPageTraits(document, jsonLd, input.url, names);
  const { skip, kind, chars, keptChars } = await separateMainContent(document, traits, input.url, pause);
  const candidates = [
    { strategy: 'main content', chars: keptChars },
    { strategy: 'whole page', chars },
  ];
  await pause();
  const parts = divideMainAndRest(body, skip);
  const main = convertDomToMarkdown(body, links, parts.main);
  if (main.markdown.length === 0) return writeWhole({ document, links }, candidates);
  const explanation = { strategy: `main content of ${kind} page`, candidates };
  await pause();
  return { main, rest: convertRestToMarkdown(body, links, parts), explanation };
}

function writeWhole(
  { document, links }: Pick<Page, 'document' | 'links'>,
  candidates: ExtractionExplanation['candidates'],
): Written {
  const main = convertDomToMarkdown(document.body, links, NOTHING);
  return { main, rest: EMPTY, explanation: { strategy: 'whole page', candidates } };
}

/** Writes the content that a site config selects. Returns `null` if none is selected, or if it has no text. */
async function writeSite({ content }: SiteContentResult, { document, links, pause }: Page) {
  if (content === null) return null;
  const { root, unwanted, siteconfig, match } = content;
  // Menus and comments are written first: `apply` changes the page and deletes elements that belong to them.
  const rest = convertRestToMarkdown(document.body, links, divideMainAndRest(root, unwanted));
  await pause();
  const title = content.apply();
  const main = convertDomToMarkdown(root, links, NOTHING);
  if (main.markdown.length === 0) return null;
  const chars = (root.textContent ?? '').replace(/\s+/g, ' ').length;
  const candidates = [{ strategy: `site config ${siteconfig}`, chars }];
  return {
    main,
    rest,
    title,
    siteconfig,
    explanation: { strategy: 'site config', candidates, siteconfigMatch: match },
  };
}

/** Lists site configs that matched the page but selected no text, for the `explain` option. */
function inVain(site: SiteContentResult | null): ExtractionExplanation['candidates'] {
  return site?.inVain.map((siteconfig) => ({ strategy: `site config ${siteconfig}`, chars: 0 })) ?? [];
}

/** Writes the title and description from the page's `meta` tags; `null` if the description is too short. */
function describe({ document, links, names }: Page): Written | null {
  const { title, description } = names;
  if (description.length < TEXT_CHARS_MIN) return null;
  const escape = (text: string) => escapeLineStart(escapeInline(text, PLAIN_CONTEXT));
  const main = title === null ? [escape(description)] : [`# ${escape(title)}`, '', escape(description)];
  const candidates = [{ strategy: 'metadata', chars: description.length }];
  const rest = convertDomToMarkdown(document.body, links, NOTHING);
  return { main: { ...EMPTY, markdown: main }, rest, explanation: { strategy: 'metadata', candidates } };
}

function baseOf(document: DomDocument, url: string): string {
  const href = document.head.querySelector('base[href]')?.getAttribute('href') ?? '';
  const base = href === '' ? null : URL.parse(href, url);
  return base !== null && /^https?:$/.test(base.protocol) ? base.href : url;
}

/** Maximum characters of a page whose scripts are searched for a redirect. Pages that only redirect are small. */
const SMALL_CHARS_MAX = 30_000;
/** Maximum characters of text on a page that only redirects: "You are being redirected" in several languages. */
const TEXT_CHARS_MAX = 300;
const METAS: ReadonlySet<string> = new Set(['meta']);

type ParsedPage = {
  document: DomDocument;
  textChars: number;
  html: string;
  base: string;
  refresh: string | null | undefined;
};

/**
 * Returns the URL to which a page redirects automatically: by the `Refresh` header, by `meta refresh` (HTML §4.2.5.3),
 * or by a script on a page with almost no text. Returns `null` if there is no redirect, if the page only reloads
 * itself, or if the target is not an HTTP URL.
 * @param page.base base URL of the page's links
 * @param url the page's own URL
 */
function onwardAddress({ document, textChars, html, base, refresh: header }: ParsedPage, url: string): string | null {
  const refresh = sentByRefresh(header ?? '', url, url) ?? refreshIn(document.head, base, url);
  if (refresh !== null || textChars > TEXT_CHARS_MAX || html.length > SMALL_CHARS_MAX) return refresh;
  return sentByScript(html, base, url);
}

/** Matches the content of `meta refresh`, such as `5; url='next.html'`. */
const CONTENT = /^\s*(?:\d{1,6})?(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^]*))/i;

function refreshIn(head: DomElement, base: string, page: string): string | null {
  for (const meta of elementsInside(head, METAS)) {
    if (meta.getAttribute('http-equiv')?.trim().toLowerCase() !== 'refresh') continue;
    return sentByRefresh(meta.getAttribute('content') ?? '', base, page);
  }
  return null;
}

function sentByRefresh(content: string, base: string, page: string): string | null {
  const [, ...given] = CONTENT.exec(content) ?? [];
  return addressOf(given.find((one) => one !== undefined)?.trim() ?? '', base, page);
}

function addressOf(target: string, base: string, page: string): string | null {
  if (target === '') return null;
  const address = URL.parse(target, base);
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  const own = URL.parse(page);
  address.hash = '';
  if (own !== null) own.hash = '';
  return own?.href === address.href ? null : address.href;
}

const COMMENT = /<!--[^]*?(?:-->|$)/g;
const SCRIPT = /<script\b([^<>]*)>([^]*?)(?:<\/script|$)/gi;
/** Matches a JavaScript comment, or a string, which may be unclosed. */
const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g;
const MAY_GO = /\blocation\s*(?:\.\s*href\s*)?=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(/;
/**
 * Matches JavaScript that opens another page: `location.href = "0"`. The strings in the code were replaced by numbers.
 */
const GOES = /\blocation ?(?:(?:\. ?href ?)?=(?!=)|\. ?(?:replace|assign) ?\()(?: ?"(\d+)"(?! ?[+.[]))?/g;
function sentByScript(html: string, base: string, page: string): string | null {
  if (!MAY_GO.test(html)) return null;
  let code = '';
  for (const [, attributes = '', source = ''] of html.replace(COMMENT, '').matchAll(SCRIPT)) {
    if (/\bsrc\s*=/i.test(attributes) || /type\s*=\s*["']?(?!text\/javascript|module)[a-z]/i.test(attributes)) continue;
    code += `${source}\n`;
  }
  const strings: string[] = [];
  const plain = code
    .replace(STRING_OR_COMMENT, (text) => (text.startsWith('/') ? ' ' : `"${strings.push(unquoted(text)) - 1}"`))
    .replace(/\s+/g, ' ');
  const targets = [...plain.matchAll(GOES)].map(([, at]) => (at === undefined ? '' : (strings[Number(at)] ?? '')));
  const [target = ''] = targets;
  return targets.every((other) => other === target) ? addressOf(target, base, page) : null;
}

/** Returns the text of a JavaScript string; an empty string if it is unclosed or has an escape other than `\/`. */
function unquoted(literal: string): string {
  if (literal.length < 2 || !literal.endsWith(literal.charAt(0))) return '';
  const text = literal.slice(1, -1).replaceAll('\\/', '/');
  return text.includes('\\') ? '' : text;
}

/** Matches tags of elements whose content is raw text up to their end tag, such as `script`. */
const RAW_TAGS = /<(\/?)(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])([^<>]*)>/gi;
const SELF_CLOSED = /(?:^|[\s"'])\/$/;

export const SELF_CLOSED_NOTE =
  'Browsers hide the text after a tag such as `<iframe/>`, which HTML does not close: it was read.';

/**
 * Adds the end tag after elements closed as in XML, such as `<iframe/>`. HTML ignores that slash (WHATWG §13.1.2.1) and
 * hides all text up to the next `</iframe>`. Elements with their own end tag stay unchanged. Linear time.
 */
export function closeSelfClosedTags(html: string): string {
  let closed = '';
  let from = 0;
  /** For each tag name, the end of the last self-closed tag after which no end tag was found yet. */
  const open = new Map<string, number>();
  const ends: { at: number; name: string }[] = [];
  for (const { 0: tag, 1: slash, 2: written = '', 3: attributes = '', index } of html.matchAll(RAW_TAGS)) {
    const name = written.toLowerCase();
    const at = open.get(name);
    open.delete(name);
    if (slash === '/') continue;
    if (at !== undefined) ends.push({ at, name });
    if (SELF_CLOSED.test(attributes)) open.set(name, index + tag.length);
  }
  for (const [name, at] of open) ends.push({ at, name });
  for (const { at, name } of ends.toSorted((a, b) => a.at - b.at)) {
    closed += `${html.slice(from, at)}</${name}>`;
    from = at;
  }
  return closed + html.slice(from);
}
