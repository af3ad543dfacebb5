import { SECOND_MS } from '#core/limits.ts';

/** Minimum interval of database queries for `/healthz` in each isolate, and their longest wait. */
export const READINESS_KEPT_MS = 5 * SECOND_MS;
export const READINESS_ASK_MS = 5 * SECOND_MS;
export const ACTIVITY_PER_PAGE = 50;
export const STEPS_PER_PAGE = 30;
/** Time limit for checking one part. A person waits for the page, and all parts are checked at the same time. */
export const HEALTH_CHECK_DEADLINE_MS = 10 * SECOND_MS;
/**
 * Views of a public link within a short time, above which its last result is shown again. Otherwise each view of a
 * crowd would query the one database that all calls need. A quote that is no longer shared disappears after this time.
 */
export const CROWD_VIEWS = 10;
export const CROWD_KEPT_MS = 5 * SECOND_MS;
/** Maximum links whose content an isolate caches. A quote with its surrounding lines has about 3 KB. */
export const CROWD_LINKS_MAX = 200;
