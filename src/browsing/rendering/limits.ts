import { SECOND_MS } from '#core/units.ts';

/** For one page, from when it is asked for: its turn, the start of a browser, loading, coming to rest, reading. */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/** Of it, what is kept for reading the page and closing it. */
export const RENDER_READ_RESERVE_MS = 2.5 * SECOND_MS;
/** Pages in one of their browsers at a time: each takes some 100 MB and a core while it loads. */
export const RENDERS_AT_ONCE = 4;
/**
 * UTF-8 bytes of a page that is rendered, as it is fetched and as it is read, whatever MAX_BYTES says. At worst an object
 * holds some nine times that of a page – as text with two bytes a character, as UTF-8, as Base64 twice over, as JSON –, so
 * four pages stay below 110 MB of the 128 MB that an isolate has.
 */
export const RENDER_BYTES_MAX = 3_000_000;
/** A browser that starts costs a second, one that waits costs money by the second. */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** How often the size of a page's text is looked at. */
export const RENDER_POLL_MS = 100;
/** Text that did not change for so long, with nothing on its way that could change it, is there. */
export const RENDER_QUIET_MS = 400;
/** A page that says next to nothing is still making itself ready: its timers, sockets and workers get this long. */
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
