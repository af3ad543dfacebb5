import { KIB, MIB } from '#core/limits.ts';

/** An element with its text takes about 0.5 KB of heap, and an isolate's 128 MB must hold two documents. */
export const DOM_ELEMENTS_MAX = 25_000;
/**
 * Elements and characters of source of one numbered page of a long HTML page. The tree gets some elements that the source does
 * not have, so this stays below `DOM_ELEMENTS_MAX` and `DOM_CHARS_MAX`.
 */
export const PAGE_ELEMENTS_MAX = 20_000;
export const PAGE_SOURCE_CHARS_MAX = 2_500_000;
/** Names of places in later pages that are kept with the first: 20 characters for each of 20,000. */
export const LATER_NAMES_CHARS_MAX = 400_000;
/** Levels of JSON that are indented. Deeper levels stay on one line, because the indents would outgrow the data. */
export const JSON_INDENT_LEVELS_MAX = 32;
/** A longer sentence is broken between words, so that a citation stays as short as a sentence. */
export const PROSE_LINE_CHARS_MAX = 240;
/** Markdown made from one file that is not HTML: a book of 1,500 pages. Extraction stops there and says so. */
export const FILE_CHARS_MAX = 3_000_000;
/** HTML tags in all parts of one file (chapters, entries, outputs) together. Each costs up to 7 µs. */
export const FILE_TAGS_MAX = 75_000;
/** Rows of one table in CSV, TSV or a worksheet. */
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
/** Real books and documents have tens to hundreds of entries. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Text compresses ten to one, repetitive XML thirty to one, a bomb a thousand to one. */
export const ARCHIVE_RATIO_MAX = 100;
/** The unpacked size of all entries that are read. */
export const ARCHIVE_BYTES_MAX = 40 * MIB;
/** Text of one output of a notebook cell. Logs of a training run are longer, and are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;
/** Shorter documents have no outline. */
export const OUTLINE_LINES_MIN = 120;
/** What an outline may cost a model: about as much as a glance at a table of contents. */
export const OUTLINE_TOKENS_MAX = 400;
/** Code and table lines that are shorter are never broken. A longer line could not be shown at all. */
export const LINE_BYTES_MAX = 32 * KIB;
/** Lines of one document: 1,500 viewports. A line takes some 100 bytes of heap while it is made, however short it is. */
export const LINES_MAX = 300_000;
/** The rest of a page: menus and a thousand comments. A page that consists of such parts has them as its main part. */
export const REST_BYTES_MAX = 512 * KIB;

/** XML of all sheets of a workbook: 190,000 cells, at up to 90 ns a byte to unpack and read. */
export const SHEETS_XML_BYTES_MAX = 9 * MIB;
/** XML of an OpenDocument text, or of the texts that the cells of a workbook share: 25 ns a byte to unpack and read. */
export const OFFICE_XML_BYTES_MAX = 12 * MIB;
/** XML of a Word document without its formatting. Its reader takes about 12 bytes of heap for each byte. */
export const DOCX_XML_BYTES_MAX = 2 * MIB;
/** Elements of a Word document that are read at a time, at up to 30 µs each: 110 pages of text, or 1,900 cells. */
export const DOCX_PAGE_ELEMENTS = 9_000;
/** The same together with its styles, lists and notes. */
export const DOCX_ELEMENTS_MAX = 32_000;

/** Pages, whatever is on them. A page costs half a millisecond before its first letter. */
export const PDF_PAGES_MAX = 300;
/**
 * What the text of a PDF may cost, in characters of up to 0.9 µs. A run of text and a page cost as many as the next
 * limits say. Together this is well within a second: about 130 pages of a book. Later pages are read with `#page=N`.
 */
export const PDF_WORK_MAX = 600_000;
export const PDF_WORK_PER_PIECE = 16;
/** A pause for other requests follows after each of these: a tenth of a second. */
export const PDF_WORK_PER_PAUSE = 100_000;
export const PDF_WORK_PER_PAGE = 1_000;
/** Pieces of text on one page. Drawings made of letters have more; pages do not. */
export const PDF_PIECES_PER_PAGE_MAX = 20_000;
export const PDF_LINKS_PER_PAGE_MAX = 200;
/**
 * Size to which the compressed streams of a PDF, except images, may unpack. Together with pdf.js' own copies that is
 * half an isolate.
 */
export const PDF_INFLATED_BYTES_MAX = 40 * MIB;
/** What the pages of a PDF draw, at up to 0.2 µs a byte. 500 pages of text have 4 to 10 MB. */
export const PDF_DRAWN_BYTES_MAX = 12 * MIB;
/** One such stream. Maps and plots have more; text never does. */
export const PDF_STREAM_BYTES_MAX = 2 * MIB;
/** Browsers stop at 512 levels; real pages reach 55. Walking up from an element costs its depth. */
export const DOM_DEPTH_MAX = 100;
/** Levels of XHTML. The parser keeps open elements in a list whose cost grows with its length. */
export const XHTML_DEPTH_MAX = 2_000;
/** Characters of text and attributes that reach the tree. */
export const DOM_CHARS_MAX = 3_000_000;
/** Elements that a parser may make for one page, most of which are never stored. Of 1,832 real pages, the one with most has 15,793. */
export const DOM_CREATED_MAX = 120_000;
/** Segments of a page that are classified, at up to 20 µs each. The largest of 39 large reference pages has 6,642. */
export const SEGMENTS_JUDGED_MAX = 8_000;
/** Columns of a table after `colspan` is expanded. No reader can follow more. */
export const TABLE_COLUMNS_MAX = 64;
/**
 * Characters that the spans of a page's tables may repeat: at most a third of its text. After that, the cells they
 * cover stay empty.
 */
export const TABLE_REPEAT_CHARS_MAX = 1_000_000;
/** Length of a name that links lead to. Longer names are generated, and nobody links to them. */
export const ANCHOR_CHARS_MAX = 300;
