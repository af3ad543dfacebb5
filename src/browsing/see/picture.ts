import { fail } from '#core/failures/failure.ts';
import type { ScreenshotStaleness } from '#core/failures/browser-failures.ts';
import { VIEW_FRAMES_MAX } from '#core/limits.ts';
import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Point } from '#browsing/layout/projection.ts';
import { callIn, failElementGone, isGoneError } from '#browsing/tabs/call-in-page.ts';
import type { ScreenshotRecord, ScreenshotViewport } from '#browsing/tabs/page-record.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { STEP_PICTURE_QUALITY, STEP_PICTURE_SIDE_PX } from './limits.ts';

/** Maximum visible elements per document that are recorded with a screenshot. A dense page has a few thousand. */
const PICTURE_ELEMENTS_MAX = 20_000;

/** Records in every document which elements a screenshot taken now would show. Returns the name of the record. */
export async function recordScreenshotElements(tab: Tab, signal: AbortSignal): Promise<string> {
  const mark = crypto.randomUUID();
  const frames = tab.frames().slice(0, VIEW_FRAMES_MAX);
  await Promise.all(
    frames.map((frame) =>
      callIn(tab, frame, pageScripts.recordScreenshotDocument, [mark, PICTURE_ELEMENTS_MAX], signal).catch(
        (error: unknown) => {
          if (!isGoneError(error)) throw error;
        },
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

/** Tolerance in pixels when positions are compared, because the DevTools protocol rounds them. */
const SLACK = 0.5;

/**
 * Converts a pixel of the last screenshot into a point of the viewport, if the tab has not changed since.
 * @param name the argument's name, for error messages
 * @throws {PeriscopeError} `stale_picture`; `invalid_argument` for a pixel outside the screenshot or the viewport
 */
export async function screenshotPixelToViewport(
  tab: Tab & { picture: ScreenshotRecord | null },
  pixel: Point,
  name: 'x' | 'to_x',
  signal: AbortSignal,
): Promise<Point> {
  const { picture } = tab;
  if (picture === null) return failStaleScreenshot('none');
  if (picture.loaderId !== tab.main().loaderId) return failStaleScreenshot('document');
  const { clip, width, height, view } = picture;
  if (pixel.x >= width || pixel.y >= height) {
    return fail({
      code: 'invalid_argument',
      field: name,
      problem: `the last picture has ${width} × ${height} pixels`,
      hint: 'Count the pixels from its top left corner, which is 0, 0.',
    });
  }
  const now = await abortable(readScreenshotViewport(tab), signal).catch((error: unknown) =>
    failElementGone(error, 'page'),
  );
  const isElsewhere = Math.abs(now.x - view.x) > SLACK || Math.abs(now.y - view.y) > SLACK;
  const isResized = Math.abs(now.width - view.width) > SLACK || Math.abs(now.height - view.height) > SLACK;
  if (now.zoom !== view.zoom || isResized) return failStaleScreenshot('resized');
  if (isElsewhere) return failStaleScreenshot('scrolled');
  const x = clip.x + (pixel.x * clip.width) / width - now.x;
  const y = clip.y + (pixel.y * clip.height) / height - now.y;
  if (x >= 0 && y >= 0 && x < now.width && y < now.height) return { x, y };
  return fail({
    code: 'invalid_argument',
    field: name,
    problem: 'this part of the picture is not in view now, so nothing can be pointed at there',
    hint: 'Scroll there with browser_scroll, then call browser_screenshot without full_page and use its pixels.',
  });
}

export function failStaleScreenshot(reason: ScreenshotStaleness): never {
  return fail({ code: 'stale_picture', reason });
}

export async function takeStepScreenshot(tab: Tab, signal: AbortSignal): Promise<Uint8Array> {
  const { x, y, width, height } = await abortable(readScreenshotViewport(tab), signal);
  const scale = Math.min(1, STEP_PICTURE_SIDE_PX / Math.max(width, height));
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
