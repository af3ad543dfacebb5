import type { HitPlace } from '#core/document.ts';

/** What a provider is asked: the fields of `web_search`, checked and normalised. */
export type SearchQuery = {
  /** White space folded; never empty. */
  query: string;
  /** 1 to 20 results. */
  count: number;
  /** Pages of `count` results to skip, 0 to 9. */
  offset?: number | undefined;
  /** `pd`, `pw`, `pm`, `py`, or `YYYY-MM-DDtoYYYY-MM-DD`. */
  freshness?: string | undefined;
  safesearch?: SafeSearch | undefined;
  /** Two capital letters, or `ALL`. */
  country?: string | undefined;
  /** Lower case, such as `en` or `zh-hant`. */
  search_lang?: string | undefined;
  /** Such as `en-US`. */
  ui_lang?: string | undefined;
  extra_snippets?: boolean | undefined;
  goggles?: string | undefined;
};

export type SafeSearch = 'off' | 'moderate' | 'strict';

/** One result: text is plain, on one line and page-made, so it is data; the URL is canonical http or https. */
export type SearchResult = {
  /** 1-based place in this list, which is also its `result_id`. */
  rank: number;
  title: string;
  url: string;
  description: string;
  /** Further passages of the page; empty unless they were asked for. */
  extra_snippets: string[];
  /** How old the page is, in the provider's words, or `null`. */
  age: string | null;
  /** Where the description stands; only of pages that are stored here. */
  place?: HitPlace | undefined;
};

export type ProviderAnswer = {
  hits: SearchResult[];
  /** Whether the next `offset` may hold more. */
  more: boolean;
  /** What the caller should know of how these came about, in our own words. */
  notes: string[];
};

/** The time a search has: a signal that ends it, and when (ms since the epoch) that will be. */
export type SearchTime = { signal: AbortSignal; deadlineAt: number };

/** The addresses that may be listed, and why others are not, in our own words. */
export type Listable = { allows: (url: string) => boolean; why: string };

/**
 * A source of search results. Throws a `PeriscopeError` with a `search_*` code when it cannot answer, and
 * `invalid_argument` when it refuses a value that the caller can correct; the signal's reason once that has fired.
 */
export type SearchProvider = {
  name: ProviderName;
  /** Tells this source from others of its kind in cache keys; never a secret. */
  source: string;
  /** Whether its answers may be kept for other callers. */
  cacheable: boolean;
  /** A source that lists its results itself leaves out what is not listable before it counts out a page of them. */
  search: (query: SearchQuery, time: SearchTime, listable?: Listable) => Promise<ProviderAnswer>;
};

export type ProviderName = 'brave' | 'searxng' | 'local';

/** Notes which of the given fields a provider cannot honour; no note when it can honour all. */
export function ignoredNote(name: string, query: SearchQuery, cannot: readonly (keyof SearchQuery)[]): string[] {
  const ignored = cannot.filter((field) => asksForSomething(field, query));
  return ignored.length === 0 ? [] : [`${name} cannot honour ${ignored.join(', ')}: ignored.`];
}

/** Moderate filtering is the default, so only strict filtering counts as a wish of the caller. */
function asksForSomething(field: keyof SearchQuery, query: SearchQuery): boolean {
  return field === 'safesearch' ? query.safesearch === 'strict' : query[field] !== undefined && query[field] !== false;
}
