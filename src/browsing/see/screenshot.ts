import { jpegSize } from '#extract/image/header.ts';
import { fail } from '#core/failures/failure.ts';
import { SCREENSHOT_SIDE_PX_DEFAULT, SECOND_MS } from '#core/limits.ts';
import { abortable, resolveWithin } from '#core/flow/abort.ts';
import {
  boundingBoxOfQuads,
  intersectBoxes,
  moveBox,
  projectQuad,
  UNBOUNDED_BOX,
  framePosition,
  targetProjection,
  zoomOfFrame,
} from '#browsing/layout/projection.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { PageElement, Tab } from '#browsing/tabs/tab.ts';
import type { Box } from '#browsing/in-page/script-types.ts';
import { drawRefLabelOverlay, visibleLabelTargets } from './ref-labels.ts';
import type { LabelTarget } from './ref-labels.ts';
import { recordScreenshotElements, readScreenshotViewport } from './picture.ts';
import type { CapturedPicture, ScreenshotRecord } from '#browsing/tabs/page-record.ts';
import { withTypedTextCovered } from '#browsing/secrets/cover.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';

/**
 * Maximum size of a screenshot in base64: the result size that MCP hosts accept, minus a full text (75 KB, or twice as
 * much if every character is escaped) and the JSON around image and text.
 */
const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** Maximum side of a screenshot in CSS pixels. Above Chromium's limit for textures, images are repeated or empty. */
const SCREENSHOT_PAGE_SIDE_PX_MAX = 16_384;
/** JPEG qualities from good to barely legible. The best quality that makes the image small enough is used. */
const SCREENSHOT_QUALITIES = [85, 75, 65, 55, 45, 35] as const;
/** Maximum further captures if even the lowest quality is too large. Each shrinks the image by the excess size. */
const SCREENSHOT_SHRINKS_MAX = 4;
const SCREENSHOT_READY_MS = 1.5 * SECOND_MS;
/**
 * Time limit of one capture, which usually takes 0.1 s. Chromium sometimes loses the capture of a background tab and
 * never answers; the next capture works.
 */
const SCREENSHOT_TRY_MS = 4 * SECOND_MS;
const SCREENSHOT_TRIES_MAX = 3;
/** Scale below which the result says that text in the image is illegible. */
const SCREENSHOT_LEGIBLE_SCALE_MIN = 0.4;
/** JPEG quality of the capture on which labels are drawn. The labelled image is then compressed again. */
const OVERLAY_SOURCE_QUALITY = 92;

export type ScreenshotOptions = {
  element?: Pick<PageElement, 'frame' | 'backendNodeId' | 'role'> | undefined;
  fullPage?: boolean;
  maxSide?: number | undefined;
  /** Highest JPEG quality to try, from 35 to 85. */
  quality?: number | undefined;
  /** Refs to label, from `ElementRefs.ofTab` after a fresh view of the page. */
  labels?: readonly LabelTarget[] | undefined;
};

export type Screenshot = {
  jpegBase64: string;
  width: number;
  height: number;
  bytes: number;
  quality: number;
  /** Image pixels per CSS pixel of the page. */
  scale: number;
  labelled: number;
  note?: string;
};

type Area = { clip: Box; isInView: boolean; scroll: { x: number; y: number }; note: string | null };

/**
 * Takes a JPEG of a tab, small enough for a result. Does not focus the page, and restores its state. For an image
 * beyond the viewport, Chromium lays the page out again for a moment, down to one pixel. Scripts of the page then see
 * `resize` events, the last one with the original size.
 * @returns the image, and the data needed to convert its pixels into points of the page
 * @throws {PeriscopeError} `element_not_found` if the element shows nothing; `timeout` if Chromium returns no image;
 * `render_failed` if it cannot make one small enough
 */
export async function takeScreenshot(
  tab: Tab,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Screenshot & { picture: ScreenshotRecord }> {
  await waitUntilDrawn(tab, signal);
  return withTypedTextCovered(tab, signal, () => takePicture(tab, options, signal));
}

async function takePicture(
  tab: Tab,
  options: ScreenshotOptions,
  signal: AbortSignal,
): Promise<Screenshot & { picture: ScreenshotRecord }> {
  const area = await abortable(areaOf(tab, options), signal);
  const { loaderId } = tab.main();
  const [mark, view] = await Promise.all([
    recordScreenshotElements(tab, signal),
    abortable(readScreenshotViewport(tab), signal),
  ]);
  const maxSide = options.maxSide ?? SCREENSHOT_SIDE_PX_DEFAULT;
  const wanted = scaleToFitSide(area.clip, maxSide);
  const density = { factor: 1 };
  const take = (attempt: JpegQualityAndScale) => takeWithin(tab, area, attempt, maxSide, density, signal);
  const qualities = SCREENSHOT_QUALITIES.filter((quality) => quality <= (options.quality ?? SCREENSHOT_QUALITIES[0]));
  const { labels } = options;
  let labelled = 0;
  let plain: Taken | null = null;
  let draw = take;
  if (labels !== undefined) {
    const data = await take({ quality: OVERLAY_SOURCE_QUALITY, scale: wanted });
    plain = { data, quality: OVERLAY_SOURCE_QUALITY, scale: wanted };
    const source = { data, width: jpegSizeOf(data)?.width ?? 0 };
    const found = await visibleLabelTargets(tab, labels, area, signal);
    labelled = found.length;
    draw = ({ quality, scale }) => drawRefLabelOverlay(tab, source, found, area.clip, quality, scale / wanted, signal);
  }
  const taken = await fitImageToBytes(draw, wanted, qualities);
  const size = taken === null ? null : jpegSizeOf(taken.data);
  if (taken === null || size === null)
    return fail({ code: 'render_failed', reason: 'even its smallest picture is too large' });
  const scale = size.width / area.clip.width;
  const note = [area.note, noteOnFrames(tab, area), noteOnScale(scale)].filter((words) => words !== null).join(' ');
  return {
    jpegBase64: taken.data,
    ...size,
    bytes: jpegBytes(taken.data),
    quality: taken.quality,
    scale,
    labelled,
    ...(note === '' ? {} : { note }),
    picture: {
      mark,
      loaderId,
      view,
      clip: area.clip,
      ...size,
      source: area.isInView ? toCaptured(plain ?? taken, density.factor) : null,
      ownChanges: [],
    },
  };
}

function toCaptured({ data, quality, scale }: Taken, factor: number): CapturedPicture | null {
  const size = jpegSizeOf(data);
  return size === null ? null : { jpegBase64: data, ...size, quality, scale: scale * factor };
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
    const clip = elementBox === null ? null : intersectBoxes(snapToPixels(moveBox(elementBox, scroll)), page);
    if (clip === null) return fail({ code: 'element_not_found', target: element.role, reason: 'hidden' });
    return { scroll, ...cut(clip, 'element', shown) };
  }
  if (fullPage === true) return { scroll, ...cut(page, 'page', shown) };
  return { clip: shown, isInView: true, scroll, note: null };
}

async function boxOfElement(
  tab: Tab,
  { frame, backendNodeId, role }: NonNullable<ScreenshotOptions['element']>,
): Promise<Box | null> {
  try {
    await frame.session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
    const [{ quads }, zoom, target, { visible }] = await Promise.all([
      frame.session.send('DOM.getContentQuads', { backendNodeId }),
      zoomOfFrame(tab, frame),
      targetProjection(tab, frame),
      framePosition(tab, frame, UNBOUNDED_BOX),
    ]);
    const box = boundingBoxOfQuads(
      quads.map((quad) =>
        projectQuad(
          target,
          quad.map((value) => value * zoom),
        ),
      ),
    );
    return box === null || visible === null ? null : intersectBoxes(box, visible);
  } catch (error) {
    // Chromium refuses elements without a layout box, such as hidden elements.
    if (error instanceof CdpError) return fail({ code: 'element_not_found', target: role, reason: 'hidden' });
    throw error;
  }
}

function cut(box: Box, what: 'element' | 'page', shown: Box): Omit<Area, 'scroll'> {
  const width = Math.min(box.width, SCREENSHOT_PAGE_SIDE_PX_MAX);
  const height = Math.min(box.height, SCREENSHOT_PAGE_SIDE_PX_MAX);
  const clip = { ...box, width, height };
  const inside = intersectBoxes(clip, shown);
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
  attempt: JpegQualityAndScale,
  maxSide: number,
  density: { factor: number },
  signal: AbortSignal,
): Promise<string> {
  const data = await captureArea(tab, area, attempt, density.factor, signal);
  const size = jpegSizeOf(data);
  const longest = Math.max(size?.width ?? 0, size?.height ?? 0);
  if (longest <= maxSide) return data;
  // The image is larger than computed, because the screen has several pixels per CSS pixel, or an edge was rounded up.
  density.factor *= (maxSide - 0.5) / longest;
  return captureArea(tab, area, attempt, density.factor, signal);
}

export async function captureArea(
  tab: Tab,
  { clip, isInView }: Pick<Area, 'clip' | 'isInView'>,
  { quality, scale }: JpegQualityAndScale,
  factor: number,
  signal: AbortSignal,
  triesMax: number = SCREENSHOT_TRIES_MAX,
): Promise<string> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const attempt = { quality, scale: scale * factor };
    const data = await captureOnce(tab, { clip, isInView }, attempt, SCREENSHOT_TRY_MS, signal);
    if (data !== null) return data;
  }
  return fail({ code: 'timeout', what: 'Taking the screenshot', afterMs: triesMax * SCREENSHOT_TRY_MS });
}

/** @returns JPEG in base64; `null` if Chromium returned none in time */
export async function captureOnce(
  tab: Tab,
  { clip, isInView }: Pick<Area, 'clip' | 'isInView'>,
  { quality, scale }: JpegQualityAndScale,
  msMax: number,
  signal: AbortSignal,
): Promise<string | null> {
  const sent = tab.session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality,
    clip: { ...clip, scale },
    captureBeyondViewport: !isInView,
  });
  const taken = await resolveWithin(sent, msMax, signal).catch((error: unknown) => {
    if (!(error instanceof CdpError)) throw error;
    return fail({ code: 'render_failed', reason: 'the browser could not draw it' }, { cause: error });
  });
  return taken?.data ?? null;
}

/**
 * Note that frames may be blank, because Chromium does not paint out-of-process frames outside the window; `null` if
 * all is in view.
 */
function noteOnFrames(tab: Tab, { isInView }: Area): string | null {
  if (isInView || tab.frames().every(({ session }) => session.id === tab.session.id)) return null;
  return 'Frames from other sites can be blank in a picture larger than the window: capture them by their refs.';
}

function noteOnScale(scale: number): string | null {
  if (scale >= SCREENSHOT_LEGIBLE_SCALE_MIN) return null;
  return `It is scaled to ${Math.max(1, Math.round(scale * 100))} %: to read its text, capture the viewport or an element.`;
}

/** Reads the size from the first kilobytes of a JPEG, where Chromium writes it. */
export function jpegSizeOf(base64: string): { width: number; height: number } | null {
  const head = atob(base64.slice(0, HEAD_BASE64_CHARS));
  return jpegSize(Uint8Array.from(head, (char) => char.charCodeAt(0)));
}

const HEAD_BASE64_CHARS = 65_536;

export function jpegBytes(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
}

export type JpegQualityAndScale = { quality: number; scale: number };
type Taken = JpegQualityAndScale & { data: string };

/**
 * Finds the best image that is small enough: with the highest possible quality, or shrunk if even the lowest quality is
 * too large. Most images fit at the first quality; otherwise this is a binary search.
 * @param qualities from highest to lowest
 * @returns `null` if even the shrunk image is too large
 */
export async function fitImageToBytes(
  take: (attempt: JpegQualityAndScale) => Promise<string>,
  scale: number,
  qualities: readonly number[] = SCREENSHOT_QUALITIES,
  maxBytes: number = SCREENSHOT_BASE64_BYTES_MAX,
): Promise<Taken | null> {
  const tryWith = async (attempt: JpegQualityAndScale): Promise<Taken> => ({ ...attempt, data: await take(attempt) });
  const [best = 0, ...worse] = qualities;
  const first = await tryWith({ quality: best, scale });
  if (first.data.length <= maxBytes) return first;

  let fitting: Taken | null = null;
  let smallest = first;
  let ladder = worse;
  while (ladder.length > 0) {
    const middle = Math.floor(ladder.length / 2);
    const taken = await tryWith({ quality: ladder[middle] ?? best, scale });
    if (taken.data.length < smallest.data.length) smallest = taken;
    const fits = taken.data.length <= maxBytes;
    if (fits) fitting = taken;
    ladder = fits ? ladder.slice(0, middle) : ladder.slice(middle + 1);
  }
  return fitting ?? (await shrink(tryWith, smallest, maxBytes));
}

async function shrink(
  tryWith: (attempt: JpegQualityAndScale) => Promise<Taken>,
  smallest: Taken,
  maxBytes: number,
): Promise<Taken | null> {
  let last = smallest;
  for (let shrinks = 0; shrinks < SCREENSHOT_SHRINKS_MAX; shrinks += 1) {
    // Bytes fall at most in proportion to the area, because downscaled noise compresses no better.
    const factor = Math.sqrt(maxBytes / last.data.length) * SHRINK_MARGIN;
    last = await tryWith({ quality: last.quality, scale: last.scale * factor });
    if (last.data.length <= maxBytes) return last;
  }
  return null;
}

const SHRINK_MARGIN = 0.95;

async function waitUntilDrawn(tab: Tab, signal: AbortSignal): Promise<void> {
  try {
    await resolveWithin(
      callIn(tab, tab.main(), pageScripts.waitForFontsAndImages, [], signal),
      SCREENSHOT_READY_MS,
      signal,
    );
  } catch (error) {
    if (signal.aborted || error instanceof BrowserGone) throw error;
  }
}

function snapToPixels({ x, y, width, height }: Box): Box {
  const left = Math.floor(x);
  const top = Math.floor(y);
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

function scaleToFitSide({ width, height }: Box, maxSide: number): number {
  return Math.min(1, maxSide / Math.max(width, height));
}
