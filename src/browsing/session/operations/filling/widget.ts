import * as pageScripts from '#generated/page-scripts.js';
import { abortable } from '#core/flow/abort.ts';
import { readNodeIdentity } from '#browsing/locate/find.ts';
import { callFunction, failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';

/** The widget that a page shows in place of the `<select>` of a label; `null` for any other element. */
export async function findWidget(element: PageElement, signal: AbortSignal): Promise<PageElement | null> {
  const { tab, frame, objectId: label } = element;
  const { session } = frame;
  const asked = callFunction(session, { objectId: label }, pageScripts.widgetOf, [], {});
  const answer = await abortable(asked, signal).catch((error: unknown) => failElementGone(error, element.role));
  const { objectId } = answer.result;
  if (objectId === undefined) return null;
  const { node } = await session.send('DOM.describeNode', { objectId });
  const { backendNodeId } = node;
  const { role, name } = await readNodeIdentity(session, backendNodeId);
  return { tab, frame, backendNodeId, objectId, role, name };
}
