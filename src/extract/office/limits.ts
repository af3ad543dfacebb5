import { MIB } from '#core/units.ts';

/** XML of the sheets of a workbook together: up to 90 ns a byte to unpack and read, 190,000 cells. */
export const SHEETS_XML_BYTES_MAX = 9 * MIB;
/** XML of an OpenDocument text, and of the texts that the cells of a workbook share: 25 ns a byte to unpack and read. */
export const OFFICE_XML_BYTES_MAX = 12 * MIB;
/** XML of a Word document without its looks: its reader takes some 12 bytes of heap for each. */
export const DOCX_XML_BYTES_MAX = 2 * MIB;
/** Elements of a Word document that are read at a time, up to 30 µs each: 110 pages of text, 1,900 cells. */
export const DOCX_PAGE_ELEMENTS = 9_000;
/** The same with its styles, lists and notes. */
export const DOCX_ELEMENTS_MAX = 32_000;
