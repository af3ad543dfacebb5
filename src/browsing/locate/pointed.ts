import { throwElementProblem } from '#browsing/act/reach.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { UNBOUNDED_BOX, framePosition } from '#browsing/layout/frame-position.ts';
import { invertProjection, projectPoint } from '#browsing/layout/projection.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { screenshotPixelToViewport, failStaleScreenshot } from '#browsing/see/picture.ts';
import { asArguments, callWithHandles, callOn, failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement, Frame, Tab } from '#browsing/tabs/tab.ts';
import type { ScreenshotRecord } from '#browsing/tabs/page-record.ts';
import { abortable } from '#core/flow/abort.ts';
import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { displayRole } from '#browsing/tree/roles.ts';
import { readNodeIdentity } from './find.ts';

type ElementAtPoint = { element: PageElement; point: Point };

/**
 * The element under a pixel of the last screenshot. Fails unless the page still shows the same element there.
 * @throws {PeriscopeError} `stale_picture` or `invalid_argument` as in `screenshotPixelToViewport`; `element_not_found` for a
 * disabled element
 */
export async function findElementAtScreenshotPixel(
  tab: Tab & { picture: ScreenshotRecord | null },
  pixel: Point,
  { name, mayBeDisabled }: { name: 'x' | 'to_x'; mayBeDisabled: boolean },
  signal: AbortSignal,
): Promise<ElementAtPoint> {
  const point = await screenshotPixelToViewport(tab, pixel, name, signal);
  const mark = tab.picture?.mark ?? '';
  let frame = tab.main();
  for (let inside = point; ;) {
    const found = await abortable(hitIn(tab, frame, mark, inside), signal).catch((error: unknown) =>
      failElementGone(error, 'page'),
    );
    if (found === null) return failStaleScreenshot('changed');
    const inner = frameInside(tab, frame, found);
    if (inner === null) {
      const { role, name: called } = await readNodeIdentity(frame.session, found.backendNodeId);
      const { backendNodeId, objectId } = found;
      const element = { tab, frame, backendNodeId, objectId, role, name: called };
      return found.isDisabled && !mayBeDisabled ? throwElementProblem(element, 'disabled') : { element, point };
    }
    const { onto } = await abortable(framePosition(tab, inner, UNBOUNDED_BOX), signal);
    inside = projectPoint(invertProjection(onto), point);
    frame = inner;
  }
}

/** The frame that an element shows. CDP gives a document's root element its own frame's id, which does not count. */
function frameInside(tab: Tab, frame: Frame, { frameId }: Hit): Frame | null {
  return frameId === undefined || frameId === frame.id ? null : tab.frame(frameId);
}

type Hit = { backendNodeId: number; objectId: string; frameId: string | undefined; isDisabled: boolean };

async function hitIn(tab: Tab, frame: Frame, mark: string, { x, y }: Point): Promise<Hit | null> {
  const { session } = frame;
  const { result } = await callWithHandles(tab, frame, pageScripts.findScreenshotPoint, asArguments([mark, x, y]), {});
  if (result.objectId === undefined) return null;
  const { result: members } = await session.send('Runtime.getProperties', {
    objectId: result.objectId,
    ownProperties: true,
  });
  const state: unknown = members.find(({ name }) => name === 'state')?.value?.value;
  const objectId = members.find(({ name }) => name === 'hit')?.value?.objectId;
  if (objectId === undefined || (state !== 'same' && state !== 'disabled')) return null;
  const { node } = await session.send('DOM.describeNode', { objectId });
  return { backendNodeId: node.backendNodeId, objectId, frameId: node.frameId, isDisabled: state === 'disabled' };
}

const NO_ROLES: ReadonlySet<string> = new Set([
  'generic',
  'none',
  'GenericContainer',
  'LayoutTable',
  'image',
  'Canvas',
]);

export async function describeTarget(element: PageElement, signal: AbortSignal): Promise<string> {
  const { role, name } = element;
  if (name !== '' && !NO_ROLES.has(role))
    return oneLine(`${displayRole(role)} ${JSON.stringify(name)}`, PAGE_QUOTE_CHARS_MAX);
  return oneLine(await callOn(element, pageScripts.describeElement, [], signal), PAGE_QUOTE_CHARS_MAX);
}
