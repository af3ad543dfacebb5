import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum distinct words of a query that are looked up. More words do not improve the results. */
export const QUERY_WORDS_MAX = 16;
export const QUERY_CHARS_MAX = 1_000;
/** Maximum results read from one answer. No provider sends more than a few dozen. */
export const SEARCH_RAW_HITS_MAX = 100;
/**
 * Maximum bytes of a list's titles, URLs and snippets as JSON. The result of a call contains them a second time, as
 * text.
 */
export const SEARCH_LIST_BYTES_MAX = 60_000;
/**
 * Time in ms for which an answer is cached. It is long enough for a model that repeats a search, and short enough for
 * news.
 */
export const SEARCH_CACHE_TTL_MS = 10 * MINUTE_MS;
/**
 * Time in ms for which an incomplete answer is cached: one without the results of a preferred provider that failed or
 * was too slow.
 */
export const SEARCH_FALLBACK_CACHE_TTL_MS = 1 * MINUTE_MS;
/**
 * Time limit in ms for all providers of one search, including time in the queue. It leaves time to store and format the
 * results.
 */
export const SEARCH_DEADLINE_MS = 40 * SECOND_MS;
export const PROVIDER_TIMEOUT_MS = 10 * SECOND_MS;
/** Brave's maximum length of a query in characters and in words. It rejects longer queries. */
export const BRAVE_QUERY_CHARS_MAX = 600;
export const BRAVE_QUERY_WORDS_MAX = 75;
