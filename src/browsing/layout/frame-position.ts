import { IN_PLACE, boxAround, intersect, projectedQuad, projectionOnto } from './projection.ts';
import type { Projection } from './projection.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { Box } from '#browsing/in-page/scripts.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { AS_DATA } from '#browsing/tabs/call-function.ts';
import { askIn } from '#browsing/tabs/call-in-page.ts';

/** Where a frame's document is shown in the viewport of its tab. */
export type FramePosition = {
  /** Maps the frame's own viewport onto the tab's. */
  onto: Projection;
  /** The part of it that the frames around it do not cut off. */
  visible: Box | null;
};

/**
 * Finds where a frame shows its document, at any depth, transformed in any way, in any process.
 * @param shown the part of the tab that counts as visible
 * @throws {CdpError} when one of the frames is gone
 */
export async function framePosition(tab: Tab, frame: Frame, shown: Box): Promise<FramePosition> {
  if (frame.parentId === null) return { onto: IN_PLACE, visible: shown };
  const outer = tab.frame(frame.parentId) ?? tab.main();
  const [{ quad, width, height }, around, target] = await Promise.all([
    ownerOf(tab, frame, outer),
    framePosition(tab, outer, shown),
    targetProjection(tab, outer),
  ]);
  const inTab = projectedQuad(target, quad);
  const onto = projectionOnto(width, height, inTab);
  const box = boxAround([inTab]);
  if (onto === null || box === null) return { onto: IN_PLACE, visible: null };
  return { onto, visible: around.visible === null ? null : intersect(box, around.visible) };
}

/** Maps a target's own coordinates onto the tab's viewport. A target may be a frame itself. */
export async function targetProjection(tab: Tab, frame: Frame): Promise<Projection> {
  const root = rootOfTarget(tab, frame);
  return root.parentId === null ? IN_PLACE : (await framePosition(tab, root, EVERYWHERE)).onto;
}

/** No page is larger than this. */
export const EVERYWHERE: Box = { x: -1e8, y: -1e8, width: 2e8, height: 2e8 };

/** The element that shows a frame, in the document around that frame. */
export type FrameOwner = {
  outer: Frame;
  backendNodeId: number;
  /** The corners of the area it shows, clockwise from the top left, in the viewport of its target. */
  quad: readonly number[];
  /** The size of the viewport inside, in the frame's own pixels. A projection maps it onto the quad. */
  width: number;
  height: number;
};

/** @throws {CdpError} when one of the two documents is gone, or the frame is not in the layout */
export async function ownerOf(tab: Tab, inner: Frame, outer: Frame): Promise<FrameOwner> {
  const [{ backendNodeId }, { width, height }, zoom] = await Promise.all([
    outer.session.send('DOM.getFrameOwner', { frameId: inner.id }),
    viewportOf(tab, inner),
    zoomIn(tab, outer),
  ]);
  const { model } = await outer.session.send('DOM.getBoxModel', { backendNodeId });
  return { outer, backendNodeId, quad: model.content.map((value) => value * zoom), width, height };
}

/**
 * Chromium gives positions in the viewport of a target, but in pixels of the element's own frame. Those are larger if a
 * frame around it is zoomed. Returns that factor.
 */
export async function zoomIn(tab: Tab, frame: Frame): Promise<number> {
  const root = rootOfTarget(tab, frame);
  if (root.id === frame.id) return 1;
  const [own, ofRoot] = await Promise.all([viewportOf(tab, frame), viewportOf(tab, root)]);
  return own.density / ofRoot.density;
}

/** The outermost frame in the same target. */
function rootOfTarget(tab: Tab, frame: Frame): Frame {
  let root = frame;
  for (;;) {
    const outer = root.parentId === null ? null : tab.frame(root.parentId);
    if (outer === null || outer.session.id !== frame.session.id) return root;
    root = outer;
  }
}

/** Runs in our isolated world, where the page cannot influence the answer. */
async function viewportOf(tab: Tab, frame: Frame): Promise<{ width: number; height: number; density: number }> {
  const { result } = await askIn(tab, frame, pageScripts.viewport, [], AS_DATA);
  return result.value;
}
