import { MIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** A longer argument is named in a hint, not repeated. */
export const HINT_VALUE_CHARS_MAX = 500;
/** A larger JSON-RPC body is not a call of our tools. The largest argument is the page of `web_extract`. */
export const REQUEST_BODY_BYTES_MAX = 6 * MIB;
/** Interval of writes, at which a closed connection is noticed. Proxies need far fewer to keep a connection open. */
export const KEEP_ALIVE_MS = 1 * SECOND_MS;
/** The page in a prompt. With our own words it fits one result. */
export const PROMPT_PAGE_BYTES_MAX = 70_000;
/** What a person wants a prompt to focus on: a sentence or two. */
export const PROMPT_FOCUS_CHARS_MAX = 500;
/**
 * Lifetime of a client's copy of a list that only a deploy or another permission changes. `tools/list` has 62 KB, and
 * some clients ask for it before each turn of a model.
 */
export const LIST_FRESH_MS = 5 * MINUTE_MS;
