import type { Box } from '#browsing/in-page/script-types.ts';

/** JPEG in base64, and the position of the compared picture within it. */
type Placed = { jpegBase64: string; x: number; y: number };

/**
 * Counts the pixels of a small JPEG that differ from the same place of a larger one, except for those that one of the
 * own changes explains. The canvas belongs to no document, so the page cannot see it.
 * @param inner part of the small picture to compare
 * @param least difference of a colour channel, of 255, from which a pixel counts as changed
 * @param own pictures before and after each action of the caller
 */
export async function countChangedPixels(
  before: Placed,
  now: string,
  inner: Box,
  least: number,
  own: readonly (readonly [before: Placed, after: Placed])[] = [],
): Promise<number> {
  const [old, fresh, ...changes] = await Promise.all([
    pixelsOf(before, inner),
    pixelsOf({ jpegBase64: now, x: 0, y: 0 }, inner),
    ...own.flat().map((one) => pixelsOf(one, inner)),
  ]);
  // A pixel outside the pictures of an action is transparent in both, so the action does not explain it.
  const isOwn = (at: number) =>
    changes.some((from, one) => {
      const to = one % 2 === 0 ? changes[one + 1] : undefined;
      return to !== undefined && differ(from, to, at, least / 2) && !differ(to, fresh, at, least);
    });
  let changed = 0;
  for (let at = 0; at < old.length; at += 4) if (differ(old, fresh, at, least) && !isOwn(at)) changed += 1;
  return changed;
}

function differ(one: Uint8ClampedArray, other: Uint8ClampedArray, at: number, least: number): boolean {
  return [0, 1, 2].some((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)) >= least);
}

async function pixelsOf({ jpegBase64, x, y }: Placed, inner: Box): Promise<Uint8ClampedArray> {
  const bytes = Uint8Array.from(atob(jpegBase64), (char) => char.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  const context = new OffscreenCanvas(inner.width, inner.height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new TypeError('there is nothing to draw with');
  context.drawImage(image, -x - inner.x, -y - inner.y);
  image.close();
  return context.getImageData(0, 0, inner.width, inner.height).data;
}
