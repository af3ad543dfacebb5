import { DAY_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum pages per site: half an hour at two seconds each, and fewer steps than one workflow instance allows. */
export const PAGES_PER_FOLLOWED_SITE_MAX = 1_000;
export const PAGES_PER_FOLLOWED_SITE_DEFAULT = 200;
/** Maximum hours between checks of a page: 30 days. Users expect more frequent checks of a page that they follow. */
export const FOLLOW_INTERVAL_HOURS_MAX = 720;
export const FOLLOW_INTERVAL_HOURS_DEFAULT = 24;
export const FOLLOW_CONTAINS_CHARS_MAX = 200;
/** Time limit for discovery within a call. Pages not found by then are found by links, or by the next check. */
export const DISCOVERY_MS_MAX = 20 * SECOND_MS;
/** Maximum blocks stored per change, and their characters. A rewritten page may have hundreds. */
export const CHANGED_BLOCKS_PER_PAGE_MAX = 200;
export const CHANGED_BLOCKS_CHARS_MAX = 100_000;
/** Time for which changes are stored: 90 days. */
export const CHANGES_LIFETIME_MS = 90 * DAY_MS;
export const CHANGES_SINCE_MS_DEFAULT = 7 * DAY_MS;
/** Maximum checks of followed sites started per hour. The platform limits new Workflow instances. */
export const ROUNDS_PER_HOUR_MAX = 500;
