import { SECOND_MS } from '#core/limits.ts';

/** Time for which `/healthz` reuses the last result of an isolate, so that its callers cannot load the database. */
export const READINESS_CACHE_TTL_MS = 5 * SECOND_MS;
export const READINESS_QUERY_MS_MAX = 5 * SECOND_MS;
export const ACTIVITY_ENTRIES_PER_PAGE = 50;
export const STEPS_PER_PAGE = 30;
/** Time limit for checking one part. All parts are checked at the same time, while the owner waits for the page. */
export const HEALTH_CHECK_DEADLINE_MS = 10 * SECOND_MS;
/**
 * Number of views of a public link within `BUSY_LINK_CACHE_MS` above which an isolate repeats its last result.
 * Otherwise, a popular link would query the database for each view. A quote that is no longer shared disappears after
 * that time.
 */
export const BUSY_LINK_VIEWS_MIN = 10;
export const BUSY_LINK_CACHE_MS = 5 * SECOND_MS;
/** Maximum links whose content an isolate caches. A quote with its surrounding lines has about 3 KB. */
export const BUSY_LINKS_MAX = 200;
/** Maximum characters of a search in the console. */
export const SEARCH_CHARS_MAX = 200;
