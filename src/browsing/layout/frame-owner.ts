import * as pageScripts from '#browsing/in-page/sources.js';
import { AS_DATA } from '#browsing/tabs/call-function.ts';
import { askIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

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
export function rootOfTarget(tab: Tab, frame: Frame): Frame {
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
