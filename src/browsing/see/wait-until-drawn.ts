import { SCREENSHOT_READY_MS } from './limits.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { within } from '#core/with-timeout.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/** Gives images and fonts a moment to load. The picture is taken in any case. */
export async function waitUntilDrawn(tab: Tab, signal: AbortSignal): Promise<void> {
  try {
    await within(callIn(tab, tab.main(), pageScripts.drawn, [], signal), SCREENSHOT_READY_MS, signal);
  } catch (error) {
    if (signal.aborted || error instanceof BrowserGone) throw error;
  }
}
