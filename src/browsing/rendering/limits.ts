import { SECOND_MS } from '#core/limits.ts';

/**
 * Time for one page from the request on: waiting for other pages, starting a browser, loading, coming to rest, reading.
 */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/** Pages in one browser at a time. Each takes some 100 MB, and a core while it loads. */
export const RENDERS_AT_ONCE = 4;
/** Starting a browser takes a second; keeping one idle costs money by the second. */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** A page that shows almost nothing is still starting: this is how long its timers, sockets and workers get. */
export const RENDER_EMPTY_MS_MAX = 5 * SECOND_MS;
