import { column, makePdf } from './make-pdf.ts';

/** More pages than are read at a time. The first and last line of each page contain its number. */
export const LONG_PDF_PAGES = 60;

const FILLER = 'lamp and glass and oil and light '.repeat(5).trim();
const LINES_BETWEEN = 110;

export function longPdf(): Uint8Array {
  const pages = Array.from({ length: LONG_PDF_PAGES }, (_, index) => ({
    texts: column(
      [
        `Sheet ${index + 1} begins here.`,
        ...Array.from({ length: LINES_BETWEEN }, () => `${FILLER}.`),
        `Sheet ${index + 1} ends here.`,
      ],
      60,
      790,
      4,
      6.5,
    ),
  }));
  return makePdf(pages);
}
