import * as pageScripts from '#browsing/in-page/sources.js';
import { askIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

/** The frame that what is typed goes to: the innermost one that has the focus. */
export async function focusedFrame(tab: OpenTab): Promise<Frame> {
  let at: Frame = tab.main();
  for (;;) {
    const { result } = await askIn(tab, at, pageScripts.focusedFrame, [], {});
    if (result.objectId === undefined) return at;
    const { node } = await at.session.send('DOM.describeNode', { objectId: result.objectId });
    const inner = node.frameId === undefined ? null : tab.frame(node.frameId);
    if (inner === null || inner.parentId !== at.id) return at;
    at = inner;
  }
}
