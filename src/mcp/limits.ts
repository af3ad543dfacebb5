import { MIB, SECOND_MS } from '#core/limits.ts';

/** A longer argument is named in a hint, not repeated. */
export const HINT_VALUE_CHARS_MAX = 500;
/** Larger than any call of our tools. The largest argument is the page of `web_extract`. */
export const REQUEST_BODY_BYTES_MAX = 6 * MIB;
/** Interval of writes that detect a closed connection. Keeping a connection open through proxies needs far fewer. */
export const KEEP_ALIVE_MS = 1 * SECOND_MS;
/** Characters of a prompt's focus: a sentence or two. */
export const PROMPT_FOCUS_CHARS_MAX = 500;
