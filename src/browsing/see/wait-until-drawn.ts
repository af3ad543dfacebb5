import { SCREENSHOT_READY_MS } from '#core/limits.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { within } from '#core/abortable.ts';
import { pageScript } from '#browsing/in-page/page-script.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

type Image = {
  readonly complete: boolean;
  readonly loading: string;
  addEventListener: (name: string, heard: () => void) => void;
};
declare const document: { readonly fonts: { readonly ready: Promise<object> }; readonly images: Iterable<Image> };

/** Waits for fonts, and for images that are loading: not for those that load only when they are scrolled to. */
const DRAWN = pageScript(drawn);

async function drawn(): Promise<null> {
  const pending = [...document.images].filter((image) => !image.complete && image.loading !== 'lazy');
  const loaded = pending.map(
    (image) =>
      new Promise<void>((resolve) => {
        image.addEventListener('load', () => resolve());
        image.addEventListener('error', () => resolve());
      }),
  );
  await Promise.all([document.fonts.ready, ...loaded]);
  return null;
}

/** A moment for what is still loading. The image is taken in any case. */
export async function waitUntilDrawn(tab: Tab, signal: AbortSignal): Promise<void> {
  try {
    await within(callIn(tab, tab.main(), DRAWN, [], signal), SCREENSHOT_READY_MS, signal);
  } catch (error) {
    if (signal.aborted || error instanceof BrowserGone) throw error;
  }
}
