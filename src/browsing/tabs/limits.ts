import { SECOND_MS } from '#core/limits.ts';

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/** How long a window that may not open has to ask for what it was opened for, where it has a gate of its own. */
export const POPUP_ASKS_MS = 2 * SECOND_MS;
/** Events of a tab that are kept for the next results; the rest is counted. */
export const PAGE_LOG_ENTRIES_MAX = 200;
/** Of a console message, a dialog or an address in the log of a tab. */
export const PAGE_LOG_TEXT_CHARS_MAX = 500;
/** A page that sends itself elsewhere so many times within `RESTLESS_MS` is stopped before it is left. */
export const RESTLESS_MOVES = 20;
/** Chromium lets a page ask 200 times in ten seconds, and then not at all until they are over. */
export const RESTLESS_MS = 15 * SECOND_MS;
/**
 * Elements of a document up to which it is looked at as a whole: Chromium needs some two seconds to describe so many. Of a
 * larger one, a part is. Two of 529 saved pages are larger.
 */
export const DOCUMENT_WHOLE_ELEMENTS_MAX = 8_000;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Dialogs of one tab: no page asks a person more often than this. One that does is in a loop, and its scripts are stopped. */
export const DIALOG_RATE = { burst: 50, perSecond: 4 } as const;
/**
 * A page that has just opened more dialogs or pop-ups than this is left with its scripts stopped: Chromium takes no answer to
 * a dialog that opens while a page is left, and waits for one for ever. A page with fewer is asked first whether it may be left.
 */
export const OPENED_RATE = { burst: 5, perSecond: 1 } as const;
/** Pop-ups of one tab: more than a session may have tabs. A page that opens more is in a loop; one every few seconds is not. */
export const POPUP_RATE = { burst: 22, perSecond: 0.2 } as const;
/** Windows, frames and workers of one browser that are let run: heavy pages have some fifty at once. */
export const TARGET_RATE = { burst: 100, perSecond: 20 } as const;

// ── What pages log and ask for ──────────────────────────────────────────────────────────────────────────
/** Console messages of one tab that are kept to be asked for: with 20 tabs some megabytes. */
export const RECORD_CONSOLE_MAX = 300;
/** Requests of one tab that are kept: a heavy page makes some hundred. */
export const RECORD_REQUESTS_MAX = 200;
/** Of a message or an address. */
export const RECORD_TEXT_CHARS_MAX = 1_000;
/** Headers of a request or an answer, and characters of each value: more than are told, as secrets are hidden before it is cut. */
export const RECORD_HEADERS_MAX = 40;
export const RECORD_HEADER_CHARS_MAX = 800;

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────
/** A page that is told that nobody reads further needs no longer than any page that answers. */
export const SAVED_END_MS = 1 * SECOND_MS;
