import { abortable } from '#core/with-timeout.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { STEP_PICTURE_QUALITY, STEP_PICTURE_SIDE } from './limits.ts';
import { viewOf } from './picture.ts';

/** A small JPEG of what the tab shows now, for the person whose session it is. The page notices nothing of it. */
export async function smallPicture(tab: Tab, signal: AbortSignal): Promise<Uint8Array> {
  const { x, y, width, height } = await abortable(viewOf(tab), signal);
  const scale = Math.min(1, STEP_PICTURE_SIDE / Math.max(width, height));
  const { data } = await abortable(
    tab.session.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: STEP_PICTURE_QUALITY,
      clip: { x, y, width, height, scale },
      optimizeForSpeed: true,
    }),
    signal,
  );
  return Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0));
}
