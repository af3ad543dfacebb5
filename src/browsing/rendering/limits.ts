import { SECOND_MS } from '#core/limits.ts';

/**
 * Time limit for one rendering, counted from the request: waiting for other pages, starting the browser, loading,
 * reading.
 */
export const RENDER_MS_MAX = 15 * SECOND_MS;
/**
 * Time limit for one drawing, counted from the request. A page of a PDF needs the start of the browser and of pdf.js,
 * and the work on its images: two seconds on an idle machine, and ten times as long on a busy one. MCP clients wait for
 * 60 seconds.
 */
export const DRAW_MS_MAX = 40 * SECOND_MS;
/** Maximum pages rendered in one browser at a time. Each takes about 100 MB, and a CPU core while it loads. */
export const RENDERS_CONCURRENT_MAX = 4;
/** Maximum of them for one person, so that a person whose pages hang does not keep the others from the browser. */
export const PERSON_RENDERS_MAX = 3;
/**
 * Idle time after which a browser is closed. Starting a browser takes a second, but an idle browser costs money by the
 * second.
 */
export const RENDER_BROWSER_IDLE_MS = 30 * SECOND_MS;
/** Time limit for timers, sockets and workers of a page that shows almost no text because it is still starting. */
export const RENDER_EMPTY_PAGE_WAIT_MS_MAX = 5 * SECOND_MS;
/** Maximum bytes of a file to draw. Two such files, with pdf.js, take under 110 MB of the isolate's 128 MB. */
export const DRAW_FILE_BYTES_MAX = 8_000_000;
