import { KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Bytes of a viewport's numbered text, so that text, render and citation together fit the result limits. */
export const VIEWPORT_BYTES_MAX = 60_000;
/** A shorter text is extracted in some 20 ms and does not need to queue. */
export const TURN_CHARS_MIN = 64 * KIB;
/** A call keeps lines up to this size in memory to show them. A batch of ten such pages stays small. */
export const LINES_KEPT_BYTES_MAX = 256 * KIB;
/** Deadline of a batch. Later pages are reported as timed out, so the batch answers before the call's deadline. */
export const BATCH_DEADLINE_MS = 38 * SECOND_MS;
/**
 * Grace period after the hold of a document, before it may be deleted. The hold begins with the call and the cursor
 * only at its end, and the two clocks may differ.
 */
export const DROP_GRACE_MS = 5 * MINUTE_MS;
/** Rows listed by a purge, and the length of each URL: together well within a result. */
export const PURGE_ROWS_MAX = 100;
export const PURGE_URL_CHARS_MAX = 400;
export const RESOURCES_PER_PAGE = 50;
/** Matches listed by `find`. The total is given separately. */
export const FIND_MATCHES_MAX = 50;
/** Instructions × characters of one `find`, at 2 to 20 ns each: six seconds of CPU in the worst case. */
export const FIND_WORK_MAX = 300_000_000;
/** Work between two pauses of `find` for other requests: a third of a second in the worst case. */
export const FIND_WORK_PER_PAUSE = 15_000_000;
/** A failed rendering is retried after this time, even if the cache lasts longer. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
/** Length of a script-made URL in a note. Application routes are shorter. */
export const DOCUMENT_URL_CHARS_MAX = 500;
/** Characters folded and compared between two pauses: a tenth of a second. */
export const QUOTE_STEP_CHARS = 250_000;
export const CITATION_LINES_MAX = 300;
/** Length of a quote: some 300 words. A longer one would be a copy of the page. */
export const QUOTE_CHARS_MAX = 2_000;
/** A citation stores its page permanently, so the pages of one subject may take a tenth of the store's default size. */
export const CITATIONS_PER_SUBJECT_MAX = 5_000;
export const CITED_BYTES_PER_SUBJECT_MAX = 50_000_000;
/** Public links per subject. More would amount to a website. */
export const SHARED_PER_SUBJECT_MAX = 500;
export const CITATIONS_PER_PAGE = 50;
/** Pages that `find_passages` opens concurrently. Ten unresponsive pages then block only two rounds. */
export const PASSAGES_CONCURRENCY = 6;
