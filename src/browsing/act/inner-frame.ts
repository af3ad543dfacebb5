import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { invertProjection, projectPoint, UNBOUNDED_BOX, framePosition } from '#browsing/layout/projection.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { asArguments, callFunction, callOn, callWithHandles, failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { Frame, PageElement, Tab } from '#browsing/tabs/tab.ts';
import type { Protocol } from 'devtools-protocol';
import { pointToTabViewport } from './reach.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

/** The frame whose document an element shows; `null` for other elements, and for a frame that CDP does not report. */
export async function findFrameOfElement(element: PageElement, signal: AbortSignal): Promise<Frame | null> {
  return frameOf(element, await nodeOf(element, {}, signal));
}

/** The document of a frame as an element: its root or, for text input, its body if the whole body is editable. */
export async function findFrameRoot(
  tab: Tab,
  frame: Frame,
  isForText: boolean,
  signal: AbortSignal,
): Promise<PageElement> {
  const args = asArguments([isForText]);
  const asked = callWithHandles(tab, frame, pageScripts.findDocumentRoot, args, {});
  const { result } = await orGone(asked, signal);
  return elementOf(tab, frame, result.objectId ?? '', signal);
}

/** An element in a frame that a press would reach. */
type InnerHit = {
  hit: PageElement;
  /** The root element of its document. */
  whole: PageElement;
};

/**
 * Finds the element that a press at this point would reach, if it is in a frame inside the given element.
 * @param point in the tab's viewport
 * @returns `null` if the press reaches the element's own document, or nothing
 */
export async function findHitInInnerFrame(
  element: PageElement,
  point: Point,
  signal: AbortSignal,
): Promise<InnerHit | null> {
  const { tab } = element;
  let whole: PageElement | null = null;
  for (let from = element; ;) {
    const inside = await pointIn(tab, from.frame, point, signal);
    const hit = await hitAt(from, inside, signal);
    const frame = hit === null ? null : await frameAt(hit, inside, signal);
    if (hit === null || frame === null) return whole === null || hit === null ? null : { hit, whole };
    whole = await findFrameRoot(tab, frame, false, signal);
    from = whole;
  }
}

/**
 * True if a hit test at a point of the tab's viewport finds the element in its document, and its frame in each document
 * around it.
 */
export async function isHitThroughFrames(element: PageElement, point: Point, signal: AbortSignal): Promise<boolean> {
  const { tab, frame } = element;
  const inside = await pointIn(tab, frame, point, signal);
  const [isHit, around] = await Promise.all([
    callOn(element, pageScripts.isHitAt, [inside.x, inside.y], signal),
    pointToTabViewport(tab, frame, inside, signal),
  ]);
  return isHit && around.isHit;
}

/** True if the element is still in its document, but no longer at this point of the tab's viewport. */
export async function hasMovedFromPoint(element: PageElement, point: Point, signal: AbortSignal): Promise<boolean> {
  const { x, y } = await pointIn(element.tab, element.frame, point, signal);
  return callOn(element, pageScripts.hasLeftPoint, [x, y], signal);
}

/** True if something dropped at this point of the tab's viewport would reach another element instead of the target. */
export async function missesDropAt(
  target: PageElement,
  dragged: PageElement,
  point: Point,
  signal: AbortSignal,
): Promise<boolean> {
  const { frame, objectId } = target;
  const { x, y } = await pointIn(target.tab, frame, point, signal);
  const source = dragged.frame.id === frame.id ? { objectId: dragged.objectId } : { value: null };
  const asked = callFunction(frame.session, { objectId }, pageScripts.missesDrop, [source, ...asArguments([x, y])], {
    returnByValue: true,
  });
  return (await orGone(asked, signal)).result.value === true;
}

async function pointIn(tab: Tab, frame: Frame, point: Point, signal: AbortSignal): Promise<Point> {
  if (frame.parentId === null) return point;
  const { onto } = await orGone(framePosition(tab, frame, UNBOUNDED_BOX), signal);
  return projectPoint(invertProjection(onto), point);
}

async function hitAt(element: PageElement, { x, y }: Point, signal: AbortSignal): Promise<PageElement | null> {
  const { tab, frame, objectId } = element;
  const asked = callFunction(frame.session, { objectId }, pageScripts.findElementAtPoint, asArguments([x, y]), {});
  const { result } = await orGone(asked, signal);
  return result.objectId === undefined ? null : elementOf(tab, frame, result.objectId, signal);
}

/** The frame that the hit element shows. In a web component with a closed shadow tree: the frame at this point. */
async function frameAt(hit: PageElement, { x, y }: Point, signal: AbortSignal): Promise<Frame | null> {
  const { tab, frame } = hit;
  const node = await nodeOf(hit, {}, signal);
  const own = frameOf(hit, node);
  if (own !== null || !node.localName.includes('-')) return own;
  const { shadowRoots = [] } = await nodeOf(hit, { depth: -1, pierce: true }, signal);
  const executionContextId = await orGone(tab.world(frame), signal);
  for (const inner of framesIn(shadowRoots)) {
    const { backendNodeId } = inner;
    const { object } = await orGone(
      frame.session.send('DOM.resolveNode', { backendNodeId, executionContextId }),
      signal,
    );
    const element = { tab, frame, backendNodeId, objectId: object.objectId ?? '', role: 'iframe', name: '' };
    if (await callOn(element, pageScripts.isFrameHitAt, [x, y], signal)) return frameOf(element, inner);
  }
  return null;
}

function framesIn(nodes: readonly Protocol.DOM.Node[]): Protocol.DOM.Node[] {
  return nodes.flatMap((node) => [
    ...(node.frameId === undefined ? [] : [node]),
    ...framesIn([...(node.children ?? []), ...(node.shadowRoots ?? [])]),
  ]);
}

/** The frame that a node shows. The root element of a document is excluded: CDP gives it the id of its own frame. */
function frameOf({ tab, frame }: PageElement, { frameId }: Protocol.DOM.Node): Frame | null {
  return frameId === undefined || frameId === frame.id ? null : tab.frame(frameId);
}

async function nodeOf(
  { frame, objectId }: PageElement,
  options: Protocol.DOM.DescribeNodeRequest,
  signal: AbortSignal,
): Promise<Protocol.DOM.Node> {
  return (await orGone(frame.session.send('DOM.describeNode', { objectId, ...options }), signal)).node;
}

async function elementOf(tab: Tab, frame: Frame, objectId: string, signal: AbortSignal): Promise<PageElement> {
  const { node } = await orGone(frame.session.send('DOM.describeNode', { objectId }), signal);
  return { tab, frame, objectId, backendNodeId: node.backendNodeId, role: 'generic', name: '' };
}

function orGone<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  return abortable(asked, signal).catch(failElementGone('iframe'));
}

/** The innermost frame with the keyboard focus, which receives keys. */
export async function findFocusedFrame(tab: OpenTab): Promise<Frame> {
  let at: Frame = tab.main();
  for (;;) {
    const { result } = await callWithHandles(tab, at, pageScripts.findFocusedIframe, [], {});
    if (result.objectId === undefined) return at;
    const { node } = await at.session.send('DOM.describeNode', { objectId: result.objectId });
    const inner = node.frameId === undefined ? null : tab.frame(node.frameId);
    if (inner === null || inner.parentId !== at.id) return at;
    at = inner;
  }
}
