import { ownerOf, rootOfTarget } from './frame-owner.ts';
import { IN_PLACE, projectedQuad, projectionOnto } from './projection.ts';
import type { Projection } from './projection.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { boxAround, intersect } from './box.ts';
import type { Box } from '#browsing/in-page/scripts.ts';

/** Where a frame's document is shown in the viewport of its tab. */
export type FramePlace = {
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
export async function placeOfFrame(tab: Tab, frame: Frame, shown: Box): Promise<FramePlace> {
  if (frame.parentId === null) return { onto: IN_PLACE, visible: shown };
  const outer = tab.frame(frame.parentId) ?? tab.main();
  const [{ quad, width, height }, around, target] = await Promise.all([
    ownerOf(tab, frame, outer),
    placeOfFrame(tab, outer, shown),
    placeOfTarget(tab, outer),
  ]);
  const inTab = projectedQuad(target, quad);
  const onto = projectionOnto(width, height, inTab);
  const box = boxAround([inTab]);
  if (onto === null || box === null) return { onto: IN_PLACE, visible: null };
  return { onto, visible: around.visible === null ? null : intersect(box, around.visible) };
}

/** Maps a target's own coordinates onto the tab's viewport. A target may be a frame itself. */
export async function placeOfTarget(tab: Tab, frame: Frame): Promise<Projection> {
  const root = rootOfTarget(tab, frame);
  return root.parentId === null ? IN_PLACE : (await placeOfFrame(tab, root, EVERYWHERE)).onto;
}

/** No page is larger than this. */
export const EVERYWHERE: Box = { x: -1e8, y: -1e8, width: 2e8, height: 2e8 };
