// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Longer attributes are payloads, such as data URLs and inlined state. */
export const HTML_ATTRIBUTE_CHARS_MAX = 300;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Elements whose style is asked for, to see what a hidden part shows after all. */
export const RENDER_LOOKS_MAX = 20_000;
/** Lines of one result: some 1,500 tokens. */
export const LOG_LINES_MAX = 40;
/** Length of a message, an address or the value of a header. */
export const LOG_LINE_CHARS_MAX = 300;
/** Part of the body of a request or an answer: enough for an error message. */
export const LOG_BODY_CHARS_MAX = 4_000;
