/** `size`: set only for an SVG, which has no pixels of its own. A size below `sideMin` is enlarged. */
export type PictureToDraw = {
  url: string;
  size: { width: number; height: number } | null;
  sideMax: number;
  sideMin: number;
};
/** `isDark`: true if the background is dark, because the image is light and transparent. */
export type DrawnPicture = { width: number; height: number; isDark: boolean } | { problem: 'broken' };

/** `scriptUrl`: address of pdf.js. `pixelsMax`: maximum pixels of an image on the page. */
export type PdfToDraw = { url: string; scriptUrl: string; page: number; sideMax: number; pixelsMax: number };
/** `leftOut`: number of images that pdf.js did not draw. */
export type DrawnPdf =
  | { width: number; height: number; pages: number; leftOut: number }
  | { problem: 'page'; pages: number }
  | { problem: 'broken' | 'password' };
