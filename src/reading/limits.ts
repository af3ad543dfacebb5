import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/units.ts';

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/** Size of a viewport's numbered text, so that text, render and citation together fit the result limits. */
export const VIEWPORT_BYTES_MAX = 60_000;
/** A shorter text is read in some 20 ms and needs no turn. */
export const TURN_CHARS_MIN = 64 * KIB;

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
/** The llms.txt of an origin is requested once a day, and not for long, because it is only a help. */
export const SITE_FACTS_TTL_MS = 24 * HOUR_MS;
export const LLMS_TXT_DEADLINE_MS = 3 * SECOND_MS;
/** Addresses that are kept of one llms.txt. A row stays far below D1's 2 MB. */
export const LLMS_TXT_LINKS_MAX = 2_000;

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
/** Links that are listed beside a page. All of them stand in its Markdown anyway. */
export const PAGE_LINKS_MAX = 100;
/** Pages that are not there by then are reported as such, so that a batch answers before the call's deadline. */
export const BATCH_DEADLINE_MS = 38 * SECOND_MS;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/**
 * How long after its hold a document may be deleted. It is held when a call begins, its cursor is made when the call
 * ends, and the two clocks may differ.
 */
export const DROP_GRACE_MS = 5 * MINUTE_MS;
/**
 * Batches of a hundred stored pages that one run checks against a new rule of privacy: three queries each, a second in
 * all.
 */
export const JUDGE_BATCHES_MAX = 100;
/** After this, `cache_purge` starts no new transaction, so that its report meets the call's deadline. */
export const PURGE_DEADLINE_MS = 30 * SECOND_MS;
/** Rows that a purge lists, and the length of each URL: together well within a result. */
export const PURGE_ROWS_MAX = 100;
export const PURGE_URL_CHARS_MAX = 400;
export const RESOURCES_PER_PAGE = 50;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
/** Entries that `find` lists. The total is given beside them. */
export const FIND_MATCHES_MAX = 50;
export const FIND_PREVIEW_CHARS_MAX = 160;
/** Instructions × characters that one `find` may take, at 2 to 20 ns each: six seconds of CPU in the worst case. */
export const FIND_WORK_MAX = 300_000_000;
/**
 * A search that ends within this waits for nobody: up to 30 ms of CPU. A longer one starts again when it is its turn.
 */
export const FIND_WORK_WITHOUT_TURN = 1_500_000;
/** `find` pauses after each of these for other requests: a third of a second in the worst case. */
export const FIND_WORK_PER_PAUSE = 15_000_000;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** How soon a page is tried again that needed rendering and could not be rendered, whatever the cache allows. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
