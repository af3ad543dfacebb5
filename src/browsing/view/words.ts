import { sanitizeText } from '#core/text/plain.ts';
import { VIEW_URL_CHARS_MAX } from './limits.ts';
import { oneLine, trimEndMatching } from '#core/text/text.ts';

const REF_LIKE = /@e(?=\d)/g;
/** White space and private-use characters. The latter are icons in a page's own font and meaningless in text. */
const PRIVATE_OR_SPACE = /[\s\p{Co}]+/gu;

/** Page text on one line, without invisible characters. Text that looks like a ref (`@e5`) is escaped. */
export function sanitizePageText(text: string, maxChars: number): string {
  for (let chars = CLEANED_FACTOR * (maxChars + BORDER_CHARS); chars < text.length; chars *= CLEANED_FACTOR) {
    const words = sanitizeInlineText(text.slice(0, chars));
    if (words.length > maxChars + BORDER_CHARS) return oneLine(words, maxChars);
  }
  return oneLine(sanitizeInlineText(text), maxChars);
}

/**
 * A long text is cleaned from its beginning until enough is left to show: cleaning 8 million characters takes a second.
 */
const CLEANED_FACTOR = 4;
/** Characters at the end of a cut text that the text after them could change, such as a part of a joined emoji. */
const BORDER_CHARS = 100;

/** Cleans page text inside a sentence. White space at either end becomes one space, to separate the words. */
export function sanitizeInlineText(text: string): string {
  return sanitizeText(text).replace(PRIVATE_OR_SPACE, ' ').replace(REF_LIKE, '\\@e');
}

/** Page text in double quotes. Quotes inside it become single quotes, so that page text cannot end the quotation. */
export function quotePageText(text: string, maxChars: number): string {
  return `"${sanitizePageText(text, maxChars).replaceAll('"', "'")}"`;
}

/** A field's value in quotes, including leading and trailing spaces, which are part of the value. */
export function quoteFieldValue(text: string, maxChars: number): string {
  const words = sanitizePageText(text, maxChars).replaceAll('"', "'");
  const [before = ''] = /^ */u.exec(text) ?? [];
  const after = words === '' || words.endsWith('…') ? '' : text.slice(trimEndMatching(text, / /).length);
  return `"${before.slice(0, maxChars)}${words}${after.slice(0, maxChars)}"`;
}

/** Normal form for comparing texts: Unicode NFKC, lower case, single spaces. */
export function toComparableText(text: string): string {
  return toCasedText(text).toLowerCase();
}

/** Comparable form of a text that keeps upper and lower case. */
export function toCasedText(text: string): string {
  return sanitizeText(text).normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}

const QUERY_CHARS_MAX = 24;
const WORD = /[\p{L}\p{N}]{3,}/gu;

/**
 * A link's address, as short as possible: a path on the page's own origin, no scheme for https, and `…` for long
 * queries and for slugs that repeat the link's words. `''` if only such a slug is left, and for other schemes, except
 * `mailto:` and `tel:`.
 */
export function shortUrl(href: string, base: string, name: string): string {
  const url = URL.parse(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return contactUrl(href);
  const page = URL.parse(base);
  if (page !== null && url.origin === page.origin) {
    if (url.pathname === page.pathname && url.search === page.search && url.hash !== '') return cut(url.hash);
    return cut(shortPath(url, name));
  }
  const host = url.protocol === 'https:' ? url.host : url.origin;
  const path = shortPath(url, name);
  return cut(path === '/' ? host : host + path);
}

/**
 * The address of a link whose short form is not unique: its path, and the query parts in which it differs.
 * @param meant all addresses with this short form
 */
export function distinguishingUrl(href: string, base: string, meant: Iterable<string>): string {
  const url = URL.parse(href, base);
  if (url === null) return '';
  const others: ReadonlySet<string>[] = [];
  for (const other of meant) {
    if (others.length >= ALIKE_COMPARED_MAX) break;
    others.push(new Set(partsOf(URL.parse(other, base))));
  }
  const parts = partsOf(url).filter((part) => !others.every((set) => set.has(part)));
  const page = URL.parse(base);
  const origin = url.origin === page?.origin ? '' : url.protocol === 'https:' ? url.host : url.origin;
  const isWhole = parts.length === partsOf(url).length;
  return cut(`${origin}${readable(url.pathname)}?${isWhole ? '' : '…'}${parts.join('&')}`, URL_TELLING_CHARS_MAX);
}

function partsOf(url: URL | null): string[] {
  return url === null || url.search === '' ? [] : readable(url.search.slice(1)).split('&');
}

/** Maximum addresses compared with a link's address: a few are enough to find the query parts that all share. */
const ALIKE_COMPARED_MAX = 20;
const URL_TELLING_CHARS_MAX = 120;

function contactUrl(href: string): string {
  return /^(?:mailto|tel):/i.test(href) ? cut(href) : '';
}

function shortPath(url: URL, name: string): string {
  const path = withoutEcho(readable(url.pathname), name);
  if (path === '') return '';
  return path + (url.search.length > QUERY_CHARS_MAX ? '?…' : url.search);
}

function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Omits a slug that repeats the name: `/news/2026/the-cat-sat-down` → `/news/2026/…`; `''` if nothing is left. */
function withoutEcho(path: string, name: string): string {
  const at = path.lastIndexOf('/', path.length - 2);
  const slug = path.slice(at + 1);
  const words = slug.toLowerCase().match(WORD) ?? [];
  if (words.length < 2) return path;
  const said = new Set(name.toLowerCase().match(WORD) ?? []);
  const echoed = words.filter((word) => said.has(word)).length;
  if (echoed * 2 < words.length) return path;
  return at === 0 ? '' : `${path.slice(0, at + 1)}…`;
}

function cut(address: string, maxChars = VIEW_URL_CHARS_MAX): string {
  return sanitizePageText(address, maxChars).replaceAll(' ', '%20');
}
