import { KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum bytes of a viewport's numbered text, so that `text`, `render` and `citation` together fit into a result. */
export const VIEWPORT_BYTES_MAX = 60_000;
/** Minimum characters of a text that waits for the isolate's CPU lock (`inTurn`). A shorter text takes about 20 ms. */
export const CPU_LOCK_CHARS_MIN = 64 * KIB;
/** Maximum bytes of lines that a call keeps in memory to show them at its end. Ten such pages take little memory. */
export const PAGE_LINES_IN_MEMORY_BYTES_MAX = 256 * KIB;
/**
 * Time limit in ms of a batch, so that the call ends in time. Pages that are not open by then are reported as timed
 * out.
 */
export const BATCH_OPEN_MS_MAX = 38 * SECOND_MS;
/**
 * Time in ms that a document stays stored after the end of its protection by a call. The call sets that end when it
 * starts, but creates the document's cursor when it ends, and by another clock.
 */
export const DOCUMENT_KEEP_GRACE_MS = 5 * MINUTE_MS;
/** Maximum rows that a purge lists. Limited, like the characters of each URL, so that the list fits into a result. */
export const PURGE_LISTED_ROWS_MAX = 100;
export const RESOURCES_PER_LIST_PAGE = 50;
/** Maximum matches that `find` lists. The result also has the total number of matches. */
export const FIND_MATCHES_MAX = 50;
/**
 * Maximum work of one `find`, in engine instructions × characters. A unit takes 2 to 20 ns, so this is up to six
 * seconds of CPU.
 */
export const FIND_STEPS_MAX = 300_000_000;
/** Maximum work of `find` between two pauses for other requests: up to a third of a second. */
export const FIND_STEPS_PER_PAUSE = 15_000_000;
/** Time in ms after which a failed rendering is tried again, although the page without rendering is still fresh. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
/** Maximum characters of a URL, set by a script, that a note quotes. Routes of web applications are shorter. */
export const SCRIPTED_URL_CHARS_MAX = 500;
/** Characters that are normalized and compared between two pauses: a tenth of a second. */
export const QUOTE_CHARS_PER_PAUSE = 250_000;
/** Maximum characters of a quote, about 300 words. A longer quote would amount to a copy of the page. */
export const QUOTE_CHARS_MAX = 2_000;
export const CITATIONS_PER_SUBJECT_MAX = 5_000;
/** Maximum bytes of the pages that one subject has cited. These pages are stored permanently. */
export const CITED_BYTES_PER_SUBJECT_MAX = 50_000_000;
/** Maximum public links of one subject. With more links, the server would effectively publish a website. */
export const PUBLIC_LINKS_PER_SUBJECT_MAX = 500;
export const CITATIONS_PER_PAGE = 50;
/** Number of pages that `find_passages` opens in parallel. Ten unresponsive pages then take two rounds. */
export const PASSAGES_CONCURRENCY = 6;
