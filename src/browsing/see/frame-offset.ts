import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { boxAround, intersect, moved } from './geometry.ts';
import type { Box } from './geometry.ts';

/** Where a frame's document lies. */
export type FramePlace = {
  /** The frame's own viewport, from the top left of the tab's. */
  box: Box;
  /** The part of it that the frames around leave to be seen. */
  visible: Box | null;
};

/**
 * Where a frame shows its document in the viewport of its tab, however deep it lies and in whatever process.
 * @throws {CdpError} when a frame on the way is gone
 */
export async function placeOfFrame(tab: Tab, frame: Frame): Promise<FramePlace> {
  if (frame.parentId === null) return viewportOf(tab);
  const outer = tab.frame(frame.parentId) ?? tab.main();
  const root = rootOfTarget(tab, outer);
  const [{ backendNodeId }, around, origin] = await Promise.all([
    outer.session.send('DOM.getFrameOwner', { frameId: frame.id }),
    placeOfFrame(tab, outer),
    root.parentId === null ? { box: { x: 0, y: 0 } } : placeOfFrame(tab, root),
  ]);
  const { model } = await outer.session.send('DOM.getBoxModel', { backendNodeId });
  // Chromium counts from the viewport of the target, which may itself be a frame of the tab.
  const content = boxAround([model.content]);
  const box = content === null ? { ...around.box, width: 0, height: 0 } : moved(content, origin.box);
  return { box, visible: around.visible === null ? null : intersect(box, around.visible) };
}

/** Where a target's own coordinates begin in the viewport of the tab. */
export async function originOf(tab: Tab, frame: Frame): Promise<{ x: number; y: number }> {
  const root = rootOfTarget(tab, frame);
  return root.parentId === null ? { x: 0, y: 0 } : (await placeOfFrame(tab, root)).box;
}

async function viewportOf(tab: Tab): Promise<FramePlace> {
  const { cssLayoutViewport } = await tab.session.send('Page.getLayoutMetrics');
  const box = { x: 0, y: 0, width: cssLayoutViewport.clientWidth, height: cssLayoutViewport.clientHeight };
  return { box, visible: box };
}

/** The outermost frame that the same target runs. */
function rootOfTarget(tab: Tab, frame: Frame): Frame {
  let root = frame;
  for (;;) {
    const outer = root.parentId === null ? null : tab.frame(root.parentId);
    if (outer === null || outer.session.id !== frame.session.id) return root;
    root = outer;
  }
}
