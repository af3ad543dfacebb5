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
/** Time without polling after which a waiter is gone: the platform ended it, or the thread was busy. */
export const QUEUE_GONE_MS = 500;
/**
 * Long CPU work runs one at a time in an isolate, with a pause after each piece for other requests. No piece takes a
 * second, so a lock held for longer has lost its holder.
 */
export const TURN_PAUSE_MS = 25;
export const TURN = { max: 1, leaseMs: 3 * SECOND_MS, pollMs: 10, pollMsMax: 10, restMs: TURN_PAUSE_MS } as const;
/** The lock among users. Rests longer than the poll interval of other waiters, so that they come first. */
export const TURN_OF_PERSON = { ...TURN, pollMs: 20, pollMsMax: 80, restMs: 2 * TURN_PAUSE_MS } as const;
/** Time after which the lock is free if its holder does not return from a pause. */
export const TURN_GONE_MS = 500;
/** Cost in characters after which work in steps pauses. Each character costs up to 0.3 µs. */
export const STEPS_COST_PER_PAUSE = 500_000;
/**
 * Memory for the work of an isolate, measured with `npm run bench:memory`. An isolate has 128 MB; its code and caches
 * take 38 MB, and the remainder is for garbage.
 */
export const MEMORY_BYTES = 60_000_000;
/**
 * Memory for small pages, up to `BODY_BYTES_WITHOUT_ROOM`. Below: memory that large needs leave free for such pages.
 */
export const MEMORY_SMALL_BYTES = 2_500_000;
export const MEMORY_FOR_SMALL_BYTES = 4_000_000;
/** Maximum memory of one user, whose pages may wait for slow sites. The rest is for other users. */
export const MEMORY_SMALL_OF_PERSON_BYTES = MEMORY_BYTES / 2;
/**
 * Timing of memory shares. A holder renews its share every `beatMs`. The lease is longer than any work blocks the
 * thread. A call waits at most `waitMs`, so that it can still read a page before its deadline.
 */
export const MEMORY_SHARE = { leaseMs: 4 * SECOND_MS, beatMs: SECOND_MS, pollMs: 40, waitMs: 28 * SECOND_MS } as const;
/** Retry delay after an object or the database was overloaded. Their queues drain within seconds. */
export const OVERLOADED_RETRY_SECONDS = 5;

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
export const URL_CHARS_MAX = 8_192;
/** Maximum bytes of a body that is read without reserving memory. Most web pages are smaller. */
export const BODY_BYTES_WITHOUT_ROOM = 256 * KIB;
/** Maximum text of an application shell: a page with less text that consists of scripts. */
export const SHELL_TEXT_CHARS_MAX = 250;
/** Longest wait of a call for another call's fetch. Afterwards there is enough time left for its own fetch. */
export const LEASE_WAIT_MS = 12 * SECOND_MS;

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
export const ATTRIBUTE_CHARS_MAX = 4_096;
/** Maximum characters of a link target. A longer target is data, not a URL to follow; the text of the link stays. */
export const LINK_CHARS_MAX = 2_048;

// ── Local search ────────────────────────────────────────────────────────────────────────────────────────
/** Length from which a word is indexed by its beginning. No language has longer words; encoded data is full of them. */
export const WORD_CHARS_MAX = 32;

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum bytes of the text block with pages. It stays well below the limits of MCP hosts. */
export const PAGE_RESULT_BYTES_MAX = 60_000;
/**
 * Maximum bytes of `markdown` in the structured content. Its links are not relative, so a page full of links has up to
 * twice the bytes there. Hosts that are known to show the model structured content do not get it.
 */
export const PAGE_MARKDOWN_BYTES_MAX = 2 * PAGE_RESULT_BYTES_MAX;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Documents deleted in one transaction, which takes under 0.2 s of the database's limit of 30 s. */
export const DROP_DOCUMENTS_PER_BATCH = 100;
export const DROP_BYTES_PER_BATCH = 16 * MIB;
/** Maximum completions in the MCP protocol. */
export const COMPLETION_VALUES_MAX = 100;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum characters of a result's passage, and of a provider's description. */
export const SNIPPET_CHARS_MAX = 400;
/** Maximum characters of titles in result lists: enough to choose by, without flooding the list. */
export const TITLE_CHARS_MAX = 200;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Maximum web results, as in Brave's API. */
export const WEB_SEARCH_RESULTS_MAX = 20;
/** Maximum pages of results to skip, as in Brave's API. */
export const SEARCH_OFFSET_MAX = 9;

// ── Cursors ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * Time added to the cursor's lifetime for pinning a document in the store. The pin is renewed at most once in this
 * time.
 */
export const DOCUMENT_HOLD_SLACK_MS = 1 * HOUR_MS;
/** Time added as well, so that opening the document again within this time does not renew the pin. */
export const DOCUMENT_HOLD_STEP_MS = 1 * HOUR_MS;

// ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────────────
/** Iterations of key derivation: the maximum that workerd derives in one call. One guess costs about 30 ms of CPU. */
export const PASSPHRASE_ITERATIONS = 100_000;
/** Maximum bytes of a form, a token request or a revocation: a signed client assertion with room to spare. */
export const FORM_BYTES_MAX = 64 * KIB;
/** Time for which an expired token stays listed, so that its owner can see why an agent stopped. */
export const TOKEN_EXPIRED_KEPT_MS = 30 * 24 * HOUR_MS;
/** Time for a user to sign in with a newly registered client. */
export const UNUSED_CLIENT_TTL_SECONDS = 7 * 24 * 3_600;

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/** Number of objects that render pages for reading, each with its own browser. A page's host decides which one does. */
export const RENDERERS = 4;
/**
 * Maximum UTF-8 bytes of a rendered page, both as fetched and as read, independent of MAX_BYTES. At worst an object
 * uses nine times that for each page (text with two bytes per character, UTF-8, Base64 twice, JSON). So four pages stay
 * below 110 MB of the isolate's 128 MB.
 */
export const RENDER_BYTES_MAX = 3_000_000;
/**
 * Pixels of a picture that is drawn: a page of paper scanned at 600 dots an inch has 35 million. Chromium takes four bytes for each.
 */
export const PICTURE_PIXELS_MAX = 40_000_000;
/**
 * Concurrent browsers of an account on Workers Paid: 200 since 2026-08-20, 120 before (Cloudflare's changelog of
 * Browser Run of that day). Cloudflare grants more on request.
 */
export const PLATFORM_BROWSERS_MAX = 200;
/** Maximum sessions with a browser: the plan's limit without the renderers. */
export const SESSIONS_MAX = PLATFORM_BROWSERS_MAX - RENDERERS;
/** Maximum tabs of one session: more than a user needs for one task. Stops a page that opens windows in a loop. */
export const TABS_MAX = 20;

// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Wait for requests that an action started. Afterwards the result says that the page is still loading. */
export const ACT_REQUESTS_MS_MAX = 5 * SECOND_MS;
/** Wait for a navigation that an action started, so that a call with several waits meets its deadline. */
export const ACT_NAVIGATION_MS_MAX = 10 * SECOND_MS;
/** Wait for an element to be actionable. By then transitions have ended, and buttons are enabled after a check. */
export const ACT_READY_MS_MAX = 2 * SECOND_MS;
/** Time to read a page before an action. On a page that hangs, the action runs anyway. */
export const LOOK_BEFORE_MS_MAX = 2 * SECOND_MS;
/** Maximum characters quoted from a page: an element, a dialog, an error. */
export const ACT_QUOTE_CHARS_MAX = 300;
/** Pause between keys, slow enough for suggestion lists that load after each key. */
export const TYPE_SLOWLY_MS = 60;
/** Time to respond, after which a page counts as hanging. */
export const PAGE_ALIVE_MS = 1 * SECOND_MS;

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/** Maximum frames in a view. Pages with advertisements have a dozen. */
export const VIEW_FRAMES_MAX = 24;
/** Default bytes of a view, about 3,000 tokens: as much as a model can take in at every step. */
export const VIEW_BYTES_DEFAULT = 12_000;
export const VIEW_BYTES_MIN = 1_000;
export const VIEW_BYTES_MAX = 60_000;
/** Viewport of a laptop in CSS pixels: sites show their full layout, and a screenshot is small. */
export const BROWSER_VIEWPORT = { width: 1280, height: 800 };
export const TAB_BEGINS_MS = 1 * SECOND_MS;

// ── Screenshots ─────────────────────────────────────────────────────────────────────────────────────────
/** Default side of a screenshot in pixels. Vision models scale larger images down to about this size. */
export const SCREENSHOT_SIDE_DEFAULT = 1_568;

// ── Patterns of callers ─────────────────────────────────────────────────────────────────────────────────
export const REGEX_CHARS_MAX = 256;

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────
/** Maximum characters of a file name that a page or a call gives. Of a longer name, only the end is used. */
export const FILE_GIVEN_NAME_CHARS_MAX = 1_000;
/** Maximum bytes of an upload, because a form is in memory as a whole. */
export const UPLOAD_BYTES_MAX = 25_000_000;
export const FILE_PIECE_BYTES = 1 * MIB;
