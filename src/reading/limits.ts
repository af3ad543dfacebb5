import { KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/**
 * Maximum bytes of a viewport's numbered text. With it, the fields `text`, `render` and `citation` together fit the
 * limit of a result.
 */
export const VIEWPORT_BYTES_MAX = 60_000;
/**
 * Minimum characters of a text whose processing waits for the isolate's CPU lock (`inTurn`). A shorter text takes some
 * 20 ms, so it does not need to wait.
 */
export const TURN_CHARS_MIN = 64 * KIB;
/**
 * Maximum bytes of lines that a call keeps in memory to show them later. Even ten such pages in a batch take little
 * memory.
 */
export const LINES_KEPT_BYTES_MAX = 256 * KIB;
/**
 * Time limit in ms of a batch. Pages that are not open by then are reported as timed out, so that the batch meets the
 * call's deadline.
 */
export const BATCH_DEADLINE_MS = 38 * SECOND_MS;
/**
 * Time in ms that a document stays stored after its hold (the promise not to delete it) ends. A document's hold begins
 * with the call, but its cursor is created at the call's end, and the two clocks may differ.
 */
export const DROP_GRACE_MS = 5 * MINUTE_MS;
/** Maximum rows that a purge lists, and maximum characters of each URL. Together they stay well within a result. */
export const PURGE_ROWS_MAX = 100;
export const PURGE_URL_CHARS_MAX = 400;
export const RESOURCES_PER_PAGE = 50;
/** Maximum matches that `find` lists. Their total is reported separately. */
export const FIND_MATCHES_MAX = 50;
/**
 * Maximum work of one `find`, in engine instructions × characters. A unit takes 2 to 20 ns, so the maximum is six
 * seconds of CPU.
 */
export const FIND_WORK_MAX = 300_000_000;
/** Maximum work of `find` between two pauses for other requests. It takes a third of a second at most. */
export const FIND_WORK_PER_PAUSE = 15_000_000;
/** Time in ms after which a failed rendering is tried again, even if the page is still cached. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
/** Maximum characters of a URL in a note, if a script set the URL. The routes of applications are shorter. */
export const DOCUMENT_URL_CHARS_MAX = 500;
/** Characters that are normalized and compared between two pauses. They take a tenth of a second. */
export const QUOTE_STEP_CHARS = 250_000;
export const CITATION_LINES_MAX = 300;
/** Maximum characters of a quote, some 300 words. A longer one would be a copy of the page. */
export const QUOTE_CHARS_MAX = 2_000;
/**
 * Maximum citations of one subject, and maximum bytes of the cited pages. A citation keeps its page in the store
 * permanently. The pages of one subject may take a tenth of the store's default size.
 */
export const CITATIONS_PER_SUBJECT_MAX = 5_000;
export const CITED_BYTES_PER_SUBJECT_MAX = 50_000_000;
/** Maximum public links of one subject. More links would amount to a website. */
export const SHARED_PER_SUBJECT_MAX = 500;
export const CITATIONS_PER_PAGE = 50;
/** Number of pages that `find_passages` opens at the same time. Ten pages that do not respond then take two rounds. */
export const PASSAGES_CONCURRENCY = 6;
