import { MIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

// ── Local search ────────────────────────────────────────────────────────────────────────────────────────
/** Different words of a query that are looked up. More add nothing. */
export const QUERY_WORDS_MAX = 16;
/**
 * Results that can be paged to, `WEB_SEARCH_RESULTS_MAX` × (`SEARCH_OFFSET_MAX` + 1), and one that shows there are
 * more.
 */
export const RANKED_PAGES_MAX = 201;
/** A page may be stored in three modes. Each is a document, and one of them is shown. */
export const RANKED_DOCUMENTS_MAX = 3 * RANKED_PAGES_MAX;
/**
 * A word that a larger share of the pages has does not distinguish pages. It is not applied to a store with few pages.
 */
export const COMMON_SHARE = 0.5;
export const COMMON_PAGES_MIN = 10;
/** The best pages, whose text is searched for a phrase: about a megabyte; and how many of them at a time. */
export const PHRASE_PAGES_MAX = 64;
export const PHRASE_PAGES_PER_READ = 8;
/** Passages of a long page that are read to find words that a query writes in one piece. */
export const PIECE_PASSAGES_MAX = 4;
/** Words by which a passage of a long page is chosen. */
export const PASSAGE_WORDS_MAX = 4;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
export const QUERY_CHARS_MAX = 1_000;
export const SNIPPET_CHARS_MAX = 400;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Goggles are sent in the query string. A longer one belongs behind a URL. */
export const GOGGLES_CHARS_MAX = 2_000;
export const DOMAIN_FILTERS_MAX = 50;
/** Brave sends up to five. */
export const EXTRA_SNIPPETS_MAX = 5;
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
/** The time that a search in the queue reserves for the request itself. */
export const SEARCH_EXCHANGE_RESERVE_MS = 3 * SECOND_MS;
/** Ten times the largest answers seen. */
export const SEARCH_BODY_BYTES_MAX = 2 * MIB;
/** Brave refuses longer queries. */
export const BRAVE_QUERY_CHARS_MAX = 600;
export const BRAVE_QUERY_WORDS_MAX = 75;
/** Used when a provider refuses more requests without saying for how long. */
export const SEARCH_RETRY_AFTER_DEFAULT_SECONDS = 60;
