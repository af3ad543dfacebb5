import { MIB } from '#core/limits.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import { toPlain } from '#core/text/plain.ts';
import { inflate } from './inflate.ts';

/** A page that a file names. `names`: exact search terms that it defines. */
export type Named = { url: string; lastModified?: string | undefined; names?: string[] | undefined };

/** Addresses that one file may name: what the format of sitemaps allows is 50,000 a file. */
const ENTRIES_MAX = 1_000_000;
const LINE_CHARS_MAX = 4_096;

/** llms.txt: links of its lists, in order; those below `Optional` last (llmstxt.org). */
export function readLlmsText(text: string, base: string): Named[] {
  const main: Named[] = [];
  const optional: Named[] = [];
  let isOptional = false;
  for (const line of linesOf(text)) {
    if (line.startsWith('#')) isOptional = /^#{1,6}\s+optional\s*$/i.test(line);
    const address = /^\s*[-*+]\s+\[[^\]]{0,1000}\]\(\s*<?([^\s()<>]+)/.exec(line)?.[1];
    const url = address === undefined ? null : URL.parse(address, base);
    if (url !== null) (isOptional ? optional : main).push({ url: pageOfTwin(url.href) });
  }
  return [...main, ...optional];
}

/** Many name the Markdown twin of a page, `guide.html.md` or `guide/index.html.md`. */
function pageOfTwin(url: string): string {
  return url.replace(/(\.html?)\.md(?=$|[?#])/i, '$1');
}

/** The sitemaps that robots.txt names, wherever they stand in it (sitemaps.org). */
export function sitemapsOfRobots(text: string, base: string): string[] {
  const found: string[] = [];
  for (const line of linesOf(text)) {
    const address = /^\s*sitemap\s*:\s*(\S+)/i.exec(line)?.[1];
    const url = address === undefined ? null : URL.parse(address, base);
    if (url !== null) found.push(url.href);
  }
  return found;
}

type Sitemap = { pages: Named[]; sitemaps: string[]; total: number; isCut: boolean };

/** A tag of a sitemap, or a comment. What is longer is none of its tags. */
const SITEMAP_TAG = /<!--|<(\/?)(?:[\w.-]{1,20}:)?(url|sitemap|loc|lastmod)(?:\s[^<>]{0,300})?>/gi;
/** Pictures and videos of a page have a `loc` of their own, with a prefix. */
const OTHER_PREFIX = /^<\/?(?:image|video|news|xhtml):/i;

/** A sitemap, an index of sitemaps, or a text file with an address a line. Reads `pagesMax` pages and counts the others. */
export function readSitemap(text: string, base: string, pagesMax: number): Sitemap {
  if (!/^[\s\ufeff]*</.test(text.slice(0, 1000))) return readAddressList(text, base, pagesMax);
  const read: Sitemap = { pages: [], sitemaps: [], total: 0, isCut: false };
  const entry = { loc: '', lastmod: '' };
  let from = 0;
  SITEMAP_TAG.lastIndex = 0;
  for (let tag = SITEMAP_TAG.exec(text); tag !== null; tag = SITEMAP_TAG.exec(text)) {
    const [whole, slash = '', name = ''] = tag;
    if (whole === '<!--') {
      const end = text.indexOf('-->', tag.index);
      if (end < 0) break;
      SITEMAP_TAG.lastIndex = end;
    } else if (!OTHER_PREFIX.test(whole)) {
      const part = name.toLowerCase();
      if (slash === '') from = SITEMAP_TAG.lastIndex;
      else if (part === 'loc') entry.loc = valueOf(text, from, tag.index);
      else if (part === 'lastmod') entry.lastmod = valueOf(text, from, tag.index);
      else if (read.total >= ENTRIES_MAX) return { ...read, isCut: true };
      else takeEntry(read, part, entry, { base, pagesMax });
    }
  }
  return read;
}

function takeEntry(
  read: Sitemap,
  part: string,
  entry: { loc: string; lastmod: string },
  { base, pagesMax }: { base: string; pagesMax: number },
): void {
  read.total += 1;
  const isWanted = part === 'sitemap' || read.pages.length < pagesMax;
  const url = isWanted && entry.loc !== '' ? URL.parse(entry.loc, base) : null;
  const time = Date.parse(entry.lastmod);
  if (url !== null && part === 'sitemap') read.sitemaps.push(url.href);
  else if (url !== null)
    read.pages.push({ url: url.href, ...(Number.isNaN(time) ? {} : { lastModified: new Date(time).toISOString() }) });
  entry.loc = entry.lastmod = '';
}

const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi;
const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

function valueOf(text: string, from: number, to: number): string {
  if (to - from > LINE_CHARS_MAX) return '';
  const value = text.slice(from, to).trim();
  const data = /^<!\[CDATA\[(.*)\]\]>$/s.exec(value)?.[1];
  return data?.trim() ?? value.replace(ENTITY, (entity) => ENTITIES.get(entity.toLowerCase()) ?? numbered(entity));
}

function numbered(entity: string): string {
  const digits = entity.slice(2, -1);
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function readAddressList(text: string, base: string, pagesMax: number): Sitemap {
  const read: Sitemap = { pages: [], sitemaps: [], total: 0, isCut: false };
  for (const line of linesOf(text)) {
    const url = /^https?:/i.test(line) ? URL.parse(line.trim(), base) : null;
    if (url === null) continue;
    read.total += 1;
    if (read.pages.length < pagesMax) read.pages.push({ url: url.href });
    if (read.total >= ENTRIES_MAX) return { ...read, isCut: true };
  }
  return read;
}

const INVENTORY_BYTES_MAX = 24 * MIB;
/** Names of one page that are kept: the reference of a large module has some hundred. */
const NAMES_OF_PAGE_MAX = 2_000;
const NAME_CHARS_MAX = 200;
const INVENTORY = /^# Sphinx inventory version 2\n# Project: [^\n]*\n# Version: [^\n]*\n# [^\n]*zlib[^\n]*\n/;
const INVENTORY_HEAD_BYTES_MAX = 4_096;
/** `name domain:role priority uri dispname` (sphobjinv.readthedocs.io). A name may hold blanks. */
const INVENTORY_LINE = /^(.{1,1000}?)\s+(\S{1,100}:\S{1,100})\s+(-?\d{1,3})\s+(\S{0,2000})\s+(.*)$/;

type Inventory = { pages: Named[]; isCut: boolean };

/** Sphinx `objects.inv`, version 2. `null` for anything else. */
export function readInventory(bytes: Uint8Array, base: string): Inventory | null {
  const head = INVENTORY.exec(new TextDecoder('latin1').decode(bytes.subarray(0, INVENTORY_HEAD_BYTES_MAX)))?.[0];
  if (head === undefined) return null;
  const { bytes: unpacked, isCut } = inflate(bytes.subarray(head.length), 'zlib', INVENTORY_BYTES_MAX);
  const pages = new Map<string, string[]>();
  for (const line of linesOf(new TextDecoder().decode(unpacked))) {
    const [, name = '', , , uri = ''] = INVENTORY_LINE.exec(line) ?? [];
    const address = uri.endsWith('$') ? uri.slice(0, -1) + name : uri;
    const url = name === '' ? null : URL.parse(address, base);
    if (url === null) continue;
    url.hash = '';
    const names = pages.get(url.href) ?? [];
    const plain = toPlain(name).replace(/\s+/g, ' ').trim();
    if (plain !== '' && names.length < NAMES_OF_PAGE_MAX) names.push(plain.slice(0, NAME_CHARS_MAX));
    pages.set(url.href, names);
  }
  return { pages: [...pages].map(([url, names]) => ({ url, names })), isCut };
}

const INDEX_DEPTH_MAX = 6;
const ADDRESS_KEYS: ReadonlySet<string> = new Set([
  'location',
  'url',
  'u',
  'href',
  'permalink',
  'route',
  'path',
  'loc',
]);
const ADDRESS_LISTS: ReadonlySet<string> = new Set(['doc_urls', 'urls', 'filenames']);

/**
 * The addresses in the index of a search that runs in the browser: MkDocs (`{docs: [{location}]}`), Docusaurus and lunr
 * (`[{documents: [{u}]}]`), mdBook (`{doc_urls}`), Just the Docs (`{"0": {url}}`). Their texts are not used.
 */
export function readSearchIndex(text: string, base: string): Named[] {
  const root = parseJson(jsonOf(text));
  const found = new Set<string>();
  const take = (address: unknown) => {
    if (typeof address !== 'string' || address.length > LINE_CHARS_MAX || /\s/.test(address)) return;
    const url = URL.parse(address, base);
    if (url === null) return;
    url.hash = '';
    found.add(url.href);
  };
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && found.size < ENTRIES_MAX; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > INDEX_DEPTH_MAX) continue;
    if (Array.isArray(value)) for (const one of value.toReversed()) push(one, depth, waiting);
    if (!isJsonObject(value)) continue;
    for (const [key, member] of Object.entries(value).toReversed()) {
      if (ADDRESS_KEYS.has(key)) take(member);
      else if (ADDRESS_LISTS.has(key) && Array.isArray(member)) member.forEach(take);
      else push(member, depth, waiting);
    }
  }
  return [...found].map((url) => ({ url }));
}

function push(value: unknown, depth: number, waiting: { value: unknown; depth: number }[]): void {
  if (typeof value === 'object' && value !== null) waiting.push({ value, depth: depth + 1 });
}

/** mdBook wraps its index into a script: `window.search = JSON.parse('…')` or `Object.assign(window.search, {…});`. */
function jsonOf(text: string): string {
  const from = text.search(/[[{]/);
  if (from <= 0) return text;
  return text.slice(from, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1);
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end;
    const line = text.slice(at, Math.min(next, at + LINE_CHARS_MAX));
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    at = next + 1;
  }
}
