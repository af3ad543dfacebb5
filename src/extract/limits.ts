import { KIB, MIB } from '#core/units.ts';

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** An element with its text takes some 0.5 KB of heap; two documents must fit in an isolate's 128 MB. */
export const DOM_ELEMENTS_MAX = 25_000;
/** Levels to which JSON is indented; deeper ones stay on their line, or indents would outgrow the data. */
export const JSON_INDENT_LEVELS_MAX = 32;
/** A sentence longer than this is broken at a word, so that a citation stays a sentence's size. */
export const PROSE_LINE_CHARS_MAX = 240;

// ── Other file types ────────────────────────────────────────────────────────────────────────────────────
/** Markdown made of one file that is no HTML: a book of 1,500 pages; extraction stops there and says so. */
export const FILE_CHARS_MAX = 3_000_000;
/** HTML tags in all parts of one file (chapters, entries, outputs) together: each costs up to 7 µs. */
export const FILE_TAGS_MAX = 75_000;
/** What tells a table's delimiter from a character in a text: 25 rows of any real table. */
export const CSV_SAMPLE_CHARS_MAX = 64 * KIB;
/** Rows of a table read from CSV, TSV or a worksheet. */
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
/** Real books and documents have tens to hundreds. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Text packs ten to one, repetitive XML thirty; a bomb a thousand. */
export const ARCHIVE_RATIO_MAX = 100;
/** Small entries pack better than this ratio without harm. */
export const ARCHIVE_RATIO_FREE_BYTES = 64 * KIB;
/** Sum of what the entries that are read unpack to. */
export const ARCHIVE_BYTES_MAX = 40 * MIB;
/** Text of one output of a notebook cell: logs of a training run are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;

// ── Documents ───────────────────────────────────────────────────────────────────────────────────────────
/** A document with fewer lines is read without an outline. */
export const OUTLINE_LINES_MIN = 120;
/** What an outline may cost a model: a glance at the contents of a book. */
export const OUTLINE_TOKENS_MAX = 400;
/** Of a heading in an outline: enough to choose by. */
export const OUTLINE_TEXT_CHARS_MAX = 100;
