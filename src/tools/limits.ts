import { SECOND_MS } from '#core/limits.ts';

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
export const BATCH_URLS_MAX = 10;
export const BATCH_CONCURRENCY_MAX = 6;
export const BATCH_CONCURRENCY_DEFAULT = 4;
/** HTML that `web_extract` accepts: as much as a fetch accepts by default. */
export const EXTRACT_HTML_CHARS_MAX = 5_000_000;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Ten years: older than any page in the store. */
export const PURGE_AGE_SECONDS_MAX = 315_360_000;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
export const VIEWPORT_LINES_MIN = 20;
export const VIEWPORT_LINES_MAX = 200;
export const VIEWPORT_LINES_DEFAULT = 80;
export const SEARCH_RESULTS_MAX = 10;
export const SEARCH_RESULTS_DEFAULT = 5;
export const SCROLL_DELTA_MAX = 5_000;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
export const WEB_SEARCH_RESULTS_DEFAULT = 10;

// ── Citations ───────────────────────────────────────────────────────────────────────────────────────────
/** What a model notes with a citation: a sentence or two. */
export const CITATION_NOTE_CHARS_MAX = 500;

// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Text for one field: as long as a long article. */
export const FILL_CHARS_MAX = 100_000;
/**
 * Fields that one call sets: a long form on one screen. Each takes a tenth of a second, so the call stays far from its
 * deadline.
 */
export const FILL_FIELDS_MAX = 30;
/** Each key is two messages to the browser. */
export const TYPE_CHARS_MAX = 5_000;
/** One call scrolls the length of a long page. */
export const SCROLL_PX_MAX = 100_000;
export const SCROLL_PAGES_MAX = 50;
/** A script that a model wrote is short; libraries do not belong in a page. */
export const SCRIPT_CHARS_MAX = 50_000;
export const EVALUATE_TIMEOUT_MS_DEFAULT = 5 * SECOND_MS;
/** Leaves the call time to stop a page that hangs. */
export const EVALUATE_TIMEOUT_MS_MAX = 15 * SECOND_MS;
/** HTML of a page in one result. */
export const HTML_BYTES_DEFAULT = 20_000;
export const HTML_BYTES_MAX = 60_000;

/**
 * Uploads, reports and builds take longer; the model then waits again. Together with the queue it stays below the
 * deadline of a call.
 */
export const WAIT_TIMEOUT_MS_MAX = 20 * SECOND_MS;
export const WAIT_TIMEOUT_MS_DEFAULT = 10 * SECOND_MS;
/** A sentence or two: enough to recognise that a page is ready. */
export const WAIT_TEXT_CHARS_MAX = 500;

/** From the screen of a watch to a large monitor. CSS pixels. */
export const WINDOW_SIDE_MIN = 200;
export const WINDOW_SIDE_MAX = 3_840;
/** A long press. Nothing that is held longer is a gesture. */
export const POINT_HOLD_MS_MAX = 5 * SECOND_MS;

// ── Screenshots ─────────────────────────────────────────────────────────────────────────────────────────
export const SCREENSHOT_SIDE_MAX = 2_000;
/** In a smaller picture, pages cannot be told apart. */
export const SCREENSHOT_SIDE_MIN = 64;
/** What a person is asked for, on one line of a phone or three. */
export const HANDOFF_REASON_CHARS_MAX = 200;
