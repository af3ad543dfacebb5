// ── Acting on a page ────────────────────────────────────────────────────────────────────────────────────
/** Attributes longer than this are payloads: data URLs, inlined state. */
export const HTML_ATTRIBUTE_CHARS_MAX = 300;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Elements whose looks are asked for to see what a hidden part shows after all. */
export const RENDER_LOOKS_MAX = 20_000;
