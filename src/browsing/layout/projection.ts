import type { Box } from '#browsing/in-page/script-types.ts';

/** A point in pixels of the tab's viewport, unless stated otherwise. */
export type Point = { x: number; y: number };

/** A 3×3 matrix in row order, for any rotation, scale and perspective. */
export type Projection = readonly [number, number, number, number, number, number, number, number, number];

export const IDENTITY_PROJECTION: Projection = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/**
 * Projection of a rectangle at 0, 0 onto `quad` (x, y of four corners, clockwise from the top left). `null` if the
 * rectangle or the quad has no area (P. Heckbert, Fundamentals of Texture Mapping, 1989, section 2.2.3).
 */
export function projectionOntoQuad(width: number, height: number, quad: readonly number[]): Projection | null {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = quad;
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = ax * by - bx * ay;
  if (quad.length < 8 || width <= 0 || height <= 0 || Math.abs(area) < 1e-6) return null;
  const g = (sx * by - bx * sy) / area;
  const h = (ax * sy - sx * ay) / area;
  return [
    (x1 - x0 + g * x1) / width,
    (x3 - x0 + h * x3) / height,
    x0,
    (y1 - y0 + g * y1) / width,
    (y3 - y0 + h * y3) / height,
    y0,
    g / width,
    h / height,
    1,
  ];
}

export function projectPoint([a, b, c, d, e, f, g, h, i]: Projection, { x, y }: Point): Point {
  const depth = g * x + h * y + i;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}

export function invertProjection([a, b, c, d, e, f, g, h, i]: Projection): Projection {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

export function projectQuad(onto: Projection, quad: readonly number[]): number[] {
  const corners = Array.from({ length: Math.floor(quad.length / 2) }, (_, at) => at * 2);
  return corners.flatMap((at) => {
    const { x, y } = projectPoint(onto, { x: quad[at] ?? 0, y: quad[at + 1] ?? 0 });
    return [x, y];
  });
}

export function intersectBoxes(one: Box, other: Box): Box | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

export function moveBox(box: Box, by: { x: number; y: number }): Box {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

/** The smallest box around quads (x, y of four corners each); `null` if that box has no area. */
export function boundingBoxOfQuads(quads: readonly (readonly number[])[]): Box | null {
  const xs = quads.flatMap((quad) => quad.filter((_, at) => at % 2 === 0));
  const ys = quads.flatMap((quad) => quad.filter((_, at) => at % 2 === 1));
  if (xs.length === 0) return null;
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  const width = Math.max(...xs) - x;
  const height = Math.max(...ys) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

export function cornersOf({ x, y, width, height }: Box): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}

export function snapToPixels({ x, y, width, height }: Box): Box {
  const left = Math.floor(x);
  const top = Math.floor(y);
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

export function scaleToFitSide({ width, height }: Box, maxSide: number): number {
  return Math.min(1, maxSide / Math.max(width, height));
}
