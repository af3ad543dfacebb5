import * as pageScripts from '#browsing/in-page/sources.js';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { withTimeout } from '#core/with-timeout.ts';
import { PARK_READ_MS, PARKED_FRAMES_PER_TAB_MAX, PARKED_TYPED_MAX } from './limits.ts';

/**
 * The names of fields with something in them that their pages did not come with, in the page's words.
 *
 * @param earlier the names when they were last read, which stay as long as a page cannot be read
 * @throws {BrowserGone} when the browser ends meanwhile
 */
export async function typedIn(tabs: readonly Tab[], earlier: readonly string[]): Promise<string[]> {
  const frames = tabs.flatMap((tab) =>
    tab
      .frames()
      .slice(0, PARKED_FRAMES_PER_TAB_MAX)
      .map((frame) => namesIn(tab, frame)),
  );
  const names = (await Promise.all(frames)).flatMap((read) => read ?? earlier);
  return [...new Set(names)].slice(0, PARKED_TYPED_MAX);
}

/** @returns `null` when the document is busy, or gone to another one */
async function namesIn(tab: Tab, frame: Frame): Promise<string[] | null> {
  try {
    return await withTimeout(PARK_READ_MS, (late) =>
      callIn(tab, frame, pageScripts.typedFields, [PARKED_TYPED_MAX], late),
    );
  } catch (error) {
    if (error instanceof BrowserGone) throw error;
    return null;
  }
}
