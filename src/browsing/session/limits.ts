import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/** A browser that does not tell its own version by then hangs, however busy its pages are. */
export const BROWSER_ALIVE_MS = 3 * SECOND_MS;
/** For each step of leaving a page that is busy with itself. */
export const LEAVE_MS_MAX = 3 * SECOND_MS;

// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Of a selector that a refusal names. */
export const ACT_SELECTOR_CHARS_SHOWN_MAX = 120;
/** How often a field is looked for that an earlier one of the call may still bring, within `ACT_READY_MS_MAX`. */
export const FILL_AGAIN_MS = 250;

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/**
 * Numbers of refs that are stored as given at once, so that not every look at a page is a write. A session that comes back
 * leaves out those that were not.
 */
export const REFS_RESERVED = 100;
/** How long a call waits for the calls before it on the same session. */
export const SESSION_QUEUE_WAIT_MS = 20 * SECOND_MS;
/** What one call may take once it is its turn: with the queue it stays under the deadline of every call. */
export const SESSION_CALL_MS = 24 * SECOND_MS;
/** What a call may need on top, to say how the tabs are: a browser that takes longer hangs. */
export const SESSION_STATE_MS = 3 * SECOND_MS;
/** What a session that is brought back may need; its pages have {@link RESTORE_LOAD_MS}. */
export const SESSION_START_MS = 20 * SECOND_MS;
/** However long a call has waited for its turn or for its browser, it has this long itself. */
export const SESSION_CALL_MS_MIN = 3 * SECOND_MS;
/** What is done after an answer: to free a page that hangs, and to keep what the session needs to come back. */
export const SESSION_AFTER_CALL_MS = 10 * SECOND_MS;
/** How often a live session tells the platform that it is alive, and how far ahead its time is paid. */
export const SESSION_TICK_MS = 1 * MINUTE_MS;
/** A session that has not been heard of for this long has no browser: the platform ends one that is not spoken to. */
export const SESSION_UNSEEN_MAX_MS = 5 * MINUTE_MS;
/** How long a parked session waits for its owner. */
export const PARKED_SESSION_TTL_MS = 30 * 24 * HOUR_MS;
/** Files that pages may give to be saved from one call to the next; of more, a person would be asked, too. */
export const DOWNLOADS_PER_CALL_MAX = 20;
/** A download that is not through by then: a file of the largest size comes at 3 Mbit/s. */
export const DOWNLOAD_MS_MAX = 60 * SECOND_MS;
/** How long an action waits for the downloads that it set off; later ones are told by the next call. */
export const DOWNLOAD_WAIT_MS = 10 * SECOND_MS;
/** How long any result waits for downloads that are nearly through. */
export const DOWNLOAD_REST_MS = 2 * SECOND_MS;
/** Names people give to sessions. */
export const SESSION_NAME_CHARS_MAX = 64;
/** What an action tells of its changes: enough for a dialog or a menu. Beside a view it only points at them. */
export const CHANGES_CHARS_MAX = 700;
export const CHANGES_BESIDE_VIEW_CHARS_MAX = 250;
/** How long a page is looked at before something is done to it: a page that hangs is acted on all the same. */
export const LOOK_BEFORE_MS_MAX = 2 * SECOND_MS;
/** Fields that a refusal to leave a page names. */
export const UNSAVED_FIELDS_SHOWN_MAX = 12;
export const UNSAVED_CHARS_MAX = 500;
/** How long a call waits for the person it has asked for: hosts give up at about 60 s, and the call has to be made. */
export const HANDOFF_WAIT_MS = 20 * SECOND_MS;
/** How often it looks whether they have come. */
export const HANDOFF_LOOK_MS = 250;
/** A page that does not say by then what stands in its way is told without. */
export const WALL_LOOK_MS = 500;
