/** Limits that several parts share. Those of one part are in its own `limits.ts`: one name, one unit, one reason each. */

import { HOUR_MS, KIB, MIB, SECOND_MS } from './units.ts';

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/** Hosts give up on a tool call at about 60 s; we answer before. */
export const CALL_DEADLINE_MS = 45 * SECOND_MS;
/** 25,000 tokens is the smallest result limit of a known host, at 3 UTF-8 bytes a token. */
export const RESULT_TEXT_BYTES_MAX = 75_000;
/** Who should have looked for a place so long ago has been ended by the platform, or the thread was busy. */
export const QUEUE_GONE_MS = 500;
/**
 * Long work of the processor, one at a time in an isolate, with a pause after each piece, in which requests that came
 * meanwhile are taken. Nothing takes a second at a stretch, so a turn that is held for longer is held by nobody.
 */
export const TURN_PAUSE_MS = 25;
export const TURN = { max: 1, leaseMs: 3 * SECOND_MS, pollMs: 10, pollMsMax: 10, restMs: TURN_PAUSE_MS } as const;
/** Rests longer than others who wait for the turn look away: they come first. */
export const TURN_OF_PERSON = { ...TURN, pollMs: 20, pollMsMax: 80, restMs: 2 * TURN_PAUSE_MS } as const;
/** A turn whose holder does not come back from its pause is free after this. */
export const TURN_GONE_MS = 500;
/** Work in steps lets others in after each of these: characters, which cost up to 0.3 µs. */
export const STEPS_COST_PER_PAUSE = 500_000;
/** When to try again what an object or the database had no room for: what they have queued is done in seconds. */
export const OVERLOADED_RETRY_SECONDS = 5;

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
export const URL_CHARS_MAX = 8_192;
/** A page that gives less text than this and is made of scripts is taken for a shell that scripts fill. */
export const SHELL_TEXT_CHARS_MAX = 250;
/** So long a call waits for another one's fetch; then it fetches for itself, and has time left for that. */
export const LEASE_WAIT_MS = 12 * SECOND_MS;
/** What is known of this many origins is kept in an isolate, entries up to the sizes below only: 4 MB together. */
export const ORIGINS_IN_MEMORY_MAX = 64;
/** Most sites list none. */
export const MARKDOWN_PAGES_IN_MEMORY_MAX = 100;

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
export const ATTRIBUTE_CHARS_MAX = 4_096;
/** A link target longer than this is a payload, not an address to follow: its text is kept. */
export const LINK_CHARS_MAX = 2_048;

// ── Local search ────────────────────────────────────────────────────────────────────────────────────────
/** A longer word is known by its beginning: no language has one, encoded data is full of them. */
export const WORD_CHARS_MAX = 32;
/** Text that the hourly run may index: about ten seconds of CPU. */
export const INDEX_PER_HOUR_BYTES = 128 * MIB;

// ── Web ─────────────────────────────────────────────────────────────────────────────────────────────────
/** Of the text block and, again, of `markdown` in the structure: together well below what hosts refuse. */
export const PAGE_RESULT_BYTES_MAX = 60_000;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Dropped in one transaction: under 0.2 s of the database here, far from the 30 s it is given. */
export const DROP_DOCUMENTS_PER_BATCH = 100;
export const DROP_BYTES_PER_BATCH = 16 * MIB;
/** The protocol allows no more values in one completion. */
export const COMPLETION_VALUES_MAX = 100;

// ── Reader ──────────────────────────────────────────────────────────────────────────────────────────────
/** Titles and snippets in result lists: enough to choose by, too little to flood a list. */
export const TITLE_CHARS_MAX = 200;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Brave gives no more at a time. */
export const WEB_SEARCH_RESULTS_MAX = 20;
/** Pages of results that can be skipped: Brave's limit. */
export const SEARCH_OFFSET_MAX = 9;

// ── Budgets ─────────────────────────────────────────────────────────────────────────────────────────────
/** 200 a second, about what one isolate answers: a loop that runs away is stopped, agents in parallel are not. */
export const CALLS_PER_MINUTE_DEFAULT = 12_000;
/** One every half second, day and night; at what Workers cost, a few dollars when all of it is used. */
export const CALLS_PER_DAY_DEFAULT = 200_000;
/** A day of research makes some hundreds; at Brave's price this many are 25 dollars. */
export const SEARCHES_PER_DAY_DEFAULT = 5_000;
/** Two browsers that never rest; at Cloudflare's 0.09 dollars an hour, 4.32 dollars a day. */
export const BROWSER_MINUTES_PER_DAY_DEFAULT = 2_880;
/** For everybody together: five people who use up all they have. */
export const TOTAL_CALLS_PER_DAY_DEFAULT = 1_000_000;
export const TOTAL_SEARCHES_PER_DAY_DEFAULT = 25_000;
export const TOTAL_BROWSER_MINUTES_PER_DAY_DEFAULT = 14_400;

// ── Health ──────────────────────────────────────────────────────────────────────────────────────────────
/** What the check writes to KV goes by itself; KV takes nothing shorter. */
export const HEALTH_KEY_TTL_SECONDS = 60;

// ── Cursors ─────────────────────────────────────────────────────────────────────────────────────────────
/** A document is held in the store for a cursor's life plus this, so that the hold is renewed at most once in it. */
export const DOCUMENT_HOLD_SLACK_MS = 1 * HOUR_MS;

// ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────────────
/** The most that workerd derives in one go; about 30 ms of CPU, which is what one guess costs. */
export const PASSPHRASE_ITERATIONS = 100_000;
/** Largest body of a form, a token request or a revocation: a signed client assertion with room to spare. */
export const FORM_BYTES_MAX = 64 * KIB;
/** Looking up the host of a client's document; the person waits for the page. */
export const CLIENT_DOCUMENT_GATE_MS = 5 * SECOND_MS;
/** An expired token stays listed, so that its owner can see why an agent stopped. */
export const TOKEN_EXPIRED_KEPT_MS = 30 * 24 * HOUR_MS;
/** A client that registered and that nobody signed in with: a week is long for "later". */
export const UNUSED_CLIENT_TTL_SECONDS = 7 * 24 * 3_600;

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/** Objects that render pages for reading, each with a browser of its own: pages are shared out among them by host. */
export const RENDERERS = 4;
/** Browsers that Workers Paid lets an account have at a time. */
const PLATFORM_BROWSERS_MAX = 120;
/** Sessions with a browser: what the plan has room for beside the renderers. */
export const SESSIONS_MAX = PLATFORM_BROWSERS_MAX - RENDERERS;
/** Tabs of one session: more than a person keeps open on one task; a page that opens windows in a loop ends here. */
export const TABS_MAX = 20;

// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** For requests that the action began; what takes longer is said to be still loading. */
export const ACT_REQUESTS_MS_MAX = 5 * SECOND_MS;
/** For a navigation that the action began, so that a call with several waits stays within its deadline. */
export const ACT_NAVIGATION_MS_MAX = 10 * SECOND_MS;
/** Transitions, overlays that fade and buttons that are enabled after a check are over by then. */
export const ACT_READY_MS_MAX = 2 * SECOND_MS;
/** Of what a page says about an element, a dialog or an error. */
export const ACT_QUOTE_CHARS_MAX = 300;

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/** Pages with advertisements have a dozen. */
export const VIEW_FRAMES_MAX = 24;
/** Some 3,000 tokens: what a model can take in at every step. */
export const VIEW_BYTES_DEFAULT = 12_000;
export const VIEW_BYTES_MIN = 1_000;
export const VIEW_BYTES_MAX = 60_000;
/** A laptop's window: sites show their full layout, and a screenshot of it is small. CSS pixels. */
export const BROWSER_VIEWPORT = { width: 1280, height: 800 };
/** How long a result waits for a tab that the page just opened to have an address. */
export const TAB_BEGINS_MS = 1 * SECOND_MS;

// ── Screenshots ─────────────────────────────────────────────────────────────────────────────────────────
/** Vision models scale larger images down to about this, and pay for what they lose. */
export const SCREENSHOT_SIDE_DEFAULT = 1_568;

// ── Patterns of callers ─────────────────────────────────────────────────────────────────────────────────
/** A phrase or regular expression to look for. */
export const REGEX_CHARS_MAX = 256;
/** re2js compiles a pattern to this many instructions at most: its cost is linear in size × text. */
export const REGEX_PROGRAM_SIZE_MAX = 500;
