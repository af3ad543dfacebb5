import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { asArguments, callWithHandles, failAsGone } from '#browsing/tabs/call-in-page.ts';
import type { Frame, PageElement, Tab } from '#browsing/tabs/tab.ts';

/** The frame whose document an element shows; `null` for any other element, and for a frame that nobody can look into. */
export async function frameShownBy(element: PageElement, signal: AbortSignal): Promise<Frame | null> {
  const { tab, frame, objectId } = element;
  const described = frame.session.send('DOM.describeNode', { objectId });
  const { node } = await abortable(described, signal).catch((error: unknown) => failAsGone(error, 'iframe'));
  // The element of a document has the id of the document's own frame.
  return node.frameId === undefined || node.frameId === frame.id ? null : tab.frame(node.frameId);
}

/** The document of a frame as an element: its root, or its body if all of that can be edited. */
export async function wholeDocument(tab: Tab, frame: Frame, signal: AbortSignal): Promise<PageElement | null> {
  const find = async () => {
    const { result } = await callWithHandles(tab, frame, pageScripts.wholeDocument, asArguments([]), {});
    if (result.objectId === undefined) return null;
    const { node } = await frame.session.send('DOM.describeNode', { objectId: result.objectId });
    return { objectId: result.objectId, backendNodeId: node.backendNodeId };
  };
  const found = await abortable(find(), signal).catch((error: unknown) => failAsGone(error, 'iframe'));
  return found === null ? null : { tab, frame, ...found, role: 'generic', name: '' };
}
