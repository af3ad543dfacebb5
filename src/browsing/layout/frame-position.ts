import {
  IDENTITY_PROJECTION,
  boundingBoxOfQuads,
  intersectBoxes,
  projectQuad,
  projectionOntoQuad,
} from './projection.ts';
import type { Projection } from './projection.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import type { Box } from '#browsing/in-page/script-types.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { RETURN_BY_VALUE, callWithHandles } from '#browsing/tabs/call-in-page.ts';

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
