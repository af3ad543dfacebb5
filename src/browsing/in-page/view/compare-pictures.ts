import type { Box } from '#browsing/in-page/script-types.ts';

/**
 * Counts the pixels of a small JPEG that differ from the same place of a larger one. The canvas belongs to no document,
 * so the page cannot see it.
 * @param place position and size of the small picture within the large one
 * @param inner part of the small picture to compare
 * @param least difference of a colour channel, of 255, from which a pixel counts as changed
 */
export async function countChangedPixels(
  before: string,
  now: string,
  place: Box,
  inner: Box,
  least: number,
): Promise<number> {
  const [old, fresh] = await Promise.all([
    pixelsOf(before, place, inner),
    pixelsOf(now, { ...place, x: 0, y: 0 }, inner),
  ]);
  let changed = 0;
  for (let at = 0; at < old.length; at += 4) {
    if ([0, 1, 2].some((channel) => Math.abs((old[at + channel] ?? 0) - (fresh[at + channel] ?? 0)) >= least))
      changed += 1;
  }
  return changed;
}

async function pixelsOf(jpegBase64: string, { x, y }: Box, inner: Box): Promise<Uint8ClampedArray> {
  const bytes = Uint8Array.from(atob(jpegBase64), (char) => char.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  const context = new OffscreenCanvas(inner.width, inner.height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new TypeError('there is nothing to draw with');
  context.drawImage(image, -x - inner.x, -y - inner.y);
  image.close();
  return context.getImageData(0, 0, inner.width, inner.height).data;
}
