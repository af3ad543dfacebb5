import type { Steps } from '#core/flow/turns.ts';
import { CodeFences } from '#core/text/plain.ts';
import { LINK_CHARS_MAX } from '#core/limits.ts';
import { pageKey } from './page-key.ts';

/** What is not followed, and why, in our own words: they follow "12 addresses". */
export type LeftOut = { reason: string; count: number };

/** Counts what is left out, by reason. */
export class LeftOuts {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  list(): LeftOut[] {
    return [...this.#counts].map(([reason, count]) => ({ reason, count }));
  }
}

/** Addresses of one path with the same two parameters or more, or that differ in a date at their end. Real ones are fewer. */
const VARIANTS_MAX = 30;
const SEGMENTS_MAX = 24;
/** Real paths repeat a part (`/docs/api/docs`), and hardly ever twice. */
const REPEATS_MAX = 3;
const PARAMETERS_MAX = 5;

const FILE_OF_NO_PAGE =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|tiff?|css|m?js|map|wasm|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|whl|deb|rpm|dmg|exe|msi|iso|bin|apk|inv)$/i;
/** The source that a generator puts beside each of its pages. */
const COPY = /\/_sources\/|\.rst\.txt$/;
/** The same list in another order, or the same page to print, to edit, to answer. */
const VIEW =
  /^(?:sort|sort_?by|order|order_?by|direction|filter\w*|facet\w*|layout|per_?page|replytocom|share|print|printable|action|oldid|diff|do|redirect\w*|return_?to)$/i;
/** Of a list of files by Apache: `?C=N;O=D`. */
const FILE_ORDER = /^\?C=[NMSD](?:;O=[AD])?$/;
const CALENDAR = /^(?:month|year|day|date|week|cal\w*|tribe\w*|ical|outlook-ical|from_?date|to_?date)$/i;
const DATED = /\/\d{4}(?:[/-]\d{1,2}){1,2}\/?$/;

export const REASONS = {
  noAddress: 'are no addresses of the web',
  otherSite: 'lie on another site',
  outside: 'lie outside of what is followed',
  noPage: 'are no pages but pictures, archives, scripts or sources of pages',
  view: 'show the same in another order, to print, to edit or after signing in',
  calendar: 'are days and months of a calendar',
  endless: 'have a path or parameters that could continue without end',
  variants: `differ from ${VARIANTS_MAX} others in their parameters or dates only`,
  disallowed: 'are closed by robots.txt',
  unchecked: 'could not be checked, as the robots.txt of the site takes too long to read for each of them',
  again: 'lead to pages that are there under another address',
} as const;

/** What is beyond the pages that may be followed. */
export function beyond(pagesMax: number): string {
  return `come after the first ${pagesMax}`;
}

/** Why an address is not followed; `null` for one that is. */
export function refusalOf(url: URL, prefix: string): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return REASONS.noAddress;
  const root = URL.parse(prefix);
  if (root === null || url.host !== root.host) return REASONS.otherSite;
  if (!isBelow(url.pathname, root.pathname)) return REASONS.outside;
  if (FILE_OF_NO_PAGE.test(url.pathname) || COPY.test(url.pathname)) return REASONS.noPage;
  const names = [...url.searchParams.keys()];
  if (FILE_ORDER.test(url.search) || names.some((name) => VIEW.test(name))) return REASONS.view;
  if (names.some((name) => CALENDAR.test(name))) return REASONS.calendar;
  return names.length > PARAMETERS_MAX || isEndless(url.pathname) ? REASONS.endless : null;
}

/** `/docs` holds `/docs` and `/docs/a`, and not `/docs-old`. */
function isBelow(path: string, root: string): boolean {
  const folder = root.endsWith('/') ? root : `${root}/`;
  return path.startsWith(folder) || path === root || `${path}/` === folder;
}

function isEndless(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > SEGMENTS_MAX) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > REPEATS_MAX) return true;
    counts.set(segment, count);
  }
  return false;
}

/** Knows which pages were found, so that each is taken once, and endless lists end. */
export class KnownPages {
  readonly #keys = new Set<string>();
  readonly #variants = new Map<string, number>();

  constructor(known: Iterable<string> = []) {
    for (const url of known) this.refusalOf(url);
  }

  /** Takes an address, or says why not. */
  refusalOf(url: string): string | null {
    const key = pageKey(url);
    if (this.#keys.has(key)) return REASONS.again;
    const shape = shapeOf(key);
    const variants = shape === null ? 0 : (this.#variants.get(shape) ?? 0);
    if (variants >= VARIANTS_MAX) return REASONS.variants;
    if (shape !== null) this.#variants.set(shape, variants + 1);
    this.#keys.add(key);
    return null;
  }
}

/** `null` for an address without a date at its end or several parameters: behind one alone may be articles (`?title=`). */
function shapeOf(key: string): string | null {
  const query = key.indexOf('?');
  const names = query < 0 ? [] : [...new URLSearchParams(key.slice(query)).keys()];
  if (names.length > 1) return `${key.slice(0, query + 1)}${names.join('&')}`;
  return DATED.test(key) ? key.replace(DATED, '/date') : null;
}

/** What judging one address costs beside its length, in characters of text: some 12 µs. */
export const ADDRESS_COST = 40;

/** The new pages among the links of a page, up to `most`. `known`: the addresses found so far. */
export function* linksInside(
  links: Iterable<string>,
  prefix: string,
  known: Iterable<string>,
  most = Infinity,
): Steps<{ pages: string[]; leftOut: LeftOut[] }> {
  const found = new KnownPages(known);
  const leftOuts = new LeftOuts();
  const pages: string[] = [];
  for (const link of links) {
    if (pages.length >= most) break;
    yield ADDRESS_COST + link.length;
    const url = URL.parse(link);
    if (url !== null) url.hash = '';
    const refusal = url === null ? REASONS.noAddress : (refusalOf(url, prefix) ?? found.refusalOf(url.href));
    if (refusal === null && url !== null) pages.push(url.href);
    // A page is linked from many: that needs no word.
    else if (refusal !== null && refusal !== REASONS.again) leftOuts.add(refusal);
  }
  return { pages, leftOut: leftOuts.list() };
}

const ADDRESS = /\]\((https?:[^\s()<>]+)/g;

/** The addresses that a document links to, each once. Links in code are text. */
export function* linksOfLines(lines: readonly string[]): Steps<string[]> {
  const fences = new CodeFences();
  const links = new Set<string>();
  for (const line of lines) {
    yield line.length;
    if (fences.take(line) || !line.includes('](')) continue;
    for (const [, address = ''] of line.matchAll(ADDRESS)) {
      if (address.length <= LINK_CHARS_MAX) links.add(address);
    }
  }
  return [...links];
}
