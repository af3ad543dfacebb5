import { SECOND_MS } from '#core/limits.ts';

/**
 * Time for one page from the request on: the wait for other pages, the browser's start, loading, becoming idle,
 * reading.
 */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/** Pages in one browser at a time. Each takes about 100 MB, and a core while it loads. */
export const RENDERS_AT_ONCE = 4;
/** Idle time until a browser closes. Starting one takes a second; an idle one costs money by the second. */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** Time for the timers, sockets and workers of a page that shows almost nothing, because it is still starting. */
export const RENDER_EMPTY_MS_MAX = 5 * SECOND_MS;
/**
 * Pictures and PDF files that one Durable Object draws at a time. Memory holds each file three times: as bytes, in
 * base64, and in the message to the browser.
 */
export const DRAWS_AT_ONCE = 2;
/** Bytes of a file to draw: two of them, with pdf.js, stay below 110 MB of the 128 MB that an isolate has. */
export const DRAWN_BYTES_MAX = 8_000_000;
/** Longest side of a drawing that declares a smaller size, such as an icon. Pixels. */
export const DRAWN_SIDE_MIN = 512;
