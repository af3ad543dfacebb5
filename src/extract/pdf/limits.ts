import { MIB } from '#core/units.ts';

/** Whatever is on them: a page costs half a millisecond before its first letter. */
export const PDF_PAGES_MAX = 300;
/**
 * What the text of a PDF may cost, in characters of up to 0.9 µs; a run of text and a page cost as many as the next say.
 * Together well within a second: some 130 pages of a book; those behind them are read by `#page=N`.
 */
export const PDF_WORK_MAX = 600_000;
export const PDF_WORK_PER_PIECE = 16;
/** After each of these others get in: a tenth of a second. */
export const PDF_WORK_PER_PAUSE = 100_000;
export const PDF_WORK_PER_PAGE = 1_000;
/** Each page of the file, read or not: its streams are looked through and listed. For all of them half the work at most. */
export const PDF_WORK_PER_PAGE_OF_FILE = 100;
/** An annotation costs up to 80 µs, link or not. */
export const PDF_WORK_PER_ANNOTATION = 90;
/** A page is looked for among all pages: so many of them cost as much as one character. */
export const PDF_PAGES_PER_WORK = 40;
/** Pieces of text of one page; drawings made of letters have more, pages do not. */
export const PDF_PIECES_PER_PAGE_MAX = 20_000;
export const PDF_LINKS_PER_PAGE_MAX = 200;
/** What the compressed streams of a PDF, images apart, may grow to: with pdf.js' own copies half an isolate. */
export const PDF_INFLATED_BYTES_MAX = 40 * MIB;
/** What the pages of a PDF draw, up to 0.2 µs a byte: 500 pages of text have 4 to 10 MB. */
export const PDF_DRAWN_BYTES_MAX = 12 * MIB;
/** One stream of it: maps and plots have more, text never. */
export const PDF_STREAM_BYTES_MAX = 2 * MIB;
