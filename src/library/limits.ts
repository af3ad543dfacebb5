import { DAY_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum pages per site: an hour at two seconds each, and well within the steps of one workflow instance. */
export const FOLLOW_PAGES_MAX = 1_000;
export const FOLLOW_PAGES_DEFAULT = 200;
/** Maximum hours between rounds: 30 days. A page that is checked less often would not count as followed. */
export const FOLLOW_HOURS_MAX = 720;
export const FOLLOW_HOURS_DEFAULT = 24;
export const CONTAINS_CHARS_MAX = 200;
/** Time limit for discovery within a call. Links and the next round find the remaining pages. */
export const DISCOVERY_MS_MAX = 20 * SECOND_MS;
/** Maximum blocks stored per change, and their characters. A rewritten page has hundreds. */
export const BLOCKS_PER_CHANGE_MAX = 200;
export const BLOCKS_CHARS_MAX = 100_000;
/** Time for which changes are stored: 90 days, for looking back. */
export const CHANGES_KEPT_MS = 90 * DAY_MS;
export const CHANGES_SINCE_MS_DEFAULT = 7 * DAY_MS;
/** Maximum rounds begun per hour. To begin them takes about a second, and the platform limits new Workflow instances. */
export const ROUNDS_PER_HOUR_MAX = 500;
