import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Different words of a query that are looked up. More add nothing. */
export const QUERY_WORDS_MAX = 16;
export const QUERY_CHARS_MAX = 1_000;
/** Goggles are sent in the query string. A longer one belongs behind a URL. */
export const GOGGLES_CHARS_MAX = 2_000;
export const DOMAIN_FILTERS_MAX = 50;
/** Results of one answer that are read. No provider sends more than a few dozen. */
export const SEARCH_RAW_HITS_MAX = 100;
/** Size of a list's titles, URLs and snippets as JSON. A result also holds them as text. */
export const SEARCH_LIST_BYTES_MAX = 60_000;
/** Long enough for a model that asks again, short enough for news. */
export const SEARCH_CACHE_TTL_MS = 10 * MINUTE_MS;
/** For an answer of a provider that stood in for another. */
export const SEARCH_FALLBACK_CACHE_TTL_MS = 1 * MINUTE_MS;
/** For all providers of one search together, including the queue. It leaves the call time to store and render. */
export const SEARCH_DEADLINE_MS = 40 * SECOND_MS;
/** For one answer of one provider. */
export const SEARCH_TIMEOUT_MS = 10 * SECOND_MS;
/** Brave refuses longer queries. */
export const BRAVE_QUERY_CHARS_MAX = 600;
export const BRAVE_QUERY_WORDS_MAX = 75;
/** What is left to the other providers once one of those asked at once has found something. */
export const FUSION_PATIENCE_MS = 2 * SECOND_MS;
