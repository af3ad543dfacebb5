import { KIB, MIB } from '#core/limits.ts';

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** An element with its text takes about 0.5 KB of heap, and an isolate's 128 MB must hold two documents. */
export const DOM_ELEMENTS_MAX = 25_000;
/** Levels of JSON that are indented. Deeper levels stay on one line, because the indents would outgrow the data. */
export const JSON_INDENT_LEVELS_MAX = 32;
/** A longer sentence is broken between words, so that a citation stays as short as a sentence. */
export const PROSE_LINE_CHARS_MAX = 240;

// ── Other file types ────────────────────────────────────────────────────────────────────────────────────
/** Markdown made from one file that is not HTML: a book of 1,500 pages. Extraction stops there and says so. */
export const FILE_CHARS_MAX = 3_000_000;
/** HTML tags in all parts of one file (chapters, entries, outputs) together. Each costs up to 7 µs. */
export const FILE_TAGS_MAX = 75_000;
/** Enough to tell the delimiter of a table from a character in a text: 25 rows of any real table. */
export const CSV_SAMPLE_CHARS_MAX = 64 * KIB;
/** Rows of one table in CSV, TSV or a worksheet. */
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
/** Real books and documents have tens to hundreds of entries. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Text compresses ten to one, repetitive XML thirty to one, a bomb a thousand to one. */
export const ARCHIVE_RATIO_MAX = 100;
/** Small entries may compress better than that without harm. */
export const ARCHIVE_RATIO_FREE_BYTES = 64 * KIB;
/** The unpacked size of all entries that are read. */
export const ARCHIVE_BYTES_MAX = 40 * MIB;
/** Text of one output of a notebook cell. Logs of a training run are longer, and are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;

// ── Documents ───────────────────────────────────────────────────────────────────────────────────────────
/** Shorter documents have no outline. */
export const OUTLINE_LINES_MIN = 120;
/** What an outline may cost a model: about as much as a glance at a table of contents. */
export const OUTLINE_TOKENS_MAX = 400;
/** Text of one heading in an outline: enough to choose by. */
export const OUTLINE_TEXT_CHARS_MAX = 100;
