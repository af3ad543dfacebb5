import { MIB } from '#core/units.ts';

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/** An argument that is longer than this is named in a hint, not repeated. */
export const HINT_VALUE_CHARS_MAX = 500;
/** A JSON-RPC body larger than this is no tool call of ours: `web_extract` takes the largest argument, a page. */
export const REQUEST_BODY_BYTES_MAX = 6 * MIB;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** The page in a prompt: with our words on it, it stays within one result. */
export const PROMPT_PAGE_BYTES_MAX = 70_000;
/** What a person may want a prompt to look at: a sentence or two. */
export const PROMPT_FOCUS_CHARS_MAX = 500;
