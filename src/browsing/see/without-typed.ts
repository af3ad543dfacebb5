import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/** Takes a picture while documents that a person has typed in draw dots for what their fields hold. */
export async function withoutTyped<T>(tab: Tab, signal: AbortSignal, take: () => Promise<T>): Promise<T> {
  const frames = tab.frames().filter(({ loaderId }) => tab.typedIn.has(loaderId));
  if (frames.length === 0) return take();
  const hide = (isOn: boolean) =>
    Promise.all(frames.map((frame) => callIn(tab, frame, pageScripts.hideTyped, [isOn], signal)));
  try {
    await hide(true);
    return await take();
  } finally {
    // A document that is gone shows nothing.
    await hide(false).catch((error: unknown) => {
      if (!isGone(error) && !signal.aborted) throw error;
    });
  }
}
