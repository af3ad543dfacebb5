import type { WorkSteps } from '#core/flow/turns.ts';
import { CodeFences } from '#core/text/plain.ts';
import { LINK_CHARS_MAX } from '#core/limits.ts';
import { trimEndMatching, decodeUnreserved } from '#core/text/text.ts';

/** Number of URLs left out for one reason. The reason completes a sentence such as "12 addresses are …". */
export type OmittedPagesCount = { reason: string; count: number };

export class OmittedPagesCounter {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    if (count > 0) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  list(): OmittedPagesCount[] {
    return [...this.#counts].map(([reason, count]) => ({ reason, count }));
  }
}

/** Maximum URLs that differ only in several query parameters or in a final date, as in a shop or calendar. */
const VARIANTS_MAX = 30;
const SEGMENTS_MAX = 24;
/** Maximum repeats of a path segment. More repeats indicate a loop of relative links, such as `/a/b/a/b/a/b`. */
const REPEATS_MAX = 3;
const PARAMETERS_MAX = 5;

const FILE_OF_NO_PAGE =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|tiff?|css|m?js|map|wasm|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|whl|deb|rpm|dmg|exe|msi|iso|bin|apk|inv)$/i;
/** Source files that a generator publishes next to its pages. */
const COPY = /\/_sources\/|\.rst\.txt$/;
/** Parameters for another view of the same page: another order, or a version to print, edit or reply to. */
const VIEW =
  /^(?:sort|sort_?by|order|order_?by|direction|filter\w*|facet\w*|layout|per_?page|replytocom|share|print|printable|action|oldid|diff|do|redirect\w*|return_?to)$/i;
/** A directory listing of Apache in another order: `?C=N;O=D`. */
const FILE_ORDER = /^\?C=[NMSD](?:;O=[AD])?$/;
const CALENDAR = /^(?:month|year|day|date|week|cal\w*|tribe\w*|ical|outlook-ical|from_?date|to_?date)$/i;
const DATED = /\/\d{4}(?:[/-]\d{1,2}){1,2}\/?$/;

export const OMISSION_REASONS = {
  noAddress: 'are not web addresses',
  otherSite: 'lie on another site',
  outside: 'are outside of the followed site',
  noPage: 'are not pages, but pictures, archives, scripts or page sources',
  view: 'show the same content in another order, for printing, for editing or after sign-in',
  calendar: 'are days and months of a calendar',
  endless: 'have a path or parameters that could continue without end',
  variants: `differ from ${VARIANTS_MAX} others only in their parameters or dates`,
  disallowed: 'are closed by robots.txt',
  unchecked: 'could not be checked, because the robots.txt of the site takes too long to check for each of them',
  again: 'lead to pages that are already listed under another address',
} as const;

export function describeBeyondPagesMax(pagesMax: number): string {
  return `come after the first ${pagesMax}`;
}

/** The reason not to follow a URL; `null` if it may be followed. */
export function findFollowRefusal(url: URL, prefix: string): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return OMISSION_REASONS.noAddress;
  const root = URL.parse(prefix);
  if (root === null || url.host !== root.host) return OMISSION_REASONS.otherSite;
  if (!isBelow(url.pathname, root.pathname)) return OMISSION_REASONS.outside;
  if (FILE_OF_NO_PAGE.test(url.pathname) || COPY.test(url.pathname)) return OMISSION_REASONS.noPage;
  const names = [...url.searchParams.keys()];
  if (FILE_ORDER.test(url.search) || names.some((name) => VIEW.test(name))) return OMISSION_REASONS.view;
  if (names.some((name) => CALENDAR.test(name))) return OMISSION_REASONS.calendar;
  return names.length > PARAMETERS_MAX || isEndless(url.pathname) ? OMISSION_REASONS.endless : null;
}

/** True if the path is the root or below it: `/docs` contains `/docs` and `/docs/a`, but not `/docs-old`. */
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

export class NewPageFilter {
  readonly #keys = new Set<string>();
  readonly #variants = new Map<string, number>();

  constructor(known: Iterable<string> = []) {
    for (const url of known) this.refusalOf(url);
  }

  refusalOf(url: string): string | null {
    const key = toPageKey(url);
    if (this.#keys.has(key)) return OMISSION_REASONS.again;
    const shape = shapeOf(key);
    const variants = shape === null ? 0 : (this.#variants.get(shape) ?? 0);
    if (variants >= VARIANTS_MAX) return OMISSION_REASONS.variants;
    if (shape !== null) this.#variants.set(shape, variants + 1);
    this.#keys.add(key);
    return null;
  }
}

/** Key of similar URLs, without the values of several parameters or a final date; `null` for other URLs. */
function shapeOf(key: string): string | null {
  const query = key.indexOf('?');
  const names = query < 0 ? [] : [...new URLSearchParams(key.slice(query)).keys()];
  if (names.length > 1) return `${key.slice(0, query + 1)}${names.join('&')}`;
  return DATED.test(key) ? key.replace(DATED, '/date') : null;
}

/** Fixed cost of checking one URL (some 12 µs), in characters of text that could be read in the same time. */
export const URL_CHECK_COST_CHARS = 40;

/** Returns the pages among the links of a page, up to `most`. @param known URLs found before, which are omitted */
export function* linksInsideSite(
  links: Iterable<string>,
  prefix: string,
  known: Iterable<string>,
  most = Infinity,
): WorkSteps<{ pages: string[]; leftOut: OmittedPagesCount[] }> {
  const found = new NewPageFilter(known);
  const leftOuts = new OmittedPagesCounter();
  const pages: string[] = [];
  for (const link of links) {
    if (pages.length >= most) break;
    yield URL_CHECK_COST_CHARS + link.length;
    const url = URL.parse(link);
    if (url !== null) url.hash = '';
    const refusal =
      url === null ? OMISSION_REASONS.noAddress : (findFollowRefusal(url, prefix) ?? found.refusalOf(url.href));
    if (refusal === null && url !== null) pages.push(url.href);
    // Repeated links are not reported, because many pages link to the same page.
    else if (refusal !== null && refusal !== OMISSION_REASONS.again) leftOuts.add(refusal);
  }
  return { pages, leftOut: leftOuts.list() };
}

const ADDRESS = /\]\((https?:[^\s()<>]+)/g;

/** All URLs to which a document links, except links in code and URLs longer than `LINK_CHARS_MAX`. */
export function* linksOfLines(lines: readonly string[]): WorkSteps<string[]> {
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

/** Tracking and session parameters, which do not change the page. */
const TRACKING =
  /^(?:utm_\w+|ga_\w+|mtm_\w+|pk_\w+|hsa_\w+|_hs\w+|mc_[ce]id|gclid|gbraid|wbraid|dclid|fbclid|msclkid|twclid|ttclid|yclid|igshid|srsltid|_ga|_gl|ref_src|sessionid|phpsessid|jsessionid)$/i;
const INDEX = /\/(?:index|default)\.(?:x?html?|php|aspx?|jsp|md)$/i;
const SESSION = /;jsessionid=[^/]*/i;

/**
 * One key for all URLs of a page: without scheme, fragment, tracking parameters, `index.html` and final slash, and with
 * sorted parameters. Versions (`/stable/`, `/3.2/`) are separate pages. A text that is not a URL is its own key.
 */
export function toPageKey(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const path = trimEndMatching(decodeUnreserved(parsed.pathname.replace(SESSION, '')).replace(INDEX, '/'), /\//);
  return `${parsed.host}${path}${queryOf(parsed.searchParams)}`;
}

function queryOf(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name]) => !TRACKING.test(name));
  if (kept.length === 0) return '';
  kept.sort(([one, first], [other, second]) => compare(one, other) || compare(first, second));
  return `?${new URLSearchParams(kept).toString()}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
