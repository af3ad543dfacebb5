// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** Browsers stop at 512 levels; real pages reach 55. Walking up from an element costs its depth. */
export const DOM_DEPTH_MAX = 100;
/** HTML that reaches the DOM, after scripts, styles, comments and SVG are removed. */
export const DOM_HTML_CHARS_MAX = 3_000_000;
/**
 * Character references left in the text of a page. The parser makes a text node of each, which costs as much as an
 * element.
 */
export const TEXT_REFERENCES_MAX = 100_000;
/** Segments of a page that are classified, at up to 20 µs each. The largest of 39 large reference pages has 6,642. */
export const SEGMENTS_JUDGED_MAX = 8_000;
/**
 * Lists and quotes that are nested deeper keep their text but get no more indent, because the indent would outgrow the
 * text.
 */
export const MARKDOWN_NEST_MAX = 16;
/** Columns of a table after `colspan` is expanded. No reader can follow more. */
export const TABLE_COLUMNS_MAX = 64;
/**
 * Characters that the spans of a page's tables may repeat: at most a third of its text. After that, the cells they
 * cover stay empty.
 */
export const TABLE_REPEAT_CHARS_MAX = 1_000_000;

// ── Documents ───────────────────────────────────────────────────────────────────────────────────────────
/** Length of a name that links lead to. Longer names are generated, and nobody links to them. */
export const ANCHOR_CHARS_MAX = 300;
