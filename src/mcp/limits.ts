import { MIB } from '#core/limits.ts';

/** Maximum characters of an argument that a hint repeats. For a longer one the hint writes `<the url you sent>`. */
export const HINT_ARGUMENT_CHARS_MAX = 500;
/** Maximum bytes of a request. The largest argument is the page of `web_extract`. */
export const REQUEST_BODY_BYTES_MAX = 6 * MIB;
/** Maximum characters of a prompt's argument `focus`: a sentence or two. */
export const PROMPT_FOCUS_CHARS_MAX = 500;
