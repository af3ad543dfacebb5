import { KIB, MIB } from '#core/limits.ts';

/** An element with its text takes about 0.5 KB of heap, and an isolate's 128 MB must hold two documents. */
export const DOM_ELEMENTS_MAX = 25_000;
/**
 * Limits for one numbered page of a long HTML page. The tree has elements that the source does not have, so these stay
 * below `DOM_ELEMENTS_MAX` and `DOM_CHARS_MAX`.
 */
export const PAGE_ELEMENTS_MAX = 20_000;
export const PAGE_SOURCE_CHARS_MAX = 2_500_000;
/** Levels of JSON that are indented. Deeper levels stay on one line, because the indents would outgrow the data. */
export const JSON_INDENT_LEVELS_MAX = 32;
/** A longer sentence is broken between words, so that a citation stays as short as a sentence. */
export const PROSE_LINE_CHARS_MAX = 240;
/** Characters of Markdown from one file other than HTML: a book of 1,500 pages. Extraction stops there. */
export const FILE_CHARS_MAX = 3_000_000;
/** HTML tags in all parts of a file (chapters, entries, outputs). Each costs up to 7 µs. */
export const FILE_TAGS_MAX = 75_000;
export const SHEET_ROWS_MAX = 10_000;
export const SHEET_COLUMNS_MAX = 256;
/** Real books and documents have tens to hundreds of entries. */
export const ARCHIVE_ENTRIES_MAX = 2_000;
/** Text compresses ten to one, repetitive XML thirty to one, a bomb a thousand to one. */
export const ARCHIVE_RATIO_MAX = 100;
export const ARCHIVE_BYTES_MAX = 40 * MIB;
/** Characters of one output of a notebook cell. Training logs are longer and are cut. */
export const NOTEBOOK_OUTPUT_CHARS_MAX = 20_000;
/** Shorter documents have no outline. */
export const OUTLINE_LINES_MIN = 120;
/** Budget for an outline: about the size of a short table of contents. */
export const OUTLINE_TOKENS_MAX = 400;
/** Code and table lines up to this length are never broken. A longer line would not fit any result. */
export const LINE_BYTES_MAX = 32 * KIB;
/** Lines of one document: 1,500 viewports. Each line takes some 100 bytes of heap, however short it is. */
export const LINES_MAX = 300_000;
/** The rest of a page: menus and a thousand comments. On a page that consists of comments, they are the main part. */
export const REST_BYTES_MAX = 512 * KIB;

/** XML of an OpenDocument text, or of a workbook's shared strings, at 25 ns per byte to unpack and read. */
export const OFFICE_XML_BYTES_MAX = 12 * MIB;
/** XML of a Word document without its formatting. mammoth takes about 12 bytes of heap per byte. */
export const DOCX_XML_BYTES_MAX = 2 * MIB;
/** Elements of one part of a Word document, at up to 30 µs each: 110 pages of text, or 1,900 cells. */
export const DOCX_PAGE_ELEMENTS = 9_000;

/** Limit on pages, including empty ones: each page has a fixed cost of half a millisecond. */
export const PDF_PAGES_MAX = 300;
/**
 * The text budget of a PDF, in characters of up to 0.9 µs. A run of text and a page cost extra (the next limits). The
 * total is well below a second: about 130 pages of a book. Later pages are read with `#page=N`.
 */
export const PDF_WORK_MAX = 600_000;
export const PDF_WORK_PER_PIECE = 16;
/** Work between two pauses for other requests: a tenth of a second. */
export const PDF_WORK_PER_PAUSE = 100_000;
export const PDF_WORK_PER_PAGE = 1_000;
/** Pieces of text on one page. Only drawings made of letters exceed it. */
export const PDF_PIECES_PER_PAGE_MAX = 20_000;
export const PDF_LINKS_PER_PAGE_MAX = 200;
/** Links, form fields and comments of one page, at up to 80 µs each. Forms have hundreds. */
export const PDF_ANNOTATIONS_PER_PAGE_MAX = 2_000;
/** Bytes that a page draws, with its forms as often as it draws them. */
export const PDF_PAGE_BYTES_MAX = 4 * MIB;
/** Unpacked size of a PDF's streams, except images. With pdf.js' own copies, that is half an isolate. */
export const PDF_INFLATED_BYTES_MAX = 40 * MIB;
/** Drawing instructions of a PDF's pages, at up to 0.2 µs per byte. 500 pages of text have 4 to 10 MB. */
export const PDF_DRAWN_BYTES_MAX = 12 * MIB;
/** Size of one stream of drawing instructions. Maps and plots exceed it; text never does. */
export const PDF_STREAM_BYTES_MAX = 2 * MIB;
/** Browsers stop at 512 levels; real pages reach 55. Walking up from an element costs its depth. */
export const DOM_DEPTH_MAX = 100;
/** Levels of XHTML. The parser stores open elements in a list whose cost grows with its length. */
export const XHTML_DEPTH_MAX = 2_000;
/** Characters of text and attributes stored in the tree. */
export const DOM_CHARS_MAX = 3_000_000;
/** Elements that a parser may create per page; most are never stored. The maximum of 1,832 real pages is 15,793. */
export const DOM_CREATED_MAX = 120_000;
/** Segments of a page that are classified, at up to 20 µs each. The largest of 39 large reference pages has 6,642. */
export const SEGMENTS_JUDGED_MAX = 8_000;
/** Columns of a table after `colspan` is expanded. No reader can follow more. */
export const TABLE_COLUMNS_MAX = 64;
/** Characters that a page's table spans may repeat: a third of its text. Later spanned cells stay empty. */
export const TABLE_REPEAT_CHARS_MAX = 1_000_000;
/** Length of an anchor name. Longer names are generated, and no one links to them. */
export const ANCHOR_CHARS_MAX = 300;
