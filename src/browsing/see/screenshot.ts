import { fail } from '#core/errors.ts';
import {
  OVERLAY_SOURCE_QUALITY,
  SCREENSHOT_LEGIBLE_SCALE_MIN,
  SCREENSHOT_PAGE_SIDE_MAX,
  SCREENSHOT_QUALITIES,
  SCREENSHOT_TRIES_MAX,
  SCREENSHOT_TRY_MS,
} from './limits.ts';
import { SCREENSHOT_SIDE_DEFAULT } from '#core/limits.ts';
import { abortable, within } from '#core/with-timeout.ts';
import { zoomIn } from '#browsing/layout/frame-owner.ts';
import { projectedQuad } from '#browsing/layout/projection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { fitImage } from './fit.ts';
import type { Attempt } from './fit.ts';
import { EVERYWHERE, placeOfFrame, placeOfTarget } from '#browsing/layout/frame-place.ts';
import { boxAround, intersect, moved, scaleFor, snapped } from '#browsing/layout/box.ts';
import type { Box } from '#browsing/in-page/scripts.ts';
import { jpegSize } from './jpeg-size.ts';
import { drawOverlay, findLabels } from './overlay.ts';
import type { LabelTarget } from './overlay.ts';
import { markPicture, viewOf } from './picture.ts';
import type { Picture } from '#browsing/tabs/picture.ts';
import { withoutTyped } from '#browsing/secrets/cover.ts';
import { waitUntilDrawn } from './wait-until-drawn.ts';

export type ScreenshotOptions = {
  /** Only this element; it is scrolled into view. */
  element?: Pick<PageElement, 'frame' | 'backendNodeId' | 'role'> | undefined;
  /** The whole page instead of what the tab shows now. */
  fullPage?: boolean;
  /** Longest side of the image, in pixels. */
  maxSide?: number | undefined;
  /** Where compression starts, 35 to 85; lower ones are taken when the image would be too large. */
  quality?: number | undefined;
  /** Refs to mark, as `Refs.ofTab` gives them after a fresh view. */
  labels?: readonly LabelTarget[] | undefined;
};

export type Screenshot = {
  jpegBase64: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Of the JPEG itself. */
  bytes: number;
  quality: number;
  /** Pixels of the image for one of the page. */
  scale: number;
  /** How many refs are marked. */
  labelled: number;
  /** Notes for the viewer, in our own words. */
  note?: string;
};

/** What is taken, in CSS pixels of the page, and where the tab is scrolled to. */
type Area = { clip: Box; isInView: boolean; scroll: { x: number; y: number }; note: string | null };

/**
 * A JPEG of a tab, made and scaled by Chromium, small enough for a result. The page is not focused and ends as it was.
 * For an image that reaches beyond the viewport Chromium lays it out anew for a moment, down to one pixel: its scripts see
 * `resize` events, the last one with the size it had. What the tab shows now is taken without any of that.
 *
 * @returns the image, and what is to be known of it to point at its pixels
 * @throws {PeriscopeError} `element_not_found` when the element shows nothing; `timeout` when Chromium gives no image;
 *   `render_failed` when it cannot make one small enough
 */
export async function takeScreenshot(
  tab: Tab,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Screenshot & { picture: Picture }> {
  await waitUntilDrawn(tab, signal);
  return withoutTyped(tab, signal, () => takePicture(tab, options, signal));
}

async function takePicture(
  tab: Tab,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Screenshot & { picture: Picture }> {
  const area = await abortable(areaOf(tab, options), signal);
  const { loaderId } = tab.main();
  const [mark, view] = await Promise.all([markPicture(tab, signal), abortable(viewOf(tab), signal)]);
  const maxSide = options.maxSide ?? SCREENSHOT_SIDE_DEFAULT;
  const wanted = scaleFor(area.clip, maxSide);
  const density = { factor: 1 };
  const take = (attempt: Attempt) => takeWithin(tab, area, attempt, maxSide, density, signal);
  const qualities = SCREENSHOT_QUALITIES.filter((quality) => quality <= (options.quality ?? SCREENSHOT_QUALITIES[0]));
  const { labels } = options;
  let labelled = 0;
  let draw = take;
  if (labels !== undefined) {
    const data = await take({ quality: OVERLAY_SOURCE_QUALITY, scale: wanted });
    const source = { data, width: sizeOf(data)?.width ?? 0 };
    const found = await findLabels(tab, labels, area, signal);
    labelled = found.length;
    draw = ({ quality, scale }) => drawOverlay(tab, source, found, area.clip, quality, scale / wanted, signal);
  }
  const taken = await fitImage(draw, wanted, qualities);
  const size = taken === null ? null : sizeOf(taken.data);
  if (taken === null || size === null)
    return fail({ code: 'render_failed', reason: 'even its smallest picture is too large' });
  const scale = size.width / area.clip.width;
  const note = [area.note, noteOnFrames(tab, area), noteOnScale(scale)].filter((words) => words !== null).join(' ');
  return {
    jpegBase64: taken.data,
    ...size,
    bytes: bytesOf(taken.data),
    quality: taken.quality,
    scale,
    labelled,
    ...(note === '' ? {} : { note }),
    picture: { mark, loaderId, view, clip: area.clip, ...size },
  };
}

async function areaOf(tab: Tab, { element, fullPage }: ScreenshotOptions): Promise<Area> {
  const elementBox = element === undefined ? null : await boxOfElement(tab, element);
  const { cssLayoutViewport, cssVisualViewport, cssContentSize } = await tab.session.send('Page.getLayoutMetrics');
  const scroll = { x: cssLayoutViewport.pageX, y: cssLayoutViewport.pageY };
  const { pageX, pageY, clientWidth, clientHeight } = cssVisualViewport;
  const shown: Box = { x: pageX, y: pageY, width: clientWidth, height: clientHeight };
  const { width, height } = cssContentSize;
  const page: Box = { ...cssContentSize, width: Math.max(width, clientWidth), height: Math.max(height, clientHeight) };
  if (element !== undefined) {
    const clip = elementBox === null ? null : intersect(snapped(moved(elementBox, scroll)), page);
    if (clip === null) return fail({ code: 'element_not_found', target: element.role, reason: 'hidden' });
    return { scroll, ...cut(clip, 'element', shown) };
  }
  if (fullPage === true) return { scroll, ...cut(page, 'page', shown) };
  return { clip: shown, isInView: true, scroll, note: null };
}

/** In the viewport of the tab, and only what frames around it let through. */
async function boxOfElement(
  tab: Tab,
  { frame, backendNodeId, role }: NonNullable<ScreenshotOptions['element']>,
): Promise<Box | null> {
  try {
    await frame.session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
    const [{ quads }, zoom, target, { visible }] = await Promise.all([
      frame.session.send('DOM.getContentQuads', { backendNodeId }),
      zoomIn(tab, frame),
      placeOfTarget(tab, frame),
      placeOfFrame(tab, frame, EVERYWHERE),
    ]);
    const box = boxAround(
      quads.map((quad) =>
        projectedQuad(
          target,
          quad.map((value) => value * zoom),
        ),
      ),
    );
    return box === null || visible === null ? null : intersect(box, visible);
  } catch (error) {
    // Chromium refuses nodes that are not laid out.
    if (error instanceof CdpError) return fail({ code: 'element_not_found', target: role, reason: 'hidden' });
    throw error;
  }
}

/** Takes the beginning of what exceeds the size that Chromium can draw at once. */
function cut(box: Box, what: 'element' | 'page', shown: Box): Omit<Area, 'scroll'> {
  const width = Math.min(box.width, SCREENSHOT_PAGE_SIDE_MAX);
  const height = Math.min(box.height, SCREENSHOT_PAGE_SIDE_MAX);
  const clip = { ...box, width, height };
  const inside = intersect(clip, shown);
  const isWhole = width === box.width && height === box.height;
  return {
    clip,
    isInView: inside?.width === width && inside.height === height,
    note: isWhole
      ? null
      : `The ${what} is ${box.width} × ${box.height} pixels; its first ${width} × ${height} are shown.`,
  };
}

async function takeWithin(
  tab: Tab,
  area: Area,
  attempt: Attempt,
  maxSide: number,
  density: { factor: number },
  signal: AbortSignal,
): Promise<string> {
  const data = await capture(tab, area, attempt, density.factor, signal);
  const size = sizeOf(data);
  const longest = Math.max(size?.width ?? 0, size?.height ?? 0);
  if (longest <= maxSide) return data;
  // The screen has several pixels for each CSS pixel, or an edge was rounded up.
  density.factor *= (maxSide - 0.5) / longest;
  return capture(tab, area, attempt, density.factor, signal);
}

async function capture(
  tab: Tab,
  { clip, isInView }: Area,
  { quality, scale }: Attempt,
  factor: number,
  signal: AbortSignal,
): Promise<string> {
  for (let tries = 0; tries < SCREENSHOT_TRIES_MAX; tries += 1) {
    const asked = tab.session.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality,
      clip: { ...clip, scale: scale * factor },
      captureBeyondViewport: !isInView,
    });
    const taken = await within(asked, SCREENSHOT_TRY_MS, signal).catch((error: unknown) => {
      if (!(error instanceof CdpError)) throw error;
      return fail({ code: 'render_failed', reason: 'the browser could not draw it' }, { cause: error });
    });
    if (taken !== null) return taken.data;
  }
  return fail({ code: 'timeout', what: 'Taking the screenshot', afterMs: SCREENSHOT_TRIES_MAX * SCREENSHOT_TRY_MS });
}

/** Chromium does not paint out-of-process frames that no window shows. */
function noteOnFrames(tab: Tab, { isInView }: Area): string | null {
  if (isInView || tab.frames().every(({ session }) => session.id === tab.session.id)) return null;
  return 'Frames from other sites can be blank in a picture larger than the window: capture them by their refs.';
}

function noteOnScale(scale: number): string | null {
  if (scale >= SCREENSHOT_LEGIBLE_SCALE_MIN) return null;
  return `It is scaled to ${Math.max(1, Math.round(scale * 100))} %: to read its text, capture the viewport or an element.`;
}

/** The head of a JPEG says it: Chromium writes it within the first kilobytes. */
function sizeOf(base64: string): { width: number; height: number } | null {
  const head = atob(base64.slice(0, HEAD_BASE64_CHARS));
  return jpegSize(Uint8Array.from(head, (char) => char.charCodeAt(0)));
}

const HEAD_BASE64_CHARS = 65_536;

function bytesOf(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
}
