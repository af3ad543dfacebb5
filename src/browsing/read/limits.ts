// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Attributes longer than this are payloads: data URLs, inlined state. */
export const HTML_ATTRIBUTE_CHARS_MAX = 300;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Elements whose looks are asked for to see what a hidden part shows after all. */
export const RENDER_LOOKS_MAX = 20_000;
/** Lines of one look at what a page logged or asked for: some 1,500 tokens. */
export const LOG_LINES_MAX = 40;
/** Of a message, an address or the value of a header. */
export const LOG_LINE_CHARS_MAX = 300;
/** Of the body of a request or an answer: enough for the message of an error. */
export const LOG_BODY_CHARS_MAX = 4_000;
