/**
 * Limits that several folders share. Those of one folder are in its own `limits.ts`. Each has one name, one unit and
 * one reason.
 */

/** Units that limits are written in. */
export const KIB = 1024;
export const MIB = 1024 * KIB;
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/** Hosts give up on a tool call after about 60 s, so we answer before that. */
export const CALL_DEADLINE_MS = 45 * SECOND_MS;
/** 25,000 tokens is the smallest result limit of a known host, at 3 UTF-8 bytes a token. */
export const RESULT_TEXT_BYTES_MAX = 75_000;
/** A waiting request that has not looked for this long was ended by the platform, or the thread was busy. */
export const QUEUE_GONE_MS = 500;
/**
 * Long CPU work runs one at a time in an isolate, with a pause after each piece in which other requests are handled. No
 * piece takes a second, so a turn that is held for longer has lost its holder.
 */
export const TURN_PAUSE_MS = 25;
export const TURN = { max: 1, leaseMs: 3 * SECOND_MS, pollMs: 10, pollMsMax: 10, restMs: TURN_PAUSE_MS } as const;
/** Rests longer than others who wait for the turn look away, so they come first. */
export const TURN_OF_PERSON = { ...TURN, pollMs: 20, pollMsMax: 80, restMs: 2 * TURN_PAUSE_MS } as const;
/** A turn is free after this if its holder does not come back from its pause. */
export const TURN_GONE_MS = 500;
/** Work in steps pauses after this many characters. Each costs up to 0.3 µs. */
export const STEPS_COST_PER_PAUSE = 500_000;
/**
 * What the work of an isolate may hold at a time, measured with `npm run bench:memory`. An isolate has 128 MB; its code and
 * what it remembers take 38 MB, and the rest is for garbage.
 */
export const MEMORY_BYTES = 60_000_000;
/** A page up to `BODY_BYTES_WITHOUT_ROOM` needs no more; and what large needs leave free for such pages. */
export const MEMORY_SMALL_BYTES = 2_500_000;
export const MEMORY_FOR_SMALL_BYTES = 4_000_000;
/** Pages of one person that wait for slow sites leave as much to others. */
export const MEMORY_SMALL_OF_PERSON_BYTES = MEMORY_BYTES / 2;
/**
 * The holder of a share says every `beatMs` that it is there. The lease is longer than any work keeps the thread busy. A call
 * waits for `waitMs` at most: it then has time left to read a page before its deadline.
 */
export const MEMORY_SHARE = { leaseMs: 4 * SECOND_MS, beatMs: SECOND_MS, pollMs: 40, waitMs: 28 * SECOND_MS } as const;
/** When to try again after an object or the database was overloaded. Their queues are worked off within seconds. */
export const OVERLOADED_RETRY_SECONDS = 5;

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
export const URL_CHARS_MAX = 8_192;
/** A body up to this size is read without waiting for room: most pages of the web are smaller. */
export const BODY_BYTES_WITHOUT_ROOM = 256 * KIB;
/** A page with less text than this that consists of scripts counts as a shell that scripts fill. */
export const SHELL_TEXT_CHARS_MAX = 250;
/** How long a call waits for another call's fetch. Then it fetches for itself, and has time left for that. */
export const LEASE_WAIT_MS = 12 * SECOND_MS;

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
export const ATTRIBUTE_CHARS_MAX = 4_096;
/** A longer link target is a payload, not an address to follow. Its text is kept. */
export const LINK_CHARS_MAX = 2_048;

// ── Local search ────────────────────────────────────────────────────────────────────────────────────────
/** A longer word is indexed by its beginning. No language has longer ones; encoded data is full of them. */
export const WORD_CHARS_MAX = 32;

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
/**
 * The limit for the text block and, again, for `markdown` in the structure. Together they stay well below what hosts
 * accept.
 */
export const PAGE_RESULT_BYTES_MAX = 60_000;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Deleted in one transaction, which takes under 0.2 s of the database; it may take 30 s. */
export const DROP_DOCUMENTS_PER_BATCH = 100;
export const DROP_BYTES_PER_BATCH = 16 * MIB;
/** The protocol allows no more values in one completion. */
export const COMPLETION_VALUES_MAX = 100;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
/** Of a passage in a list of results, and of a provider's description. */
export const SNIPPET_CHARS_MAX = 400;
/** Titles and snippets in result lists: enough to choose by, without flooding the list. */
export const TITLE_CHARS_MAX = 200;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Brave returns no more at a time. */
export const WEB_SEARCH_RESULTS_MAX = 20;
/** Pages of results that can be skipped: Brave's limit. */
export const SEARCH_OFFSET_MAX = 9;

// ── Cursors ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * A document is held in the store for the life of a cursor plus this, so the hold is renewed at most once in this time.
 */
export const DOCUMENT_HOLD_SLACK_MS = 1 * HOUR_MS;
/** And plus this, so that opening it again within this time does not renew the hold. */
export const DOCUMENT_HOLD_STEP_MS = 1 * HOUR_MS;

// ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────────────
/** The most that workerd derives in one call. It takes about 30 ms of CPU, which is the cost of one guess. */
export const PASSPHRASE_ITERATIONS = 100_000;
/** Largest body of a form, a token request or a revocation: a signed client assertion with room to spare. */
export const FORM_BYTES_MAX = 64 * KIB;
/** An expired token stays listed, so that its owner can see why an agent stopped. */
export const TOKEN_EXPIRED_KEPT_MS = 30 * 24 * HOUR_MS;
/** Time for somebody to sign in with a client that has registered. */
export const UNUSED_CLIENT_TTL_SECONDS = 7 * 24 * 3_600;

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * Objects that render pages for reading, each with a browser of its own. The host of a page decides which one renders
 * it.
 */
export const RENDERERS = 4;
/**
 * UTF-8 bytes of a page that is rendered, both as fetched and as read, whatever MAX_BYTES says. At worst an object holds nine
 * times that for each page (text with two bytes a character, UTF-8, Base64 twice, JSON). So four pages stay below 110 MB of
 * the 128 MB that an isolate has.
 */
export const RENDER_BYTES_MAX = 3_000_000;
/**
 * Browsers that Workers Paid allows an account at a time: 200 since 2026-08-20, 120 before (Cloudflare's changelog of Browser Run of that
 * day). Cloudflare grants more on request.
 */
export const PLATFORM_BROWSERS_MAX = 200;
/** Sessions with a browser: what the plan allows beside the renderers. */
export const SESSIONS_MAX = PLATFORM_BROWSERS_MAX - RENDERERS;
/** Tabs of one session: more than a person keeps open for one task. It stops a page that opens windows in a loop. */
export const TABS_MAX = 20;

// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** For requests that an action started. If they take longer, the result says that the page is still loading. */
export const ACT_REQUESTS_MS_MAX = 5 * SECOND_MS;
/** For a navigation that an action started, so that a call with several waits meets its deadline. */
export const ACT_NAVIGATION_MS_MAX = 10 * SECOND_MS;
/** By then, transitions and fading overlays are over, and buttons are enabled after a check. */
export const ACT_READY_MS_MAX = 2 * SECOND_MS;
/** Time to read a page before an action: a page that hangs is acted on all the same. */
export const LOOK_BEFORE_MS_MAX = 2 * SECOND_MS;
/** Length of a quotation from a page: an element, a dialog, an error. */
export const ACT_QUOTE_CHARS_MAX = 300;
/** Pause between keys, slow enough for suggestion lists that load after each key. */
export const TYPE_SLOWLY_MS = 60;
/** A page that does not answer within this time counts as hanging. */
export const PAGE_ALIVE_MS = 1 * SECOND_MS;

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/** Pages with advertisements have a dozen. */
export const VIEW_FRAMES_MAX = 24;
/** Some 3,000 tokens: what a model can take in at every step. */
export const VIEW_BYTES_DEFAULT = 12_000;
export const VIEW_BYTES_MIN = 1_000;
export const VIEW_BYTES_MAX = 60_000;
/** A laptop's window: sites show their full layout, and a screenshot of it is small. CSS pixels. */
export const BROWSER_VIEWPORT = { width: 1280, height: 800 };
/** How long a result waits for the address of a tab that the page has just opened. */
export const TAB_BEGINS_MS = 1 * SECOND_MS;

// ── Screenshots ─────────────────────────────────────────────────────────────────────────────────────────
/** Vision models scale larger images down to about this size and lose detail. */
export const SCREENSHOT_SIDE_DEFAULT = 1_568;

// ── Patterns of callers ─────────────────────────────────────────────────────────────────────────────────
/** Length of a phrase or regular expression to search for. */
export const REGEX_CHARS_MAX = 256;

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────
/** Of a name that a page or a call gives to a file; what stands before more is not looked at. */
export const FILE_GIVEN_NAME_CHARS_MAX = 1_000;
/** Of a file that a person uploads: a form is held in memory as a whole. */
export const UPLOAD_BYTES_MAX = 25_000_000;
/** Rows of an object hold 2 MB at most; a file is kept and handed on in pieces of this. */
export const FILE_PIECE_BYTES = 1 * MIB;
