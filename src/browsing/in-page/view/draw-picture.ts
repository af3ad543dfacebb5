import type { DrawnPicture, PictureToDraw } from './drawn.ts';

/** Side in pixels of the small copy whose colours are analysed. */
const SAMPLE_SIDE = 64;
/** Minimum share of an image's area that must be transparent for the image to count as transparent. */
const SEE_THROUGH_SHARE = 0.05;
/** Brightness (0 to 255) from which a transparent image would be invisible on white. */
const LIGHT_MIN = 200;
const WHITE = '#fff';
const DARK = '#333';

/**
 * Draws an image on a canvas, the only content of the document. In an `<img>`, an SVG runs no scripts and sends no
 * requests; a canvas shows the first frame of an animation.
 */
export async function drawPicture({ url, size, sideMax, sideMin }: PictureToDraw): Promise<DrawnPicture> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return { problem: 'broken' };
  }
  const from = size ?? { width: image.naturalWidth, height: image.naturalHeight };
  const longest = Math.max(from.width, from.height);
  if (longest === 0) return { problem: 'broken' };
  const scale = Math.max(Math.min(1, sideMax / longest), Math.min(sideMin, sideMax) / longest);
  const width = pixels(from.width * scale);
  const height = pixels(from.height * scale);
  const canvas = canvasInDocument(width, height);
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  // Drawn only once, because each drawing decodes a large image, or renders an SVG, again.
  context.drawImage(image, 0, 0, width, height);
  const isDark = isLightOnNothing(canvas);
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = isDark ? DARK : WHITE;
  context.fillRect(0, 0, width, height);
  return { width, height, isDark };
}

/** True for a light image on a transparent background. False for an SVG whose pixels cannot be read. */
function isLightOnNothing(drawn: HTMLCanvasElement): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = SAMPLE_SIDE;
  canvas.height = SAMPLE_SIDE;
  const context = contextOf(canvas);
  context.drawImage(drawn, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  try {
    const { data } = context.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
    let seen = 0;
    let light = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
      seen += alpha / 255;
      light += ((red + green + blue) / 3) * (alpha / 255);
    }
    return seen > 0 && seen < SAMPLE_SIDE ** 2 * (1 - SEE_THROUGH_SHARE) && light / seen >= LIGHT_MIN;
  } catch {
    return false;
  }
}

function pixels(length: number): number {
  return Math.max(1, Math.round(length));
}

function canvasInDocument(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  document.body.replaceChildren(canvas);
  return canvas;
}

/**
 * With `willReadFrequently`, Chromium paints the canvas in this tab's own process. Otherwise a thread shared by all
 * tabs paints it, and the filters of a hostile SVG would block every tab.
 */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new TypeError('there is nothing to draw with');
  return context;
}
