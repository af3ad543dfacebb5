import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** For each step of leaving a page that is busy with itself. */
export const LEAVE_MS_MAX = 3 * SECOND_MS;
/** How long a call waits for the calls before it on the same session. */
export const SESSION_QUEUE_WAIT_MS = 20 * SECOND_MS;
/** What one call may take once it is its turn: with the queue it stays under the deadline of every call. */
export const SESSION_CALL_MS = 24 * SECOND_MS;
/** What a list of steps may take with its wait: it answers before the deadline of every call. */
export const LIST_MS_MAX = 40 * SECOND_MS;
/** How long the deletion of a person waits for the calls before it: the longest one, and others that were waiting. */
export const FORGET_WAIT_MS = LIST_MS_MAX + SESSION_QUEUE_WAIT_MS;
/** What a session that is brought back may need; its pages have {@link RESTORE_LOAD_MS}. */
export const SESSION_START_MS = 20 * SECOND_MS;
/** How often a live session tells the platform that it is alive, and how far ahead its time is paid. */
export const SESSION_TICK_MS = 1 * MINUTE_MS;
/** How long a parked session waits for its owner. */
export const PARKED_SESSION_TTL_MS = 30 * 24 * HOUR_MS;
/** Files that pages may give to be saved from one call to the next; of more, a person would be asked, too. */
export const DOWNLOADS_PER_CALL_MAX = 20;
/** A download that is not through by then: a file of the largest size comes at 3 Mbit/s. */
export const DOWNLOAD_MS_MAX = 60 * SECOND_MS;
/** How long any result waits for downloads that are nearly through. */
export const DOWNLOAD_REST_MS = 2 * SECOND_MS;
/** Names people give to sessions. */
export const SESSION_NAME_CHARS_MAX = 64;
/** How long a call waits for the person it has asked for: hosts give up at about 60 s, and the call has to be made. */
export const HANDOFF_WAIT_MS = 20 * SECOND_MS;
