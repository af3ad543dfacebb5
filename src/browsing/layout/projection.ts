import type { Box } from '#browsing/in-page/script-types.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { RETURN_BY_VALUE, callWithHandles } from '#browsing/tabs/call-in-page.ts';

/** A point in pixels of the tab's viewport, unless stated otherwise. */
export type Point = { x: number; y: number };

/** A 3×3 matrix in row order, for any rotation, scale and perspective. */
export type Projection = readonly [number, number, number, number, number, number, number, number, number];

const IDENTITY_PROJECTION: Projection = [1, 0, 0, 0, 1, 0, 0, 0, 1];

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

type FramePosition = {
  onto: Projection;
  visible: Box | null;
};

/**
 * @param shown area of the tab, in pixels of its viewport, to which `visible` is limited
 * @throws {CdpError} if the frame, or a frame around it, is gone
 */
export async function framePosition(tab: Tab, frame: Frame, shown: Box): Promise<FramePosition> {
  if (frame.parentId === null) return { onto: IDENTITY_PROJECTION, visible: shown };
  const outer = tab.frame(frame.parentId) ?? tab.main();
  const [{ quad, width, height }, around, target] = await Promise.all([
    findFrameOwner(tab, frame, outer),
    framePosition(tab, outer, shown),
    targetProjection(tab, outer),
  ]);
  const inTab = projectQuad(target, quad);
  const onto = projectionOntoQuad(width, height, inTab);
  const box = boundingBoxOfQuads([inTab]);
  if (onto === null || box === null) return { onto: IDENTITY_PROJECTION, visible: null };
  return { onto, visible: around.visible === null ? null : intersectBoxes(box, around.visible) };
}

/** Projection of a target's viewport onto the tab. The root frame of a target may be an iframe in another target. */
export async function targetProjection(tab: Tab, frame: Frame): Promise<Projection> {
  const root = rootOfTarget(tab, frame);
  return root.parentId === null ? IDENTITY_PROJECTION : (await framePosition(tab, root, UNBOUNDED_BOX)).onto;
}

/** A box larger than any page, for positions that may be outside the viewport. */
export const UNBOUNDED_BOX: Box = { x: -1e8, y: -1e8, width: 2e8, height: 2e8 };

export type FrameOwner = {
  outer: Frame;
  backendNodeId: number;
  /** Corners of the iframe's content box in the viewport of its target, clockwise from the top left, as x, y pairs. */
  quad: readonly number[];
  /**
   * Viewport size of the document in the frame, in the document's own pixels. A projection maps this size onto `quad`.
   */
  width: number;
  height: number;
};

/** @throws {CdpError} if one of the documents is gone, or the iframe is not rendered */
export async function findFrameOwner(tab: Tab, inner: Frame, outer: Frame): Promise<FrameOwner> {
  const [{ backendNodeId }, { width, height }, zoom] = await Promise.all([
    outer.session.send('DOM.getFrameOwner', { frameId: inner.id }),
    viewportOf(tab, inner),
    zoomOfFrame(tab, outer),
  ]);
  const { model } = await outer.session.send('DOM.getBoxModel', { backendNodeId });
  return { outer, backendNodeId, quad: model.content.map((value) => value * zoom), width, height };
}

/**
 * Zoom factor of an inner frame. Chromium reports positions in the viewport of a target, but in pixels of the element's
 * own frame. These are larger by this factor.
 */
export async function zoomOfFrame(tab: Tab, frame: Frame): Promise<number> {
  const root = rootOfTarget(tab, frame);
  if (root.id === frame.id) return 1;
  const [own, ofRoot] = await Promise.all([viewportOf(tab, frame), viewportOf(tab, root)]);
  return own.density / ofRoot.density;
}

function rootOfTarget(tab: Tab, frame: Frame): Frame {
  let root = frame;
  for (;;) {
    const outer = root.parentId === null ? null : tab.frame(root.parentId);
    if (outer === null || outer.session.id !== frame.session.id) return root;
    root = outer;
  }
}

/** Runs in the isolated world, so that scripts of the page cannot change the result. */
async function viewportOf(tab: Tab, frame: Frame): Promise<{ width: number; height: number; density: number }> {
  const { result } = await callWithHandles(tab, frame, pageScripts.viewport, [], RETURN_BY_VALUE);
  return result.value;
}
