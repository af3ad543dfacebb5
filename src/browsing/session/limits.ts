import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

export const LEAVE_MS_MAX = 3 * SECOND_MS;
export const SESSION_QUEUE_WAIT_MS_MAX = 20 * SECOND_MS;
/** Time limit of one call. Together with the time in the queue, it is shorter than the deadline of an MCP call. */
export const SESSION_CALL_MS_MAX = 24 * SECOND_MS;
/** Time limit of one `browser_do`, including its time in the queue. It is shorter than the deadline of an MCP call. */
export const STEP_LIST_MS_MAX = 40 * SECOND_MS;
/** Interval of the alarm that keeps a session object with a browser alive. Browser time is paid this far ahead. */
export const SESSION_ALARM_INTERVAL_MS = 1 * MINUTE_MS;
/** Maximum files that pages may download between two calls. Browsers ask their user well before so many downloads. */
export const DOWNLOADS_PER_CALL_MAX = 20;
export const DOWNLOAD_RESERVE_MS = 2 * SECOND_MS;
