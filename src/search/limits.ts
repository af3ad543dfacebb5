import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Distinct words of a query that are looked up. More add nothing. */
export const QUERY_WORDS_MAX = 16;
export const QUERY_CHARS_MAX = 1_000;
/** Results read from one answer. No provider sends more than a few dozen. */
export const SEARCH_RAW_HITS_MAX = 100;
/** Bytes of a list's titles, URLs and snippets as JSON. A result also contains them as text. */
export const SEARCH_LIST_BYTES_MAX = 60_000;
/** Cache lifetime: long enough for a model that repeats a search, short enough for news. */
export const SEARCH_CACHE_TTL_MS = 10 * MINUTE_MS;
/** Cache lifetime for an answer of a fallback provider. */
export const SEARCH_FALLBACK_CACHE_TTL_MS = 1 * MINUTE_MS;
/** Deadline for all providers of one search, including the queue. It leaves time to store and render. */
export const SEARCH_DEADLINE_MS = 40 * SECOND_MS;
export const SEARCH_TIMEOUT_MS = 10 * SECOND_MS;
/** Brave rejects longer queries. */
export const BRAVE_QUERY_CHARS_MAX = 600;
export const BRAVE_QUERY_WORDS_MAX = 75;
