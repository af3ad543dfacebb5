import { fail } from '#core/failures/failure.ts';
import type { ScreenshotStaleness } from '#core/failures/browser-failures.ts';
import { VIEW_FRAMES_MAX, SECOND_MS } from '#core/limits.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn, ifGone } from '#browsing/tabs/call-in-page.ts';
import type { ScreenshotViewport } from '#browsing/tabs/page-record.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

export const STEP_PICTURE_MS_MAX = 1 * SECOND_MS;

/** Maximum visible elements per document that are recorded with a screenshot. A dense page has a few thousand. */
const PICTURE_ELEMENTS_MAX = 20_000;

/** Records in every document which elements a screenshot taken now would show. Returns the name of the record. */
export async function recordScreenshotElements(tab: Tab, signal: AbortSignal): Promise<string> {
  const mark = crypto.randomUUID();
  const frames = tab.frames().slice(0, VIEW_FRAMES_MAX);
  await Promise.all(
    frames.map((frame) =>
      callIn(tab, frame, pageScripts.recordScreenshotDocument, [mark, PICTURE_ELEMENTS_MAX], signal).catch(
        ifGone(undefined),
      ),
    ),
  );
  return mark;
}

export async function readScreenshotViewport(tab: Tab): Promise<ScreenshotViewport> {
  const { cssVisualViewport } = await tab.session.send('Page.getLayoutMetrics');
  const { pageX, pageY, clientWidth, clientHeight, scale, zoom } = cssVisualViewport;
  return { x: pageX, y: pageY, width: clientWidth, height: clientHeight, zoom: scale * (zoom ?? 1) };
}

export function failStaleScreenshot(reason: ScreenshotStaleness): never {
  return fail({ code: 'stale_picture', reason });
}
