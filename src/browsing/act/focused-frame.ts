import * as pageScripts from '#generated/page-scripts.js';
import { callWithHandles } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { Frame } from '#browsing/tabs/tab.ts';

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
