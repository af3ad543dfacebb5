import * as pageScripts from '#generated/page-scripts.js';
import { RETURN_BY_VALUE, callFunction, callOn } from '#browsing/tabs/call-in-page.ts';
import type { ElementIdentity } from '#browsing/refs/refs.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { axDescription, axName, axRole, axUrl } from '#browsing/tree/ax-tree.ts';

export async function resolveNodeHandle(tab: Tab, frame: Frame, backendNodeId: number): Promise<string | null> {
  const { object } = await frame.session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId: await tab.world(frame),
  });
  if (object.objectId === undefined) return null;
  const { objectId } = object;
  const { result } = await callFunction(frame.session, { objectId }, pageScripts.isInDocument, [], RETURN_BY_VALUE);
  const isIn: unknown = result.value;
  return isIn === true ? objectId : null;
}

const NEVER = new AbortController().signal;

/** The current identity of an element. In a large document, one with a long text or attributes is read in the page. */
export async function readNodeIdentity(
  tab: Tab,
  frame: Frame,
  backendNodeId: number,
  handle: string | null = null,
): Promise<ElementIdentity> {
  const { session } = frame;
  if (tab.sizes.isLarge(frame)) {
    const objectId = handle ?? (await resolveNodeHandle(tab, frame, backendNodeId));
    const long =
      objectId === null ? null : await callOn({ frame, objectId, role: '' }, pageScripts.readLongIdentity, [], NEVER);
    if (long !== null) return { ...long, description: '' };
  }
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: false });
  const node = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === backendNodeId) ?? nodes[0];
  if (node === undefined) return { role: 'generic', name: '', url: '', description: '' };
  return { role: axRole(node), name: axName(node), url: axUrl(node), description: axDescription(node) };
}
