import { runWithPauses } from '#core/flow/turns.ts';
import type { Pause, WorkSteps } from '#core/flow/turns.ts';
import { MIB } from '#core/limits.ts';
import { feedEntryLinks } from '#extract/feed/feed-extractor.ts';
import { readHead } from '#extract/html/page-metadata.ts';
import { isGzip, decompress } from '#net/fetch/read-body.ts';
import {
  inventoryZlibData,
  readSphinxInventory,
  readLlmsText,
  readSearchIndex,
  readSitemap,
  sitemapsOfRobots,
} from './formats.ts';
import type { DiscoveredPage } from './formats.ts';
import {
  URL_CHECK_COST_CHARS,
  describeBeyondPagesMax,
  NewPageFilter,
  OmittedPagesCounter,
  OMISSION_REASONS,
  findFollowRefusal,
  toPageKey,
} from './links.ts';
import type { OmittedPagesCount } from './links.ts';

type Way = 'llms.txt' | 'sitemap' | 'objects.inv' | 'search index' | 'feed' | 'links';

/** A page to follow. */
type Found = {
  url: string;
  /** Where the page was found. */
  via: Way;
  lastModified?: string;
  /** Search terms that the page defines, such as functions. */
  names?: readonly string[];
};

/** A file of the site. `url`: its URL after redirects. `absent`: the site responded 404 or 410. */
type Fetched = { url: string; bytes: Uint8Array } | { missing: 'absent' | 'disallowed' | 'failed' | 'too large' };

export type DiscoverPorts = {
  /** Fetches a file of the site, after the address gate and robots.txt, within the host's rate limit. */
  fetch: (url: string, bytesMax: number) => Promise<Fetched>;
  rules: (origin: string) => Promise<RobotsRules>;
  inTurn: <T>(work: (pause: Pause) => Promise<T>) => Promise<T>;
  signal: AbortSignal;
};

/** Decision of robots.txt for a path. `bytes`: length of the compared rules, as a measure of the work. */
type RobotsRules = (path: string) => { isAllowed: boolean; bytes: number };

/** `pages`: the start page first, then the pages of the best list first. */
type Discovered = { pages: Found[]; ways: { via: Way; count: number }[]; leftOut: OmittedPagesCount[] };

const FILE_BYTES_MAX = 8 * MIB;
/** Maximum unpacked size of a sitemap. The format allows 50 MB, but an isolate has 128 MB in total. */
const SITEMAP_BYTES_MAX = 24 * MIB;
const INVENTORY_BYTES_MAX = 24 * MIB;
/** Maximum sitemaps read per site. Each is an index or has up to 50,000 URLs. */
const SITEMAPS_MAX = 20;
const SITEMAP_DEPTH_MAX = 3;
const FEEDS_MAX = 2;
/** Maximum sitemaps taken from one index. Further ones are only counted. */
const SITEMAPS_OF_INDEX_MAX = 1_000;
/** Number of URLs checked per wanted page. Many URLs may be disallowed by robots.txt or outside the prefix. */
const LOOKED_AT_PER_PAGE = 100;
const LOOKED_AT_MIN = 10_000;
/** Bytes of robots.txt that are checked in the time of reading one character of a file. */
const ROBOTS_BYTES_PER_CHARACTER = 30;
/** Maximum bytes of robots.txt checked per site. */
const ROBOTS_BYTES_MAX = 200_000_000;

/**
 * Finds the pages of a site in the site's own lists: llms.txt, sitemaps, Sphinx inventories, search indexes for the
 * browser, and feeds. The caller finds further pages by links (`linksInsideSite`).
 */
export async function discoverSitePages(ports: DiscoverPorts, asked: Asked): Promise<Discovered> {
  const search = new Search(ports, asked);
  const front = await search.text(asked.start);
  const pages = [{ url: asked.start }];
  await search.take('links', pages);
  const folders = foldersOf(front?.url ?? asked.start, asked);
  for (const [via, read] of WAYS) {
    await search.take(via, await read(search, { ...asked, folders, front: front?.text ?? null }));
  }
  return search.result();
}

type Place = { start: string; prefix: string; maxPages: number; folders: readonly string[]; front: string | null };

/** Folders that may have files such as sitemap.xml: those of the start page and the prefix, and the root. */
function foldersOf(front: string, { start, prefix }: { start: string; prefix: string }): string[] {
  const { origin } = new URL(start);
  const near = [front, start, prefix.endsWith('/') ? prefix : `${prefix}/`].map((url) => new URL('.', url).href);
  return [...new Set([...near, `${origin}/`])].filter((url) => url.startsWith(`${origin}/`));
}

type Read = (search: Search, place: Place) => Promise<DiscoveredPage[]>;

const WAYS: readonly (readonly [Way, Read])[] = [
  [
    'llms.txt',
    (search, { folders }) => search.first(folders, ['llms.txt'], ({ text, url }) => readLlmsText(text, url)),
  ],
  ['sitemap', readSitemaps],
  ['objects.inv', readInventories],
  ['search index', readSearchIndexes],
  ['feed', readFeeds],
];

async function readSitemaps(search: Search, { start, folders, maxPages }: Place): Promise<DiscoveredPage[]> {
  const robots = await search.text(new URL('/robots.txt', start).href);
  const told = robots === null ? [] : sitemapsOfRobots(robots.text, robots.url);
  const usual = folders.map((folder) => new URL('sitemap.xml', folder).href);
  const waiting = [...new Set(told.length > 0 ? [...told, usual[0] ?? ''] : usual)].map((url) => ({ url, depth: 0 }));
  const seen = new Set<string>();
  const pages: DiscoveredPage[] = [];
  for (const { url, depth } of waiting) {
    if (url === '' || seen.has(url)) continue;
    if (new URL(url).host !== new URL(start).host) search.leftOuts.add('are sitemaps on another site');
    else if (depth > SITEMAP_DEPTH_MAX || seen.size >= SITEMAPS_MAX) {
      search.leftOuts.add(`are sitemaps after the first ${SITEMAPS_MAX}, or too deep in others`);
    } else {
      seen.add(url);
      const map = await search.text(url, SITEMAP_BYTES_MAX);
      if (map === null) continue;
      const most = { pages: mostOf(maxPages) - pages.length, sitemaps: SITEMAPS_OF_INDEX_MAX };
      const read = await search.work(readSitemap(map.text, map.url, most));
      for (const page of read.pages) pages.push(page);
      search.leftOuts.add(
        'are in sitemaps beyond those that were read',
        read.total - read.pages.length - read.sitemaps.length,
      );
      if (read.isCut) search.leftOuts.add('are sitemaps too long to be read to their end');
      for (const one of read.sitemaps) waiting.push({ url: one, depth: depth + 1 });
    }
  }
  return pages;
}

/** Maximum URLs of one list that are checked. */
function mostOf(maxPages: number): number {
  return Math.max(LOOKED_AT_MIN, maxPages * LOOKED_AT_PER_PAGE);
}

/** Text by which pages show their generator. A site is asked only for files that its generator makes. */
const SPHINX = /sphinx|documentation_options|objects\.inv/i;
const INDEXES: readonly (readonly [RegExp, string])[] = [
  [/mkdocs|search\/(?:main|search_index)/i, 'search/search_index.json'],
  [/docusaurus/i, 'search-index.json'],
  [/docusaurus/i, 'search-doc.json'],
  [/mdbook/i, 'searchindex.json'],
  [/mdbook/i, 'searchindex.js'],
  [/just[ -]the[ -]docs/i, 'assets/js/search-data.json'],
];

async function readInventories(search: Search, { folders, front, maxPages }: Place): Promise<DiscoveredPage[]> {
  if (front !== null && !SPHINX.test(front)) return [];
  for (const folder of folders) {
    const file = await search.bytes(new URL('objects.inv', folder).href, FILE_BYTES_MAX);
    const packed = file === null ? null : inventoryZlibData(file.bytes);
    if (file === null || packed === null) continue;
    const { bytes, end } = await decompress(packed, 'deflate', INVENTORY_BYTES_MAX, search.ports.signal);
    const inventory = await search.work(readSphinxInventory(bytes, new URL('.', file.url).href, mostOf(maxPages)));
    search.leftOuts.add(AFTER_LOOKED_AT, inventory.left);
    if (end !== 'whole') search.leftOuts.add('are inventories too long or too damaged to be read to their end');
    return inventory.pages;
  }
  return [];
}

async function readSearchIndexes(search: Search, { folders, front, maxPages }: Place): Promise<DiscoveredPage[]> {
  const files = INDEXES.filter(([sign]) => front !== null && sign.test(front)).map(([, file]) => file);
  return search.first(folders, files, function* ({ text }, folder) {
    const { pages, left } = yield* readSearchIndex(text, folder, mostOf(maxPages));
    search.leftOuts.add(AFTER_LOOKED_AT, left);
    return pages;
  });
}

const AFTER_LOOKED_AT = 'are in lists beyond those that were read';

async function readFeeds(search: Search, { start, front }: Place): Promise<DiscoveredPage[]> {
  if (front === null) return [];
  const { links, base } = readHead(front, false);
  const addresses = links.flatMap((link) => {
    const isFeed = /^application\/(?:(?:rss|atom)\+xml|feed\+json)\b/i.test(link.getAttribute('type') ?? '');
    const url = isFeed ? URL.parse(link.getAttribute('href') ?? '', URL.parse(base ?? '', start)?.href ?? start) : null;
    return url !== null && url.origin === new URL(start).origin ? [url.href] : [];
  });
  const pages: DiscoveredPage[] = [];
  for (const address of [...new Set(addresses)].slice(0, FEEDS_MAX)) {
    const feed = await search.text(address);
    for (const { link, date } of feed === null ? [] : await search.work(feedSteps(feed.text))) {
      const url = URL.parse(link, feed?.url);
      const time = Date.parse(date);
      if (link === '' || url === null) continue;
      pages.push({ url: url.href, ...(Number.isNaN(time) ? {} : { lastModified: new Date(time).toISOString() }) });
    }
  }
  return pages;
}

/** Reads a feed in a single step, because feeds are too small to need pauses. */
function* feedSteps(text: string): WorkSteps<ReturnType<typeof feedEntryLinks>> {
  yield text.length;
  return feedEntryLinks(text);
}

type File = { url: string; text: string };

/** `prefix`: only pages at this URL or below it are wanted. Both URLs are canonical. */
type Asked = { start: string; prefix: string; maxPages: number };

class Search {
  readonly leftOuts = new OmittedPagesCounter();
  readonly ports: DiscoverPorts;
  readonly #asked: Asked;
  readonly #known = new NewPageFilter();
  readonly #pages = new Map<string, Found>();
  /** Keys of the URLs left out so far, so that each is counted once. */
  readonly #left = new Set<string>();
  readonly #counts = new Map<Way, number>();
  readonly #rules = new Map<string, RobotsRules>();
  #robotsBytes = 0;

  constructor(ports: DiscoverPorts, asked: Asked) {
    this.ports = ports;
    this.#asked = asked;
  }

  async bytes(url: string, bytesMax: number): Promise<{ url: string; bytes: Uint8Array } | null> {
    const fetched = await this.ports.fetch(url, bytesMax);
    if ('missing' in fetched) {
      if (fetched.missing !== 'absent') this.leftOuts.add(MISSING[fetched.missing]);
      return null;
    }
    if (URL.parse(fetched.url)?.host === new URL(this.#asked.start).host) return fetched;
    this.leftOuts.add('are lists of pages that lead to another site');
    return null;
  }

  async text(url: string, bytesMax = FILE_BYTES_MAX): Promise<File | null> {
    const fetched = await this.bytes(url, bytesMax);
    if (fetched === null) return null;
    if (!isGzip(fetched.bytes)) return { url: fetched.url, text: new TextDecoder().decode(fetched.bytes) };
    const { bytes, end } = await decompress(fetched.bytes, 'gzip', bytesMax, this.ports.signal);
    if (end !== 'whole') this.leftOuts.add('are packed lists of pages too long or too damaged to be read to their end');
    return { url: fetched.url, text: new TextDecoder().decode(bytes) };
  }

  async first(
    folders: readonly string[],
    names: readonly string[],
    read: (file: File, folder: string) => WorkSteps<DiscoveredPage[]>,
  ): Promise<DiscoveredPage[]> {
    for (const folder of folders) {
      for (const name of names) {
        const file = await this.text(new URL(name, folder).href);
        const pages = file === null ? [] : await this.work(read(file, folder));
        if (pages.length > 0) return pages;
      }
    }
    return [];
  }

  work<T>(steps: WorkSteps<T>): Promise<T> {
    return this.ports.inTurn((pause) => runWithPauses(steps, pause));
  }

  async take(via: Way, pages: readonly DiscoveredPage[]): Promise<void> {
    const { host } = new URL(this.#asked.prefix);
    for (const origin of [`https://${host}`, `http://${host}`]) {
      const isAsked = !this.#rules.has(origin) && pages.some(({ url }) => url.startsWith(`${origin}/`));
      if (isAsked) this.#rules.set(origin, await this.ports.rules(origin));
    }
    await this.work(this.#takeAll(via, pages));
  }

  *#takeAll(via: Way, pages: readonly DiscoveredPage[]): WorkSteps<void> {
    for (const page of pages) yield this.#takeOne(via, page);
  }

  /** Adds a page or counts it as left out. @returns the cost, in characters of text */
  #takeOne(via: Way, { url: written, lastModified, names }: DiscoveredPage): number {
    const url = new URL(written);
    url.hash = '';
    const { prefix, maxPages } = this.#asked;
    const key = toPageKey(url.href);
    const cost = URL_CHECK_COST_CHARS + url.href.length;
    const page = this.#pages.get(key);
    if (page !== undefined) {
      this.#add(page, { lastModified, names });
      return cost;
    }
    if (this.#left.has(key)) return cost;
    const isBeyond = this.#pages.size >= maxPages;
    const refusal =
      findFollowRefusal(url, prefix) ?? (isBeyond ? describeBeyondPagesMax(maxPages) : this.#known.refusalOf(url.href));
    const { closed, bytes } = refusal === null ? this.#judge(url) : { closed: refusal, bytes: 0 };
    if (closed === null) {
      this.#counts.set(via, (this.#counts.get(via) ?? 0) + 1);
      const found: Found = { url: url.href, via };
      this.#add(found, { lastModified, names });
      this.#pages.set(key, found);
    } else {
      this.#left.add(key);
      this.leftOuts.add(closed);
    }
    return cost + bytes / ROBOTS_BYTES_PER_CHARACTER;
  }

  /**
   * Checks a URL against robots.txt. `closed`: the reason why the URL is not followed; `null` if it may be followed.
   * `bytes`: the work.
   */
  #judge({ origin, pathname, search }: URL): { closed: string | null; bytes: number } {
    if (this.#robotsBytes > ROBOTS_BYTES_MAX) return { closed: OMISSION_REASONS.unchecked, bytes: 0 };
    const { isAllowed, bytes } = this.#rules.get(origin)?.(`${pathname}${search}`) ?? { isAllowed: false, bytes: 0 };
    this.#robotsBytes += bytes;
    return { closed: isAllowed ? null : OMISSION_REASONS.disallowed, bytes };
  }

  /** Adds facts about a page from a list. One list may have its date, and another its names. */
  #add(page: Found, { lastModified, names }: Omit<DiscoveredPage, 'url'>): void {
    if (lastModified !== undefined) page.lastModified ??= lastModified;
    if (names !== undefined) page.names ??= names;
  }

  result(): Discovered {
    return {
      pages: [...this.#pages.values()],
      ways: [...this.#counts].map(([via, count]) => ({ via, count })),
      leftOut: this.leftOuts.list(),
    };
  }
}

const MISSING = {
  disallowed: 'are lists of pages that robots.txt closes',
  failed: 'are lists of pages that could not be fetched',
  'too large': 'are lists of pages that are too large',
} as const;
