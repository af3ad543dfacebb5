/** Limits of rendering pages for reading: as in `limits.ts`, one name, one unit, one reason each. */

const SECOND_MS = 1000;

/** For one page, from when it is asked for: its turn, the start of a browser, loading, coming to rest, reading. */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/** Of it, what is kept for reading the page and closing it. */
export const RENDER_READ_RESERVE_MS = 2.5 * SECOND_MS;
/** Pages in the browser at a time: each takes some 100 MB and a core while it loads. */
export const RENDERS_AT_ONCE = 4;
/** A browser that starts costs a second, one that waits costs money by the second. */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** How often the size of a page's text is looked at. */
export const RENDER_POLL_MS = 100;
/** Text that did not change for so long, with nothing on its way that could change it, is there. */
export const RENDER_QUIET_MS = 400;
/** A page that says next to nothing is still making itself ready: timers and slow scripts get this long. */
export const RENDER_EMPTY_MS_MAX = 5 * SECOND_MS;
/** Text that did not grow for so long is taken, though requests are still open: streams and polls never end. */
export const RENDER_STALLED_MS = 3 * SECOND_MS;
/** The window in which a page is read: what a page shows only when it is scrolled to is in view. CSS pixels. */
export const RENDER_HEIGHT_MAX = 8_000;
/** A document whose own scripts and styles are not there by then is read as far as it came. */
export const RENDER_LOAD_MS_MAX = 9 * SECOND_MS;
/** An empty tab opens in a tenth of a second; a browser that has not by then hangs. */
export const RENDER_OPEN_MS_MAX = 5 * SECOND_MS;
/** When a page breaks off, so long it is looked whether the whole browser did. */
export const RENDER_DEATH_MS = 300;
/** Browser time that is paid for before a page is rendered; the rest is paid afterwards. */
export const RENDER_PAID_AHEAD_MS = 1 * SECOND_MS;
/** A page that should have been rendered and could not be is tried again after this, whatever the cache allows. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
/** Elements whose looks are asked for to see what a hidden part shows after all. */
export const RENDER_LOOKS_MAX = 20_000;
