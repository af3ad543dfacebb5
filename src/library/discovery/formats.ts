import { withoutFragment } from '#core/text/text.ts';
import { decodeXML } from 'entities/decode';
import type { WorkSteps } from '#core/flow/turns.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import { sanitizeText } from '#core/text/plain.ts';

/** A page listed in a file. `names`: search terms that the page defines exactly, such as functions. */
export type DiscoveredPage = { url: string; lastModified?: string | undefined; names?: string[] | undefined };

/** Maximum URLs in one file. Sitemaps may have 50,000. */
const ENTRIES_MAX = 1_000_000;
const LINE_CHARS_MAX = 4_096;
/** Fixed cost of a line, a tag or a URL (some 6 µs), in characters of text that could be read in the same time. */
const LINE_COST = 20;

/** Reads the links of llms.txt in order. Links below `Optional` come last (llmstxt.org). */
export function* readLlmsText(text: string, base: string): WorkSteps<DiscoveredPage[]> {
  const main: DiscoveredPage[] = [];
  const optional: DiscoveredPage[] = [];
  let isOptional = false;
  for (const line of linesOf(text)) {
    yield LINE_COST + line.length;
    if (line.startsWith('#')) isOptional = /^#{1,6}\s+optional\s*$/i.test(line);
    const address = /^\s*[-*+]\s+\[[^\]]{0,1000}\]\(\s*<?([^\s()<>]+)/.exec(line)?.[1];
    const url = address === undefined ? null : URL.parse(address, base);
    if (url !== null) (isOptional ? optional : main).push({ url: pageOfTwin(url.href) });
  }
  return [...main, ...optional];
}

/**
 * Returns the HTML page of a Markdown version such as `guide.html.md` or `guide/index.html.md`. llms.txt often lists
 * such versions.
 */
function pageOfTwin(url: string): string {
  return url.replace(/(\.html?)\.md(?=$|[?#])/i, '$1');
}

/** Returns the sitemaps that robots.txt lists. They may be anywhere in the file (sitemaps.org). */
export function sitemapsOfRobots(text: string, base: string): string[] {
  const found: string[] = [];
  for (const line of linesOf(text)) {
    const address = /^\s*sitemap\s*:\s*(\S+)/i.exec(line)?.[1];
    const url = address === undefined ? null : URL.parse(address, base);
    if (url !== null) found.push(url.href);
  }
  return found;
}

type Sitemap = { pages: DiscoveredPage[]; sitemaps: string[]; total: number; isCut: boolean };

/** A tag of a sitemap, or the beginning of a comment. Longer tags are not part of the format. */
const SITEMAP_TAG = /<!--|<(\/?)(?:[\w.-]{1,20}:)?(url|sitemap|loc|lastmod)(?:\s[^<>]{0,300})?>/gi;
/** Tags for pictures and videos of a page. Their `loc` is not a page. */
const OTHER_PREFIX = /^<\/?(?:image|video|news|xhtml):/i;

type Most = { pages: number; sitemaps: number };

/** Reads a sitemap, a sitemap index, or a list with one URL per line. Entries beyond `most` are only counted. */
export function* readSitemap(text: string, base: string, most: Most): WorkSteps<Sitemap> {
  if (!/^[\s\ufeff]*</.test(text.slice(0, 1000))) return yield* readAddressList(text, base, most.pages);
  const read: Sitemap = { pages: [], sitemaps: [], total: 0, isCut: false };
  const entry = { loc: '', lastmod: '' };
  /** Index where the value of the open tag begins; `null` outside a tag. */
  let from: number | null = null;
  let at = 0;
  SITEMAP_TAG.lastIndex = 0;
  for (let tag = SITEMAP_TAG.exec(text); tag !== null; tag = SITEMAP_TAG.exec(text)) {
    const [whole, slash = '', name = ''] = tag;
    const { lastIndex } = SITEMAP_TAG;
    // The regular expression is shared: during the pause, another reader may change its `lastIndex`, so it is restored.
    yield LINE_COST + lastIndex - at;
    at = SITEMAP_TAG.lastIndex = lastIndex;
    if (whole === '<!--') {
      const end = text.indexOf('-->', tag.index);
      if (end < 0) break;
      SITEMAP_TAG.lastIndex = end;
    } else if (!OTHER_PREFIX.test(whole)) {
      const part = name.toLowerCase();
      if (slash === '') from = SITEMAP_TAG.lastIndex;
      else if (part === 'loc' || part === 'lastmod') {
        if (from !== null) entry[part] = valueOf(text, from, tag.index);
        from = null;
      } else if (read.total >= ENTRIES_MAX) return { ...read, isCut: true };
      else takeEntry(read, part, entry, base, most);
    }
  }
  return read;
}

function takeEntry(
  read: Sitemap,
  part: string,
  entry: { loc: string; lastmod: string },
  base: string,
  most: Most,
): void {
  read.total += 1;
  const isWanted = part === 'sitemap' ? read.sitemaps.length < most.sitemaps : read.pages.length < most.pages;
  const url = isWanted && entry.loc !== '' ? URL.parse(entry.loc, base) : null;
  const time = Date.parse(entry.lastmod);
  if (url !== null && part === 'sitemap') read.sitemaps.push(url.href);
  else if (url !== null)
    read.pages.push({ url: url.href, ...(Number.isNaN(time) ? {} : { lastModified: new Date(time).toISOString() }) });
  entry.loc = entry.lastmod = '';
}

function valueOf(text: string, from: number, to: number): string {
  if (to - from > LINE_CHARS_MAX) return '';
  const value = text.slice(from, to).trim();
  const data = /^<!\[CDATA\[(.*)\]\]>$/s.exec(value)?.[1];
  return data?.trim() ?? decodeXML(value);
}

function* readAddressList(text: string, base: string, pagesMax: number): WorkSteps<Sitemap> {
  const read: Sitemap = { pages: [], sitemaps: [], total: 0, isCut: false };
  for (const line of linesOf(text)) {
    yield LINE_COST + line.length;
    const url = /^https?:/i.test(line) ? URL.parse(line.trim(), base) : null;
    if (url === null) continue;
    read.total += 1;
    if (read.pages.length < pagesMax) read.pages.push({ url: url.href });
    if (read.total >= ENTRIES_MAX) return { ...read, isCut: true };
  }
  return read;
}

/** Maximum names stored per page. The reference page of a large module has some hundred. */
const NAMES_OF_PAGE_MAX = 2_000;
const NAME_CHARS_MAX = 200;
const INVENTORY_NAME_CHARS_MAX = 1_000;
const INVENTORY = /^# Sphinx inventory version 2\n# Project: [^\n]*\n# Version: [^\n]*\n# [^\n]*zlib[^\n]*\n/;
const INVENTORY_HEAD_BYTES_MAX = 4_096;

/** `left`: number of pages beyond the limit. */
type Inventory = { pages: DiscoveredPage[]; left: number };

/** The zlib data of a Sphinx `objects.inv`, version 2; `null` for another file. */
export function inventoryZlibData(bytes: Uint8Array): Uint8Array | null {
  const head = INVENTORY.exec(new TextDecoder('latin1').decode(bytes.subarray(0, INVENTORY_HEAD_BYTES_MAX)))?.[0];
  return head === undefined ? null : bytes.subarray(head.length);
}

/** Reads a Sphinx inventory. @param unpacked the unpacked data of an `objects.inv` */
export function* readSphinxInventory(unpacked: Uint8Array, base: string, pagesMax: number): WorkSteps<Inventory> {
  yield unpacked.length / BYTES_PER_CHARACTER_UNPACKED;
  const pages = new Map<string, string[]>();
  let left = 0;
  for (const line of linesOf(new TextDecoder().decode(unpacked))) {
    yield LINE_COST + line.length;
    const entry = inventoryEntry(line);
    if (entry === null) continue;
    const { name, uri } = entry;
    const url = URL.parse(withoutFragment(uri.endsWith('$') ? uri.slice(0, -1) + name : uri), base);
    if (url === null) continue;
    const names = pages.get(url.href) ?? [];
    if (names.length === 0 && pages.size >= pagesMax) {
      left += 1;
      continue;
    }
    const plain = sanitizeText(name).replace(/\s+/g, ' ').trim();
    if (plain !== '' && names.length < NAMES_OF_PAGE_MAX) names.push(plain.slice(0, NAME_CHARS_MAX));
    pages.set(url.href, names);
  }
  return { pages: [...pages].map(([url, names]) => ({ url, names })), left };
}

/** Bytes that can be unpacked in the time of reading one character of text. */
const BYTES_PER_CHARACTER_UNPACKED = 50;

const ROLE = /^[^\s:]+:\S+$/;
const PRIORITY = /^-?\d{1,3}$/;

/** Parses `name domain:role priority uri dispname` (sphobjinv.readthedocs.io). A name may contain spaces. */
function inventoryEntry(line: string): { name: string; uri: string } | null {
  const words = [...line.matchAll(/\S+/g)];
  const role = words.findIndex(
    ([word], at) => at > 0 && ROLE.test(word) && PRIORITY.test(words[at + 1]?.[0] ?? '') && at + 2 < words.length,
  );
  const name = line.slice(0, words[role]?.index ?? 0).trimEnd();
  if (role < 0 || name.length > INVENTORY_NAME_CHARS_MAX) return null;
  return { name, uri: role + 3 < words.length ? (words[role + 2]?.[0] ?? '') : '' };
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
 * Reads the URLs in a search index for the browser: MkDocs (`{docs: [{location}]}`), Docusaurus and lunr (`[{documents:
 * [{u}]}]`), mdBook (`{doc_urls}`), Just the Docs (`{"0": {url}}`). The index's texts are not used.
 */
export function* readSearchIndex(
  text: string,
  base: string,
  pagesMax: number,
): WorkSteps<{ pages: DiscoveredPage[]; left: number }> {
  yield text.length / CHARS_PARSED_PER_CHARACTER;
  const root = parseJson(jsonOf(text));
  const written = new Set<string>();
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && written.size < ENTRIES_MAX; next = waiting.pop()) {
    yield LINE_COST;
    const { value, depth } = next;
    if (depth > INDEX_DEPTH_MAX) continue;
    if (Array.isArray(value)) for (const one of value.toReversed()) push(one, depth, waiting);
    if (!isJsonObject(value)) continue;
    for (const [key, member] of Object.entries(value).toReversed()) {
      if (ADDRESS_KEYS.has(key)) takeAddress(member, written);
      else if (ADDRESS_LISTS.has(key) && Array.isArray(member)) for (const one of member) takeAddress(one, written);
      else push(member, depth, waiting);
    }
  }
  return yield* pagesAt(written, base, pagesMax);
}

/** Characters of JSON that can be parsed in the time of reading one character of text. */
const CHARS_PARSED_PER_CHARACTER = 20;

function takeAddress(address: unknown, written: Set<string>): void {
  if (typeof address === 'string' && address.length <= LINE_CHARS_MAX && !/\s/.test(address))
    written.add(withoutFragment(address));
}

function* pagesAt(
  written: ReadonlySet<string>,
  base: string,
  pagesMax: number,
): WorkSteps<{ pages: DiscoveredPage[]; left: number }> {
  const found = new Set<string>();
  let looked = 0;
  for (const address of written) {
    if (found.size >= pagesMax) break;
    yield LINE_COST + address.length;
    looked += 1;
    const url = URL.parse(address, base);
    if (url !== null) found.add(url.href);
  }
  return { pages: [...found].map((url) => ({ url })), left: written.size - looked };
}

function push(value: unknown, depth: number, waiting: { value: unknown; depth: number }[]): void {
  if (typeof value === 'object' && value !== null) waiting.push({ value, depth: depth + 1 });
}

/** Extracts the JSON of mdBook's script: `window.search = JSON.parse('…')` or `Object.assign(window.search, {…});`. */
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
