import { SECOND_MS } from '#core/limits.ts';

/**
 * Time for one page from the request on: waiting for other pages, starting a browser, loading, coming to rest, reading.
 */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/** The part of it that is reserved for reading and closing the page. */
export const RENDER_READ_RESERVE_MS = 2.5 * SECOND_MS;
/** Pages in one browser at a time. Each takes some 100 MB, and a core while it loads. */
export const RENDERS_AT_ONCE = 4;
/** Starting a browser takes a second; keeping one idle costs money by the second. */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** How often the amount of text is measured. */
export const RENDER_POLL_MS = 100;
/** Text that has not changed for this long is complete, if nothing is under way that could change it. */
export const RENDER_QUIET_MS = 400;
/** A page that shows almost nothing is still starting: this is how long its timers, sockets and workers get. */
export const RENDER_EMPTY_MS_MAX = 5 * SECOND_MS;
/** Text that has not grown for this long is taken, even if requests are open: streams and polls never end. */
export const RENDER_STALLED_MS = 3 * SECOND_MS;
/** Height of the window in which a page is read, so that what appears only on scrolling is in view. CSS pixels. */
export const RENDER_HEIGHT_MAX = 8_000;
/** A document whose own scripts and styles have not arrived by then is read as it is. */
export const RENDER_LOAD_MS_MAX = 9 * SECOND_MS;
/** An empty tab opens in a tenth of a second. A browser that takes longer than this hangs. */
export const RENDER_OPEN_MS_MAX = 5 * SECOND_MS;
/** When a page breaks off, this is how long we wait to see whether the browser died. */
export const RENDER_DEATH_MS = 300;
/** Browser time that is paid for in advance; the rest is paid afterwards. */
export const RENDER_PAID_AHEAD_MS = 1 * SECOND_MS;
