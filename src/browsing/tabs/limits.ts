import { SECOND_MS } from '#core/limits.ts';

/**
 * Maximum elements of a document that is viewed as a whole. Chromium needs about two seconds to describe one. Long texts
 * count as several elements. A larger document is viewed in parts. Of 529 saved pages, two are larger.
 */
export const WHOLE_DOCUMENT_ELEMENTS_MAX = 8_000;
/** Maximum rate of JavaScript dialogs in one tab. A page that exceeds it is in a loop, and its scripts are stopped. */
export const DIALOG_RATE = { burst: 50, everyMs: 250 } as const;
/**
 * Maximum rate of pop-ups from one tab: a burst larger than the maximum number of tabs, then one every few seconds. A
 * page that exceeds it is in a loop, and its scripts are stopped.
 */
export const POPUP_RATE = { burst: 22, everyMs: 5 * SECOND_MS } as const;
/**
 * Maximum rate of address changes without a navigation (`history.pushState`, fragments). A page that updates its address
 * in each frame of an animation stays below it. A page that exceeds it is in a loop, and its scripts are stopped,
 * because Chromium answers few commands then.
 */
export const ADDRESS_CHANGE_RATE = { burst: 1_000, everyMs: 5 } as const;
/** Maximum stored console messages of one tab. With 20 tabs they take some megabytes. */
export const CONSOLE_MESSAGES_PER_TAB_MAX = 300;
/** Maximum stored requests of one tab. A heavy page sends some hundred. */
export const RECORDED_REQUESTS_PER_TAB_MAX = 200;
