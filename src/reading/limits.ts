import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/units.ts';

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/** What a viewport's numbered text may take, so that text, render and citation together stay in the result limits. */
export const VIEWPORT_BYTES_MAX = 60_000;
/** Text that is shorter than this is read in some 20 ms: it needs no turn. */
export const TURN_CHARS_MIN = 64 * KIB;

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
/** llms.txt of an origin is asked for once a day, and not for long: it is a help, not a need. */
export const SITE_FACTS_TTL_MS = 24 * HOUR_MS;
export const LLMS_TXT_DEADLINE_MS = 3 * SECOND_MS;
/** Addresses kept of one llms.txt: a row stays far below D1's 2 MB. */
export const LLMS_TXT_LINKS_MAX = 2_000;

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
/** Links listed beside a page; all of them stand in its Markdown anyway. */
export const PAGE_LINKS_MAX = 100;
/** What is not there by then is reported as such: a batch answers within the call's deadline with what it has. */
export const BATCH_DEADLINE_MS = 38 * SECOND_MS;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/**
 * A document is dropped only so long after its hold: it is held when a call begins and its cursor minted when the call
 * ends, and the two clocks may differ.
 */
export const DROP_GRACE_MS = 5 * MINUTE_MS;
/** Hundreds of stored pages that one run judges by a new rule of privacy: three queries each, a second in all. */
export const JUDGE_BATCHES_MAX = 100;
/** `cache_purge` starts no transaction after this, so that its report is there before the call's deadline. */
export const PURGE_DEADLINE_MS = 30 * SECOND_MS;
/** Rows a purge lists, and characters of each URL: together well within a result. */
export const PURGE_ROWS_MAX = 100;
export const PURGE_URL_CHARS_MAX = 400;
export const RESOURCES_PER_PAGE = 50;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
/** Entries that `find` lists; the total is stated beside them. */
export const FIND_MATCHES_MAX = 50;
export const FIND_PREVIEW_CHARS_MAX = 160;
/** Instructions × characters that one `find` may spend, at 2 to 20 ns each: six seconds of CPU at the very worst. */
export const FIND_WORK_MAX = 300_000_000;
/** A search that ends within this waits for nobody: up to 30 ms of CPU. One that does not begins again when it is its turn. */
export const FIND_WORK_WITHOUT_TURN = 1_500_000;
/** After each of these others get in: a third of a second at the worst. */
export const FIND_WORK_PER_PAUSE = 15_000_000;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** A page that should have been rendered and could not be is tried again after this, whatever the cache allows. */
export const RENDER_RETRY_MS = 60 * SECOND_MS;
