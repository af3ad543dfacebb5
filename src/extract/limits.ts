import { KIB, MIB } from '#core/limits.ts';

/**
 * HTML elements in one tree. An element with its text takes about 0.5 KB of heap, and an isolate's 128 MB must hold two
 * trees.
 */
export const DOM_ELEMENTS_MAX = 25_000;
/**
 * Elements and source characters of one numbered page of a long HTML page. Both limits are below `DOM_ELEMENTS_MAX` and
 * `DOM_CHARS_MAX`, because the parser adds elements that the source does not have.
 */
export const PAGE_ELEMENTS_MAX = 20_000;
export const PAGE_SOURCE_CHARS_MAX = 2_500_000;
/**
 * Levels of nested JSON that are indented. Deeper levels stay on one line, because the indents would outgrow the data.
 */
export const JSON_INDENT_LEVELS_MAX = 32;
/**
 * Characters of one line of prose. A longer sentence is broken between words, so that a citation stays as short as a
 * sentence.
 */
export const PROSE_LINE_CHARS_MAX = 240;
/**
 * Characters of Markdown from one file other than HTML. The limit is the text of a book with 1,500 pages. Extraction
 * stops there.
 */
export const FILE_CHARS_MAX = 3_000_000;
/**
 * HTML tags in all HTML parts of one file, such as book chapters, feed entries or notebook outputs. Each tag costs up
 * to 7 µs.
 */
export const FILE_TAGS_MAX = 75_000;
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
/** Entries of one archive. Real books and documents have tens to hundreds of them. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/**
 * Unpacked bytes per packed byte in an archive. Text has a ratio of 10, repetitive XML of 30, and a ZIP bomb of 1,000.
 */
export const ARCHIVE_RATIO_MAX = 100;
export const ARCHIVE_BYTES_MAX = 40 * MIB;
/** Characters of one output of a notebook cell. Longer outputs, such as training logs, are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;
/** A document gets an outline only if it has more lines than this. */
export const OUTLINE_LINES_MIN = 120;
/** Tokens of one outline: about the size of a short table of contents. */
export const OUTLINE_TOKENS_MAX = 400;
/**
 * Bytes of one line. Shorter lines of code and tables are never broken. A longer line would not fit into any result.
 */
export const LINE_BYTES_MAX = 32 * KIB;
/** Lines of one document: enough for 1,500 viewports. Even a short line takes some 100 bytes of heap. */
export const LINES_MAX = 300_000;
/**
 * Bytes of the rest of a page: enough for menus and a thousand comments. A page that consists of comments is not
 * limited by this, because its comments are the main part.
 */
export const REST_BYTES_MAX = 512 * KIB;

/**
 * Bytes of XML in an OpenDocument text, or in a workbook's shared strings. Unpacking and reading take 25 ns per byte.
 */
export const OFFICE_XML_BYTES_MAX = 12 * MIB;
/** Bytes of a Word document's XML after its formatting was removed. mammoth takes about 12 bytes of heap per byte. */
export const DOCX_XML_BYTES_MAX = 2 * MIB;
/**
 * Elements of one numbered page of a Word document, at up to 30 µs each. The limit is enough for 110 pages of text, or
 * for 1,900 table cells.
 */
export const DOCX_PAGE_ELEMENTS = 9_000;

/** Pages of a PDF that one call reads. Empty pages count, because each page has a fixed cost of half a millisecond. */
export const PDF_PAGES_MAX = 300;
/**
 * The work limit for one read of a PDF, in units of one text character (up to 0.9 µs). Each piece of text and each page
 * cost extra units: see `PDF_WORK_PER_PIECE` and `PDF_WORK_PER_PAGE`. The total takes well below a second and is enough
 * for about 130 book pages. The reader opens later pages with `#page=N`.
 */
export const PDF_WORK_MAX = 600_000;
export const PDF_WORK_PER_PIECE = 16;
/** Units of PDF work between two pauses for other requests: a tenth of a second. */
export const PDF_WORK_PER_PAUSE = 100_000;
export const PDF_WORK_PER_PAGE = 1_000;
/** Pieces of text on one PDF page. Only drawings made of letters exceed this limit. */
export const PDF_PIECES_PER_PAGE_MAX = 20_000;
export const PDF_LINKS_PER_PAGE_MAX = 200;
/** Links, form fields and comments of one PDF page, at up to 80 µs each. Forms have hundreds of fields. */
export const PDF_ANNOTATIONS_PER_PAGE_MAX = 2_000;
/** Bytes of drawing instructions that one PDF page executes. A form XObject counts each time the page draws it. */
export const PDF_PAGE_BYTES_MAX = 4 * MIB;
/**
 * Unpacked bytes of a PDF's streams, without images. Together with the copies that pdf.js makes, they take half of an
 * isolate's memory.
 */
export const PDF_INFLATED_BYTES_MAX = 40 * MIB;
/** Bytes of drawing instructions in all pages of a PDF, at up to 0.2 µs each. 500 pages of text have 4 to 10 MB. */
export const PDF_DRAWN_BYTES_MAX = 12 * MIB;
/** Bytes of one stream of drawing instructions in a PDF. Maps and plots exceed this limit; text never does. */
export const PDF_STREAM_BYTES_MAX = 2 * MIB;
/**
 * Levels of nested HTML elements. Browsers allow 512, and real pages reach 55. The limit is low because each walk from
 * an element to the root costs its depth.
 */
export const DOM_DEPTH_MAX = 100;
/**
 * Levels of nested XHTML elements. The parser stores the open elements in a list, and each operation costs the length
 * of that list.
 */
export const XHTML_DEPTH_MAX = 2_000;
/** Characters of text and attributes in the tree of an HTML page. */
export const DOM_CHARS_MAX = 3_000_000;
/**
 * Elements that the HTML parser may create per page, including elements that are not stored. The maximum of 1,832 real
 * pages is 15,793.
 */
export const DOM_CREATED_MAX = 120_000;
/**
 * Segments of a page that the model classifies, at up to 20 µs each. The largest of 39 large reference pages has 6,642.
 */
export const SEGMENTS_JUDGED_MAX = 8_000;
/** Columns of a table after `colspan` is expanded. Wider tables are unreadable. */
export const TABLE_COLUMNS_MAX = 64;
/**
 * Characters that the `colspan` and `rowspan` of a page's tables may repeat: a third of the page's text limit. Beyond
 * this limit, spanned cells stay empty.
 */
export const TABLE_REPEAT_CHARS_MAX = 1_000_000;
/** Characters of an anchor name. Longer names are generated by programs, and no page links to them. */
export const ANCHOR_CHARS_MAX = 300;
