// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** Browsers stop at 512 levels; real pages reach 55. Walking up from an element costs its depth. */
export const DOM_DEPTH_MAX = 100;
/** Levels of XHTML. The parser keeps open elements in a list whose cost grows with its length. */
export const XHTML_DEPTH_MAX = 2_000;
/** Characters of text and attributes that reach the tree. */
export const DOM_CHARS_MAX = 3_000_000;
/** Elements that a parser may make for one page, most of which are never stored. Of 1,832 real pages, the one with most has 15,793. */
export const DOM_CREATED_MAX = 120_000;
/** Elements that describe a page: `meta`, `base`, `link`. */
export const HEAD_ELEMENTS_MAX = 200;
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
