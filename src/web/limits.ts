import { SECOND_MS } from '#core/limits.ts';

/** In each isolate, `/healthz` asks the database at most this often, and waits at most this long. */
export const READINESS_KEPT_MS = 5 * SECOND_MS;
/** That the deployment is not ready is remembered for a shorter time, because whoever repairs it asks again. */
export const PROBLEM_KEPT_MS = SECOND_MS;
export const READINESS_ASK_MS = 5 * SECOND_MS;
/** Lines of activity, and steps of a session, on one page. */
export const ACTIVITY_PER_PAGE = 50;
export const STEPS_PER_PAGE = 30;
/** For one part. A person waits for the page, and all parts are checked at the same time. */
export const HEALTH_CHECK_DEADLINE_MS = 10 * SECOND_MS;
/**
 * A public link that is opened more often than this within the time is shown as it was read last: else each view of a crowd
 * would be a query of the one database that everybody's calls need. A quote that is no longer shared is gone after that time.
 */
export const CROWD_VIEWS = 10;
export const CROWD_KEPT_MS = 5 * SECOND_MS;
/** A quote with its lines around it has some 3 KB. */
export const CROWD_LINKS_MAX = 200;
