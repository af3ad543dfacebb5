import { MIB } from '#core/limits.ts';

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
/**
 * The cost of each page of the file, read or not, because its streams are searched and listed. For all pages together
 * at most half the work.
 */
export const PDF_WORK_PER_PAGE_OF_FILE = 100;
/** An annotation costs up to 80 µs, whether it is a link or not. */
export const PDF_WORK_PER_ANNOTATION = 90;
/** A page is searched for among all pages: this many of them cost as much as one character. */
export const PDF_PAGES_PER_WORK = 40;
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
