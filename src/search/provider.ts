import type { SearchHit } from '#core/document.ts';

export type SearchQuery = { query: string; count: number };

export type ProviderAnswer = {
  hits: SearchHit[];
  /** What the caller should know of how these came about, in our own words. */
  notes: string[];
};

/** A source of search results. Throws a `PeriscopeError` with a `search_*` code when it cannot answer. */
export type SearchProvider = {
  name: string;
  search: (query: SearchQuery, signal: AbortSignal) => Promise<ProviderAnswer>;
};
