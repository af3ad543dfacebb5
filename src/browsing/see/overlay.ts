import { OVERLAY_CANDIDATES_MAX, OVERLAY_LABELS_MAX } from './limits.ts';
import { abortable } from '#core/with-timeout.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { AS_DATA } from '#browsing/tabs/call-function.ts';
import { askIn, callIn } from '#browsing/tabs/call-in-page.ts';
import { projectedQuad } from '#browsing/layout/projection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { RefTarget } from '#browsing/refs/refs.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { placeOfFrame } from '#browsing/layout/frame-place.ts';
import { boxAround, cornersOf, intersect, moved } from '#browsing/layout/box.ts';
import type { Box } from '#browsing/in-page/scripts.ts';
import { LABEL_FONT_PX, placeLabels } from './labels.ts';
import type { Marked } from './labels.ts';

/** A ref and the element it was made for. */
export type LabelTarget = { ref: string; target: Pick<RefTarget, 'frameId' | 'loaderId' | 'backendNodeId'> };

/** What is shown, in CSS pixels of the page, and the scroll position of the tab. */
type Area = { clip: Box; scroll: { x: number; y: number } };

/**
 * The refs whose elements can be seen, with their boxes on the page. Left out are refs of documents that are gone, and
 * elements that are hidden or covered.
 */
export async function findLabels(
  tab: Tab,
  targets: readonly LabelTarget[],
  { clip, scroll }: Area,
  signal: AbortSignal,
): Promise<Marked[]> {
  const seen = moved(clip, { x: -scroll.x, y: -scroll.y });
  const byFrame = Map.groupBy(targets.slice(-OVERLAY_CANDIDATES_MAX), ({ target }) => target.frameId);
  const found = await abortable(
    Promise.all(
      [...byFrame].map(async ([frameId, ofFrame]) => {
        const frame = tab.frame(frameId);
        if (frame === null) return [];
        const current = ofFrame.filter(({ target }) => target.loaderId === frame.loaderId);
        return findInFrame(tab, frame, current, seen);
      }),
    ),
    signal,
  );
  return found
    .flat()
    .flatMap(({ name, box }) => {
      const shown = intersect(moved(box, scroll), clip);
      return shown === null ? [] : [{ name, box: shown }];
    })
    .slice(0, OVERLAY_LABELS_MAX);
}

/**
 * Draws boxes and labels on the image. The canvas belongs to our isolated world and is in no document, so the page's
 * DOM stays as it is and its scripts cannot notice.
 *
 * @param source JPEG of `clip`, base64
 * @param scale how much smaller the source is
 * @returns JPEG, base64
 */
export async function drawOverlay(
  tab: Tab,
  source: { data: string; width: number },
  marked: readonly Marked[],
  clip: Box,
  quality: number,
  scale: number,
  signal: AbortSignal,
): Promise<string> {
  const pixels = source.width / clip.width;
  const image = { width: source.width, height: clip.height * pixels };
  const inImage = marked.map(({ name, box }) => ({
    name,
    box: {
      x: (box.x - clip.x) * pixels,
      y: (box.y - clip.y) * pixels,
      width: box.width * pixels,
      height: box.height * pixels,
    },
  }));
  return callIn(
    tab,
    tab.main(),
    pageScripts.draw,
    [source.data, placeLabels(inImage, image), LABEL_FONT_PX, quality, scale],
    signal,
  );
}

/** Boxes in the viewport of the tab. */
async function findInFrame(tab: Tab, frame: Frame, targets: readonly LabelTarget[], seen: Box): Promise<Marked[]> {
  if (targets.length === 0) return [];
  const { session } = frame;
  try {
    const [executionContextId, { onto, visible }] = await Promise.all([
      tab.world(frame),
      placeOfFrame(tab, frame, seen),
    ]);
    const elements = await Promise.all(targets.map((target) => resolve(frame, target, executionContextId)));
    const known = elements.filter((element) => element !== null);
    const handles = known.map(({ objectId }) => ({ objectId }));
    const { result } = await askIn(tab, frame, pageScripts.boxesOf, handles, AS_DATA);
    const boxes: (Box | null)[] = result.value ?? [];
    return known.flatMap(({ name }, at) => {
      const box = boxes[at] ?? null;
      const placed = box === null ? null : boxAround([projectedQuad(onto, cornersOf(box))]);
      const shown = placed === null || visible === null ? null : intersect(placed, visible);
      return shown === null ? [] : [{ name, box: shown }];
    });
  } catch (error) {
    if (error instanceof CdpError) return []; // the frame went to another document
    throw error;
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup: groupOf(frame) }).catch(() => undefined);
  }
}

/** The object group of a frame. Frames of one target are asked at the same time, and each releases its own objects. */
function groupOf({ id }: Frame): string {
  return `periscope labels ${id}`;
}

async function resolve(
  frame: Frame,
  { ref, target }: LabelTarget,
  executionContextId: number,
): Promise<{ name: string; objectId: string } | null> {
  try {
    const { backendNodeId } = target;
    const { object } = await frame.session.send('DOM.resolveNode', {
      backendNodeId,
      executionContextId,
      objectGroup: groupOf(frame),
    });
    return object.objectId === undefined ? null : { name: ref.replace(/^@/, ''), objectId: object.objectId };
  } catch (error) {
    if (error instanceof CdpError) return null; // the element is gone
    throw error;
  }
}
