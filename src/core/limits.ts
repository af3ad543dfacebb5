/**
 * Limits that several folders share. The limits of one folder are in its own `limits.ts`. Each limit has one name, one
 * unit and one reason.
 */

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/** Longest call. MCP hosts abandon a tool call after about 60 s, so the server responds before that. */
export const CALL_DEADLINE_MS = 45 * SECOND_MS;
/** Maximum bytes of a result's text: 25,000 tokens, the smallest limit of a known host, at 3 UTF-8 bytes per token. */
export const RESULT_TEXT_BYTES_MAX = 75_000;
/**
 * Time after which a waiter that has not polled counts as gone: the platform ended its request, or the thread was busy.
 */
export const WAITER_EXPIRY_MS = 500;
/**
 * Pause (ms) between two pieces of long CPU work, in which the isolate serves other requests. `CPU_LOCK` is the lock for
 * this work. No piece takes a second, so a lock that is held for `leaseMs` has lost its holder.
 */
export const CPU_PAUSE_MS = 25;
export const CPU_LOCK = { max: 1, leaseMs: 3 * SECOND_MS, pollMs: 10, pollMsMax: 10, restMs: CPU_PAUSE_MS } as const;
/**
 * Each user's own lock, so that only one call of a user waits for {@link CPU_LOCK}. `restMs`: pause that lets other
 * users come first.
 */
export const CPU_LOCK_PER_USER = { ...CPU_LOCK, pollMs: 20, pollMsMax: 80, restMs: 2 * CPU_PAUSE_MS } as const;
/** Time (ms) after which the CPU lock is free if its holder does not return from a pause. */
export const CPU_LOCK_TAKEOVER_MS = 500;
/** Cost after which work in steps pauses, in characters of up to 0.3 µs each: a pause comes about every 150 ms. */
export const WORK_CHARS_PER_PAUSE = 500_000;
/**
 * Bytes that tasks may hold in an isolate, measured with `npm run bench:memory`. An isolate has 128 MB: its code and
 * caches take 38 MB, and 30 MB remain for objects that are not yet garbage-collected.
 */
export const TASK_MEMORY_BYTES_MAX = 60_000_000;
/**
 * Maximum bytes that pages with bodies up to `UNRESERVED_BODY_BYTES_MAX` need. The next constants reserve memory for
 * such pages.
 */
export const SMALL_PAGE_MEMORY_BYTES = 2_500_000;
export const SMALL_PAGES_RESERVED_BYTES = 4_000_000;
/** Maximum bytes for several pages of one user. They may wait for slow sites or a browser. The other half is for others. */
export const USER_MEMORY_BYTES_MAX = TASK_MEMORY_BYTES_MAX / 2;
/**
 * Timing of memory shares. A share is renewed every `beatMs`. No work blocks the thread for as long as `leaseMs`. A
 * call waits at most `waitMs`, so that it can still read a page before its deadline.
 */
export const MEMORY_SHARE_TIMES = {
  leaseMs: 4 * SECOND_MS,
  beatMs: SECOND_MS,
  pollMs: 40,
  waitMs: 28 * SECOND_MS,
} as const;
/** Suggested retry delay after a Durable Object or the database was overloaded. Their queues drain within seconds. */
export const OVERLOADED_RETRY_SECONDS = 5;

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
export const URL_CHARS_MAX = 8_192;
/** Maximum bytes of a body that is read without first reserving memory. Most web pages are smaller. */
export const UNRESERVED_BODY_BYTES_MAX = 256 * KIB;
/**
 * Maximum text of an application shell: a page with scripts and little text, because only its scripts load the content.
 */
export const APP_SHELL_TEXT_CHARS_MAX = 250;
/**
 * Maximum wait of a call for another call's fetch of the same page. Afterwards, there is enough time for the call's own
 * fetch.
 */
export const PAGE_LEASE_WAIT_MS = 12 * SECOND_MS;

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
export const ATTRIBUTE_CHARS_MAX = 4_096;
/** Maximum characters of a link target. A longer target is data, not a URL to follow; only the link's text stays. */
export const LINK_CHARS_MAX = 2_048;

// ── Local search ────────────────────────────────────────────────────────────────────────────────────────
/**
 * Maximum characters of an indexed word. Only the start of a longer word is indexed, because it is mostly encoded data.
 */
export const INDEXED_WORD_CHARS_MAX = 32;

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum bytes of the text in a result that shows a page, well below the limits of MCP hosts. */
export const PAGE_RESULT_BYTES_MAX = 60_000;
/**
 * Maximum bytes of `markdown` in a result's structured content. Its links are absolute, so a page full of links has up
 * to twice the bytes of the text, where links are relative. Hosts that show structured content to the model get none.
 */
export const PAGE_MARKDOWN_BYTES_MAX = 2 * PAGE_RESULT_BYTES_MAX;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum documents deleted in one transaction. They take under 0.2 s; the database allows 30 s. */
export const DELETED_DOCUMENTS_PER_BATCH_MAX = 100;
export const DELETED_BYTES_PER_BATCH_MAX = 16 * MIB;
/** Maximum values in an MCP completion response. */
export const COMPLETION_VALUES_MAX = 100;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum characters of the passage in a search result, and of a search provider's description of a page. */
export const SNIPPET_CHARS_MAX = 400;
/** Maximum characters of titles in result lists: enough to choose a page. */
export const TITLE_CHARS_MAX = 200;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Maximum web results, as in Brave's API. */
export const WEB_SEARCH_RESULTS_MAX = 20;
/** Maximum pages of results to skip, as in Brave's API. */
export const SEARCH_OFFSET_MAX = 9;

// ── Cursors ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * Extra time for which a document is pinned (not deleted) beyond its cursor's lifetime. A cursor in use therefore
 * renews the pin at most once in this time.
 */
export const DOCUMENT_PIN_EXTRA_MS = 1 * HOUR_MS;
/** Extra time for which an opened document is pinned, so that opening it again does not renew the pin. */
export const OPENED_DOCUMENT_PIN_EXTRA_MS = 1 * HOUR_MS;

// ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────────────
/** PBKDF2 iterations: the most that workerd allows in one call. One guess costs about 30 ms of CPU. */
export const PASSPHRASE_ITERATIONS = 100_000;
/** Maximum bytes of a form, a token request or a revocation. The largest contains a signed client assertion. */
export const FORM_BYTES_MAX = 64 * KIB;
/** Time for which an expired access token stays listed, so that its owner can see why an agent stopped. */
export const EXPIRED_TOKEN_LISTED_MS = 30 * 24 * HOUR_MS;
/** Time for a user to sign in with a newly registered OAuth client. An unused client is then removed. */
export const UNUSED_CLIENT_TTL_SECONDS = 7 * 24 * 3_600;

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/** Number of Durable Objects that render pages for reading, each with its own browser. A page's host selects one. */
export const RENDERER_OBJECT_COUNT = 4;
/**
 * Maximum UTF-8 bytes of a page to render, and of the rendered page, independent of MAX_BYTES. At worst, each page
 * takes nine times that in its object (text with two bytes per character, UTF-8, Base64 twice, JSON). Four pages
 * therefore stay below 110 MB of the isolate's 128 MB.
 */
export const RENDERED_HTML_BYTES_MAX = 3_000_000;
/**
 * Maximum pixels of a picture to draw: a page scanned at 600 dpi has 35 million. Chromium takes four bytes for each.
 */
export const DRAWN_PICTURE_PIXELS_MAX = 40_000_000;
/**
 * Concurrent browsers of an account on Workers Paid: 200 since 2026-08-20, 120 before (Cloudflare's changelog of
 * Browser Run of that day). Cloudflare grants more on request.
 */
export const PLATFORM_BROWSERS_MAX = 200;
/** Maximum sessions with an open browser: the limit of the Cloudflare account, minus the browsers of the renderers. */
export const OPEN_SESSIONS_MAX = PLATFORM_BROWSERS_MAX - RENDERER_OBJECT_COUNT;
/** Maximum tabs of one session. Tasks need fewer; the limit stops a page that opens windows in a loop. */
export const SESSION_TABS_MAX = 20;

// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Longest wait for requests that an action started. Afterwards the result says that the page is still loading. */
export const ACT_REQUESTS_MS_MAX = 5 * SECOND_MS;
/** Longest wait for a navigation that an action started, so that a call with several waits meets its deadline. */
export const ACT_NAVIGATION_MS_MAX = 10 * SECOND_MS;
/**
 * Maximum wait for an element to be actionable. Within this time, transitions end and form validation enables buttons.
 */
export const ACTIONABLE_WAIT_MS_MAX = 2 * SECOND_MS;
/** Longest time to take a view (the page as text) before an action. It is compared with the view after the action. */
export const VIEW_BEFORE_ACTION_MS_MAX = 2 * SECOND_MS;
/** Maximum characters quoted from a page: an element, a dialog, an error. */
export const PAGE_QUOTE_CHARS_MAX = 300;
/** Pause between keys, slow enough for suggestion lists that load after each key. */
export const TYPING_DELAY_MS = 60;
/** Time after which a page that does not respond counts as hung. */
export const PAGE_RESPONSE_MS_MAX = 1 * SECOND_MS;

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/** Maximum frames in the view of a page. Pages with advertisements have a dozen. */
export const VIEW_FRAMES_MAX = 24;
/** Default bytes of a view (a page as text), about 3,000 tokens: few enough for a model to read after every step. */
export const VIEW_BYTES_DEFAULT = 12_000;
export const VIEW_BYTES_MIN = 1_000;
export const VIEW_BYTES_MAX = 60_000;
/** Viewport of a laptop in CSS pixels, in which sites show their full layout and a screenshot is small. */
export const BROWSER_VIEWPORT = { width: 1280, height: 800 };
export const TAB_OPEN_MS_MAX = 1 * SECOND_MS;

// ── Screenshots ─────────────────────────────────────────────────────────────────────────────────────────
/** Default side of a screenshot in pixels. Vision models scale larger images down to about this size. */
export const SCREENSHOT_SIDE_PX_DEFAULT = 1_568;

// ── Regular expressions of callers ──────────────────────────────────────────────────────────────────────
export const REGEX_CHARS_MAX = 256;

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum characters of a file name that a page or a call gives. Only the end of a longer name is used. */
export const GIVEN_FILE_NAME_CHARS_MAX = 1_000;
/** Maximum bytes of an upload. The whole form is held in memory. */
export const UPLOAD_BYTES_MAX = 25_000_000;
export const STORED_FILE_PIECE_BYTES = 1 * MIB;
