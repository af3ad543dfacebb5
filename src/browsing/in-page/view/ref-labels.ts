import { toBase64 } from '#core/text/base64.ts';
import { hitTestDeep, labelsOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement, DocumentRoot } from '#browsing/in-page/elements/safe-dom.ts';
import type { Box, PlacedLabel } from '#browsing/in-page/script-types.ts';

/** Boxes of elements in their document's viewport; `null` for an element that is invisible or covered. */
export function measureBoxes(...elements: AnyElement[]): (Box | null)[] {
  return elements.map((element) => boxOf(element));
}

function boxOf(element: AnyElement): Box | null {
  if (typeof element.getBoundingClientRect !== 'function') return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  if (width < 2 || height < 2 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    return null;
  const box = { x: left, y: top, width, height };
  const x0 = Math.max(left, 0);
  const y0 = Math.max(top, 0);
  const x1 = Math.min(left + width, innerWidth);
  const y1 = Math.min(top + height, innerHeight);
  if (x1 <= x0 || y1 <= y0) return box; // outside the viewport, a hit test cannot find covers
  const named = [element, ...labelsOf(element)];
  const at = [0.5, 0.15, 0.85];
  const isHit = at.some((across) =>
    at.some((down) => {
      const hit = hitTestDeep(document, x0 + (x1 - x0) * across, y0 + (y1 - y0) * down);
      return hit !== null && named.some((outer) => holds(outer, hit));
    }),
  );
  return isHit ? box : null;
}

/** True if `inner` is `outer` or inside it, across shadow roots. */
function holds(outer: Node, inner: Node): boolean {
  for (let node: DocumentRoot | null = inner; node !== null; node = node.parentNode ?? node.host ?? null) {
    if (node === outer) return true;
  }
  return false;
}

/** Draws ref labels on a screenshot. The canvas belongs to no document, so the page cannot see it. Returns base64. */
export async function drawRefLabels(
  jpegBase64: string,
  placed: readonly PlacedLabel[],
  fontPx: number,
  quality: number,
  scale: number,
): Promise<string> {
  const bytes = Uint8Array.from(atob(jpegBase64), (char) => char.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  const width = Math.max(1, Math.floor(image.width * scale));
  const height = Math.max(1, Math.floor(image.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new TypeError('there is nothing to draw with');
  context.drawImage(image, 0, 0, width, height);
  context.scale(scale, scale);
  context.font = `bold ${fontPx}px sans-serif`;
  context.textBaseline = 'middle';
  context.lineWidth = 1.5;
  for (const { box, colour } of placed) {
    context.strokeStyle = colour;
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
  for (const { name, label, colour } of placed) {
    context.fillStyle = colour;
    context.fillRect(label.x, label.y, label.width, label.height);
    context.fillStyle = '#fff';
    context.fillText(name, label.x + 3, label.y + label.height / 2 + 0.5, label.width - 6);
  }
  const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: quality / 100 });
  return toBase64(new Uint8Array(await picture.arrayBuffer()));
}
