import type { DrawnPdf, PdfToDraw } from './drawn.ts';

/** The part of the pdf.js API (version 6.1) that this server uses. */
type Pdfjs = {
  getDocument: (options: object) => { promise: Promise<Pdf> };
};
type Pdf = { numPages: number; getPage: (number: number) => Promise<Page> };
type Page = {
  getViewport: (options: { scale: number }) => Viewport;
  render: (options: object) => { promise: Promise<void> };
};
type Viewport = { width: number; height: number };

/** Words in warnings of pdf.js about images that it does not draw. */
const LEFT_OUT = /image|jpx|jbig2|ccitt|jpeg/iu;

/**
 * Draws a page of a PDF on a canvas, the only content of the document. pdf.js runs in the isolated world, which page
 * scripts cannot reach. Scripts in a PDF never run.
 */
export async function drawPdf({ url, scriptUrl, page: number, sideMax, pixelsMax }: PdfToDraw): Promise<DrawnPdf> {
  let leftOut = 0;
  // pdf.js writes its warnings to the console of the isolated world, which nothing else uses.
  const noted = (...words: unknown[]) => {
    if (LEFT_OUT.test(String(words[0]))) leftOut += 1;
  };
  Object.assign(console, { warn: noted, log: noted });
  const pdfjs: Pdfjs = await import(scriptUrl);
  const data = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const opened = await open(pdfjs, data, pixelsMax);
  if ('problem' in opened) return opened;
  // A page tree may declare a negative number of pages.
  if (opened.numPages < 1) return { problem: 'broken' };
  if (number > opened.numPages) return { problem: 'page', pages: opened.numPages };
  try {
    const page = await opened.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: sideMax / Math.max(width, height) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    await page.render({ canvas, viewport, intent: 'display' }).promise;
    document.body.replaceChildren(canvas);
    return { width: canvas.width, height: canvas.height, pages: opened.numPages, leftOut };
  } catch {
    return { problem: 'broken' };
  }
}

async function open(
  { getDocument }: Pdfjs,
  data: Uint8Array,
  pixelsMax: number,
): Promise<Pdf | { problem: 'broken' | 'password' }> {
  try {
    return await getDocument({ data, verbosity: 1, maxImageSize: pixelsMax, useSystemFonts: true, useWasm: false })
      .promise;
  } catch (error) {
    return { problem: error instanceof Error && error.name === 'PasswordException' ? 'password' : 'broken' };
  }
}
