import type { Box } from '#browsing/in-page/scripts.ts';

/** Pure geometry of boxes and quads. */

/** The part of a box that lies inside another; `null` if there is none. */
export function intersect(one: Box, other: Box): Box | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

export function moved(box: Box, by: { x: number; y: number }): Box {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

/**
 * The smallest box around quads as Chromium gives them (four corners, eight numbers each); `null` if they have no area.
 */
export function boxAround(quads: readonly (readonly number[])[]): Box | null {
  const xs = quads.flatMap((quad) => quad.filter((_, at) => at % 2 === 0));
  const ys = quads.flatMap((quad) => quad.filter((_, at) => at % 2 === 1));
  if (xs.length === 0) return null;
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  const width = Math.max(...xs) - x;
  const height = Math.max(...ys) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The corners of a box, clockwise from its top left, as Chromium writes them. */
export function cornersOf({ x, y, width, height }: Box): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}

/** The box with its edges on whole pixels, outwards. */
export function snapped({ x, y, width, height }: Box): Box {
  const left = Math.floor(x);
  const top = Math.floor(y);
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** The factor that makes the longer side at most `maxSide` pixels. It never enlarges. */
export function scaleFor({ width, height }: Box, maxSide: number): number {
  return Math.min(1, maxSide / Math.max(width, height));
}
