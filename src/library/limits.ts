import { SECOND_MS } from '#core/limits.ts';

/** Maximum pages per site: half an hour at two seconds each, and fewer steps than one workflow instance allows. */
export const PAGES_PER_FOLLOWED_SITE_MAX = 1_000;
/** Time limit for discovery within a call. Pages not found by then are found by links, or by the next check. */
export const DISCOVERY_MS_MAX = 20 * SECOND_MS;
/** Maximum checks of followed sites started per hour. The platform limits new Workflow instances. */
export const ROUNDS_PER_HOUR_MAX = 500;
