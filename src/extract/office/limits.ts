import { MIB } from '#core/limits.ts';

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
