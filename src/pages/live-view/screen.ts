import { part } from './parts.ts';

const canvas = part('canvas', HTMLCanvasElement);
const pen = canvas.getContext('2d', { alpha: false });

/** Draws a picture. Resolves when it is seen. */
export async function draw(picture: Blob): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  pen?.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.hidden = false;
}

export function hide(): void {
  canvas.hidden = true;
}
