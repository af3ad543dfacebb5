import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { elementsInside } from './tree.ts';
import type { DomDocument, DomElement } from './tree.ts';
import { parseHtmlTree } from './build-tree.ts';

const TITLES = new Set(['h1']);
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;
const LAST_SEPARATOR = /\s(?:[|·•—–»›:-]|::)(?=\s)/g;
const SITE_SEPARATOR = /\s(?:[|·•—–»›:-]|::|<|>|\/)\s/g;

/**
 * Returns `og:title` or `twitter:title`, or else the `title` element, or else the first `h1`, without the name of the
 * site.
 */
function titleOf(document: DomDocument): string | null {
  const shared = metaContent(document, ['og:title', 'twitter:title']);
  const tag = clean(document.head.querySelector('title')?.textContent ?? '');
  const headings = [...elementsInside(document.documentElement, TITLES)];
  const heading = headings.length === 1 ? clean(headings[0]?.textContent ?? '') : '';
  const given = shared === '' ? tag : shared;
  if (given === '') return heading === '' ? clean(headings[0]?.textContent ?? '') || null : heading;
  return withoutSiteName(given, heading, metaContent(document, ['og:site_name']));
}

/** Returns the language that the page declares, such as `en-GB`; `null` if it declares none or an invalid one. */
export function declaredLanguage(document: DomDocument): string | null {
  const root = document.documentElement;
  const declared = root.getAttribute('lang') ?? root.getAttribute('xml:lang') ?? '';
  const meta = declared === '' ? metaContent(document, ['content-language', 'og:locale']) : declared;
  const tag = meta.trim().replaceAll('_', '-');
  return LANGUAGE.test(tag) ? tag : null;
}

function metaContent(document: DomDocument, names: readonly string[]): string {
  for (const wanted of names) {
    for (const meta of document.head.querySelectorAll('meta')) {
      const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('http-equiv') ?? '';
      if (name.toLowerCase() !== wanted) continue;
      const content = clean(meta.getAttribute('content') ?? '');
      if (content !== '') return content;
    }
  }
  return '';
}

/** Removes the site's name, as in "Prices | Acme". The page's heading or `og:site_name` shows which part it is. */
function withoutSiteName(title: string, heading: string, site: string): string {
  const pieces = title.split(SITE_SEPARATOR).map((piece) => piece.trim());
  if (pieces.length < 2) return title;
  const lower = heading.toLowerCase();
  if (heading !== '' && title.toLowerCase() !== lower) {
    if (title.toLowerCase().startsWith(lower) || title.toLowerCase().endsWith(lower)) return heading;
  }
  if (site === '') return title;
  const isSite = (piece: string | undefined) => piece?.toLowerCase() === site.toLowerCase();
  const last = [...title.matchAll(LAST_SEPARATOR)].at(-1)?.index ?? -1;
  if (isSite(pieces.at(-1)) && last > 0) return title.slice(0, last).trim();
  return title;
}

function clean(raw: string): string {
  return oneLine(raw, TITLE_CHARS_MAX);
}

export type PageMetadata = { title: string | null; description: string; ogType: string };

export function metadataOf(document: DomDocument): PageMetadata {
  return {
    title: titleOf(document),
    description: metaContent(document, ['og:description', 'description']),
    ogType: metaContent(document, ['og:type']),
  };
}

type Head = { links: readonly DomElement[]; metas: readonly DomElement[]; base: string | null };

/**
 * Reads `link`, `meta` and `base` of a page's head. Those inside comments, scripts, `noscript` or `template` do not
 * count. Linear time; parsing stops at the end of the head. @param xml true for XHTML
 */
export function readHead(html: string, xml: boolean): Head {
  const { head } = parseHtmlTree({ html, xml, scripting: true, isHeadOnly: true }).document;
  const named = (name: string) => head.children.filter(({ localName }) => localName === name);
  const base = head.children.find((element) => element.localName === 'base' && element.hasAttribute('href'));
  return { links: named('link'), metas: named('meta'), base: base?.getAttribute('href') ?? null };
}

const DIRECTIVES_MAX = 20;
const DIRECTIVE_CHARS_MAX = 60;

/** Returns the page's directives for crawlers, such as `noindex`, and its canonical URL if that has the same host. */
export function readCrawlerDirectives(
  html: string,
  { xml, url, productToken }: { xml: boolean; url: string; productToken: string },
): { directives: string[]; canonical: string | null } {
  if (!/\b(?:robots|canonical)\b/i.test(html) && !html.toLowerCase().includes(productToken.toLowerCase()))
    return { directives: [], canonical: null };
  const { links, metas, base } = readHead(html, xml);
  const names = new Set(['robots', productToken.toLowerCase()]);
  const directives = metas
    .filter((meta) => names.has((meta.getAttribute('name') ?? '').trim().toLowerCase()))
    .flatMap((meta) => (meta.getAttribute('content') ?? '').slice(0, 1000).toLowerCase().split(','))
    .map((directive) => directive.trim().slice(0, DIRECTIVE_CHARS_MAX))
    .filter((directive) => directive !== '');
  const link = links.find((one) => (one.getAttribute('rel') ?? '').trim().toLowerCase() === 'canonical');
  const page = new URL(url);
  const canonical = URL.parse(link?.getAttribute('href') ?? '', URL.parse(base ?? '', url)?.href ?? url);
  const isOwn = link !== undefined && canonical?.host === page.host && /^https?:$/.test(canonical.protocol);
  if (isOwn) canonical.hash = '';
  return { directives: [...new Set(directives)].slice(0, DIRECTIVES_MAX), canonical: isOwn ? canonical.href : null };
}
