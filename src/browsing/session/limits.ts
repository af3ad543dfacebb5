import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

export const LEAVE_MS_MAX = 3 * SECOND_MS;
export const SESSION_QUEUE_WAIT_MS_MAX = 20 * SECOND_MS;
/** Time limit of one call. Together with the time in the queue, it is shorter than the deadline of an MCP call. */
export const SESSION_CALL_MS_MAX = 24 * SECOND_MS;
/** Time limit of one `browser_do`, including its time in the queue. It is shorter than the deadline of an MCP call. */
export const STEP_LIST_MS_MAX = 40 * SECOND_MS;
/** Maximum wait when a person's data is deleted: the longest call, plus the calls queued before it. */
export const ERASE_SESSION_WAIT_MS_MAX = STEP_LIST_MS_MAX + SESSION_QUEUE_WAIT_MS_MAX;
/** Time limit for restoring a session. Its pages may use {@link RESTORE_LOAD_MS_MAX} of this to load. */
export const SESSION_START_MS_MAX = 20 * SECOND_MS;
/** Interval of the alarm that keeps a session object with a browser alive. Browser time is paid this far ahead. */
export const SESSION_ALARM_INTERVAL_MS = 1 * MINUTE_MS;
export const PARKED_SESSION_TTL_MS = 30 * 24 * HOUR_MS;
/** Maximum files that pages may download between two calls. Browsers ask their user well before so many downloads. */
export const DOWNLOADS_PER_CALL_MAX = 20;
/** Time limit of a download. A file of the maximum size takes this long at 3 Mbit/s. */
export const DOWNLOAD_MS_MAX = 60 * SECOND_MS;
export const DOWNLOAD_RESERVE_MS = 2 * SECOND_MS;
export const SESSION_NAME_CHARS_MAX = 64;
/** Time that a call waits for a person to take over. MCP clients give up after about 60 s. */
export const HANDOFF_WAIT_MS_MAX = 20 * SECOND_MS;
