import { KIB, MIB } from '#core/limits.ts';

/** Maximum HTML elements in one tree, at 0.5 KB each with their text: an isolate's 128 MB must hold two trees. */
export const DOM_ELEMENTS_MAX = 25_000;
/**
 * Maximum elements and source characters of one numbered page (`#page=2`) of a long HTML page. They are below the
 * limits of a tree, because the parser adds elements that the source does not have, such as `<tbody>`.
 */
export const HTML_PART_ELEMENTS_MAX = 20_000;
export const HTML_PART_SOURCE_CHARS_MAX = 2_500_000;
/** Maximum levels of nested JSON that are indented. Indents of deeper levels would be larger than the data. */
export const JSON_INDENT_LEVELS_MAX = 32;
/** Maximum characters of one line of prose. A longer sentence is broken between words, to keep citations short. */
export const PROSE_LINE_CHARS_MAX = 240;
/** Maximum characters of Markdown from a file other than HTML: a book of 1,500 pages. Extraction stops there. */
export const FILE_MARKDOWN_CHARS_MAX = 3_000_000;
/** Maximum HTML tags in all HTML parts of a file, such as chapters or feed entries. Each tag costs up to 7 µs. */
export const FILE_HTML_TAGS_MAX = 75_000;
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
/** Maximum entries of one archive. Real books and documents have tens to hundreds of them. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Maximum unpacked bytes per packed byte of an archive. Text has 10, repetitive XML 30, and a ZIP bomb 1,000. */
export const ARCHIVE_COMPRESSION_RATIO_MAX = 100;
export const ARCHIVE_UNPACKED_BYTES_MAX = 40 * MIB;
/** Maximum characters of one text output of a notebook cell. Longer outputs, such as training logs, are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;
/** A document gets an outline only if it has more lines than this. */
export const OUTLINED_DOCUMENT_LINES_MIN = 120;
/** Maximum tokens of one outline: about the size of a short table of contents. */
export const OUTLINE_TOKENS_MAX = 400;
/** Maximum bytes of a line of code or of a table. A longer line is broken, because it would fit into no result. */
export const UNBROKEN_LINE_BYTES_MAX = 32 * KIB;
/** Maximum lines of one document. Each line takes at least 100 bytes of heap, even a short one. */
export const DOCUMENT_LINES_MAX = 300_000;
/**
 * Maximum bytes of the text after a page's main part: enough for menus and a thousand comments. In a page that consists
 * of comments, such as a forum, these are the main part, which has other limits.
 */
export const REST_OF_PAGE_BYTES_MAX = 512 * KIB;

/**
 * Maximum bytes of XML in an OpenDocument file's content or a workbook's shared strings. Reading takes 25 ns per byte.
 */
export const OFFICE_XML_BYTES_MAX = 12 * MIB;
/**
 * Maximum characters of a Word file's XML without its formatting. The parser, mammoth, takes 12 bytes of heap for each.
 */
export const DOCX_XML_BYTES_MAX = 2 * MIB;
/** Maximum elements of one numbered page of a Word file, at up to 30 µs each: 110 pages, or 1,900 table cells. */
export const DOCX_ELEMENTS_PER_PART = 9_000;

/** Maximum pages of a PDF read by one call. Empty pages also count, because each page costs at least 0.5 ms. */
export const PDF_PAGES_MAX = 300;
/** Maximum pages of a PDF that can be read at all. A small file can declare any number, and long books have 10,000. */
export const PDF_FILE_PAGES_MAX = 50_000;
/**
 * Maximum work for one read of a PDF, in units of one text character (up to 0.9 µs). Pieces of text and pages cost
 * extra (`PDF_WORK_PER_TEXT_PIECE`, `PDF_WORK_PER_PAGE`). The limit is reached after about 130 book pages, well below a
 * second. The caller opens later pages with `#page=N`.
 */
export const PDF_WORK_MAX = 600_000;
export const PDF_WORK_PER_TEXT_PIECE = 16;
/** Units of work on a PDF between two pauses for other requests: a tenth of a second. */
export const PDF_WORK_BETWEEN_PAUSES = 100_000;
export const PDF_WORK_PER_PAGE = 1_000;
/** Maximum pieces of text on one PDF page. Only drawings made of letters have more. */
export const PDF_PIECES_PER_PAGE_MAX = 20_000;
export const PDF_LINKS_PER_PAGE_MAX = 200;
/** Maximum links, form fields and comments of one PDF page, at up to 80 µs each. Forms have hundreds of fields. */
export const PDF_ANNOTATIONS_PER_PAGE_MAX = 2_000;
/** Maximum bytes of drawing instructions executed for one PDF page. A form XObject counts each time it is drawn. */
export const PDF_PAGE_DRAWING_BYTES_MAX = 4 * MIB;
/** Maximum unpacked bytes of a PDF's streams, without images. With copies in pdf.js: half of an isolate's memory. */
export const PDF_INFLATED_BYTES_MAX = 40 * MIB;
/** Maximum bytes of drawing instructions in a PDF, at up to 0.2 µs each. 500 pages of text have 4 to 10 MB. */
export const PDF_DRAWING_BYTES_MAX = 12 * MIB;
/** Maximum bytes of one stream of drawing instructions in a PDF. Only maps and plots have larger ones. */
export const PDF_STREAM_DRAWING_BYTES_MAX = 2 * MIB;
/**
 * Maximum levels of nested HTML elements: browsers allow 512, and real pages reach 55. The limit is low, because
 * walking from an element to the root, which is done often, costs as many steps as there are levels.
 */
export const DOM_DEPTH_MAX = 100;
/** Maximum levels of nested XHTML elements. Each open and close tag costs as many steps as there are levels. */
export const XHTML_DEPTH_MAX = 2_000;
/** Maximum characters of text and attributes in the tree of an HTML page. */
export const DOM_CHARS_MAX = 3_000_000;
/** Maximum elements that the HTML parser creates per page, stored or not. 1,832 real pages reach 15,793. */
export const PARSED_ELEMENTS_MAX = 120_000;
/** Maximum segments of a page that the model classifies, at up to 20 µs each. 39 large reference pages reach 6,642. */
export const SEGMENTS_CLASSIFIED_MAX = 8_000;
/** Maximum columns of a table after `colspan` is expanded. Wider tables are unreadable. */
export const TABLE_COLUMNS_MAX = 64;
/** Maximum characters that `colspan` and `rowspan` may repeat on a page. Further spanned cells stay empty. */
export const SPAN_REPEAT_CHARS_MAX = 1_000_000;
/** Maximum characters of an anchor name. Longer names are generated by programs, and no page links to them. */
export const ANCHOR_NAME_CHARS_MAX = 300;
