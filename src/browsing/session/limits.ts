import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

export const LEAVE_MS_MAX = 3 * SECOND_MS;
export const SESSION_QUEUE_WAIT_MS = 20 * SECOND_MS;
/** Longest run of one call. Together with the wait in the queue, it ends before the deadline of every call. */
export const SESSION_CALL_MS = 24 * SECOND_MS;
/** Longest run of a list of steps, including its wait. It ends before the deadline of every call. */
export const LIST_MS_MAX = 40 * SECOND_MS;
/** Longest wait when a person's data is deleted: the longest call, plus the calls that were already waiting. */
export const FORGET_WAIT_MS = LIST_MS_MAX + SESSION_QUEUE_WAIT_MS;
/** Time to restore a session. Of this, its pages have {@link RESTORE_LOAD_MS} to load. */
export const SESSION_START_MS = 20 * SECOND_MS;
/** Interval at which a live session keeps its object alive. Browser time is paid this far ahead. */
export const SESSION_TICK_MS = 1 * MINUTE_MS;
export const PARKED_SESSION_TTL_MS = 30 * 24 * HOUR_MS;
/** Maximum files that pages may save between two calls. A browser would ask its user before saving more. */
export const DOWNLOADS_PER_CALL_MAX = 20;
/** Time limit of a download. A file of the largest size takes this long at 3 Mbit/s. */
export const DOWNLOAD_MS_MAX = 60 * SECOND_MS;
export const DOWNLOAD_REST_MS = 2 * SECOND_MS;
export const SESSION_NAME_CHARS_MAX = 64;
/** Longest wait of a call for the person it asks for. Clients give up after about 60 s. */
export const HANDOFF_WAIT_MS = 20 * SECOND_MS;
