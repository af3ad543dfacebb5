/** An image to draw as a JPEG. */
export type PictureToDraw = {
  url: string;
  /** Set only for an SVG, which has no pixels of its own. */
  size: { width: number; height: number } | null;
  sideMax: number;
  /** Minimum length of the longer side. A smaller SVG is enlarged. */
  sideMin: number;
};
/** A drawn image. `isDark`: true if the background is dark, because the image is light and transparent. */
export type DrawnPicture = { width: number; height: number; isDark: boolean } | { problem: 'broken' };

export type PdfToDraw = {
  url: string;
  /** Address of pdf.js. */
  scriptUrl: string;
  page: number;
  sideMax: number;
  /** Maximum pixels of an image on the page. */
  pixelsMax: number;
};
/** A drawn PDF page. `leftOut`: number of images that pdf.js did not draw. */
export type DrawnPdf =
  | { width: number; height: number; pages: number; leftOut: number }
  | { problem: 'page'; pages: number }
  | { problem: 'broken' | 'password' };
