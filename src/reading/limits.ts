import { KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Size of a viewport's numbered text, so that text, render and citation together fit the result limits. */
export const VIEWPORT_BYTES_MAX = 60_000;
/** A shorter text is read in some 20 ms and needs no turn. */
export const TURN_CHARS_MIN = 64 * KIB;
/** A call keeps the lines of a page up to this size to show them; ten such pages of a batch take little. */
export const LINES_KEPT_BYTES_MAX = 256 * KIB;
/** Links that are listed beside a page. All of them stand in its Markdown anyway. */
export const PAGE_LINKS_MAX = 100;
/** Pages that are not there by then are reported as such, so that a batch answers before the call's deadline. */
export const BATCH_DEADLINE_MS = 38 * SECOND_MS;
/**
 * Time from the hold of a document until it may be deleted. It is held when a call begins, its cursor is made when the call
 * ends, and the two clocks may differ.
 */
export const DROP_GRACE_MS = 5 * MINUTE_MS;
/** Rows that a purge lists, and the length of each URL: together well within a result. */
export const PURGE_ROWS_MAX = 100;
export const PURGE_URL_CHARS_MAX = 400;
export const RESOURCES_PER_PAGE = 50;
/** Entries that `find` lists. The total is given beside them. */
export const FIND_MATCHES_MAX = 50;
export const FIND_PREVIEW_CHARS_MAX = 160;
/** Length of a matching line in the text of the result: two sentences, or a row of a table. */
export const FIND_LINE_CHARS_MAX = 400;
/** Matches that are shown with the lines that explain them, the best ones. */
export const FIND_EXPLAINED_MAX = 12;
/** Length of all lines that explain matches: some 1,000 tokens. */
export const FIND_EXPLAINING_CHARS_MAX = 4_000;
/** Instructions × characters that one `find` may take, at 2 to 20 ns each: six seconds of CPU in the worst case. */
export const FIND_WORK_MAX = 300_000_000;
/** `find` pauses after each of these for other requests: a third of a second in the worst case. */
export const FIND_WORK_PER_PAUSE = 15_000_000;
/** A page that needed rendering and could not be rendered is tried again after this time, also if the cache would last longer. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
/** Length of an address that a script made up, in a note: longer than routes of applications are. */
export const DOCUMENT_URL_CHARS_MAX = 500;
/** Characters of a text that are folded and compared at a stretch: a tenth of a second, then others get in. */
export const QUOTE_STEP_CHARS = 250_000;
/** Lines on one citation page: what a person may read around a citation. */
export const CITATION_LINES_MAX = 300;
/** Text that is compared with the live page, word by word: some two thousand words, 15 MB of a table. */
export const CHECK_CHARS_MAX = 12_000;
/** Length of a quote: some 300 words. A longer one is a copy of the page. */
export const QUOTE_CHARS_MAX = 2_000;
/** A citation keeps its page for good: a person's pages may take a tenth of the store's default size. */
export const CITATIONS_PER_SUBJECT_MAX = 5_000;
export const CITED_BYTES_PER_SUBJECT_MAX = 50_000_000;
/** Public links of one person: more is a site of its own. */
export const SHARED_PER_SUBJECT_MAX = 500;
/** Citations on one page of the console. */
export const CITATIONS_PER_PAGE = 50;
/** Pages that `find_passages` opens at a time, as a batch may. Ten that never answer then take two rounds: those behind them are still opened. */
export const PASSAGES_CONCURRENCY = 6;
