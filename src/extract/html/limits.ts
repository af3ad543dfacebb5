// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** Browsers stop at 512, real pages at 55; what walks up from each element costs its depth. */
export const DOM_DEPTH_MAX = 100;
/** HTML that reaches the DOM after scripts, styles, comments and SVG are gone. */
export const DOM_HTML_CHARS_MAX = 3_000_000;
/** Character references left in a page's text: the parser makes a text of each, at the cost of an element. */
export const TEXT_REFERENCES_MAX = 100_000;
/** Segments of a page that are judged for what they are, at up to 20 µs each; the most on 39 large pages of reference is 6,642. */
export const SEGMENTS_JUDGED_MAX = 8_000;
/** Lists and quotes nested deeper than this keep their text and lose their indent: it would outgrow the text. */
export const MARKDOWN_NEST_MAX = 16;
/** Columns of a table after `colspan` is spelled out; no reader follows more. */
export const TABLE_COLUMNS_MAX = 64;
/** Characters that the spans of a page's tables may repeat: a third of its text at most; beyond, cells they cover stay empty. */
export const TABLE_REPEAT_CHARS_MAX = 1_000_000;

// ── Documents ───────────────────────────────────────────────────────────────────────────────────────────
/** Of a name that links lead to; longer ones are generated, and nobody links there. */
export const ANCHOR_CHARS_MAX = 300;
