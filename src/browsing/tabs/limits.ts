import { SECOND_MS } from '#core/limits.ts';

/**
 * Elements of a document up to which it is looked at as a whole: Chromium needs some two seconds to describe so many. Of a
 * larger one, a part is. Two of 529 saved pages are larger.
 */
export const DOCUMENT_WHOLE_ELEMENTS_MAX = 8_000;
/** Dialogs of one tab: no page asks a person more often than this. One that does is in a loop, and its scripts are stopped. */
export const DIALOG_RATE = { burst: 50, everyMs: 250 } as const;
/** Pop-ups of one tab: more than a session may have tabs. A page that opens more is in a loop; one every few seconds is not. */
export const POPUP_RATE = { burst: 22, everyMs: 5 * SECOND_MS } as const;
/** Console messages of one tab that are kept to be asked for: with 20 tabs some megabytes. */
export const RECORD_CONSOLE_MAX = 300;
/** Requests of one tab that are kept: a heavy page makes some hundred. */
export const RECORD_REQUESTS_MAX = 200;
