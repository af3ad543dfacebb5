import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { ScreenshotRecord } from '#browsing/tabs/page-record.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { Box } from '#browsing/in-page/script-types.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { intersectBoxes } from '#browsing/layout/projection.ts';
import { withTypedTextCovered } from '#browsing/secrets/cover.ts';
import { sleep } from '#core/flow/abort.ts';
import { STEP_PICTURE_MS_MAX } from './picture.ts';
import { captureOnce } from './screenshot.ts';

/** Distance in pixels around a point within which the picture is compared. Holds the word of a drawn button. */
const COMPARED_PX = 48;
/** JPEG codes blocks of 16 pixels. Equal blocks of the page give equal pixels if the crop begins at a block. */
const BLOCK_PX = 16;
/** Number of pixels, at full size, from which a place counts as changed. About a stroke of a letter. */
const CHANGED_PX_MIN = 10;
/**
 * Difference of a colour channel, of 255, from which a pixel counts as changed. In a scaled picture, fine patterns differ
 * because the crop begins between two pixels of the screen.
 */
const CHANNEL_CHANGE_MIN = { full: 56, scaled: 88 } as const;
/** Pauses in ms between further crops of a changed place. A place that changes from crop to crop is animated. */
const MOVING_PAUSES_MS = [100, 300, 700] as const;

/** `moving`: the place changes all the time, so it cannot be compared. `unknown`: no picture to compare. */
export type PictureAtPoint = 'same' | 'changed' | 'moving' | 'unknown';

/**
 * Compares the pixels around a point with the last screenshot.
 * @param pixel the point in the screenshot
 * @param near box around the element at that point, relative to the point, in CSS pixels
 */
export async function comparePictureAt(
  tab: Tab,
  { clip, width, source }: ScreenshotRecord,
  pixel: Point,
  near: Box,
  signal: AbortSignal,
): Promise<PictureAtPoint> {
  if (source === null) return 'unknown';
  const perCss = source.width / clip.width;
  const point = { x: (pixel.x * source.width) / width, y: (pixel.y * source.width) / width };
  const place = cropAround(point, source);
  const around: Box = {
    x: Math.round(point.x + near.x * perCss - place.x),
    y: Math.round(point.y + near.y * perCss - place.y),
    width: Math.round(near.width * perCss),
    height: Math.round(near.height * perCss),
  };
  const inner = intersectBoxes(around, { x: 0, y: 0, width: place.width, height: place.height });
  if (inner === null || inner.width < 1 || inner.height < 1) return 'unknown';
  const area = {
    x: clip.x + place.x / perCss,
    y: clip.y + place.y / perCss,
    width: place.width / perCss,
    height: place.height / perCss,
  };
  const take = () =>
    withTypedTextCovered(tab, signal, () =>
      captureOnce(tab, { clip: area, isInView: true }, source, STEP_PICTURE_MS_MAX, signal),
    );
  const least = Math.max(2, CHANGED_PX_MIN * Math.min(1, perCss) ** 2);
  const channel = CHANNEL_CHANGE_MIN[perCss === 1 ? 'full' : 'scaled'];
  const differs = async (before: string, now: string, at: Box) =>
    (await callIn(tab, tab.main(), pageScripts.countChangedPixels, [before, now, at, inner, channel], signal)) >= least;
  const first = await take();
  if (first === null) return 'unknown';
  if (!(await differs(source.jpegBase64, first, place))) return 'same';
  for (const pause of MOVING_PAUSES_MS) {
    await sleep(pause, signal);
    const next = await take();
    if (next === null) return 'unknown';
    if (await differs(first, next, { ...place, x: 0, y: 0 })) return 'moving';
  }
  return 'changed';
}

function cropAround({ x, y }: Point, { width, height }: { width: number; height: number }): Box {
  const left = Math.floor(Math.max(0, x - COMPARED_PX) / BLOCK_PX) * BLOCK_PX;
  const top = Math.floor(Math.max(0, y - COMPARED_PX) / BLOCK_PX) * BLOCK_PX;
  const right = Math.min(width, Math.ceil((x + COMPARED_PX) / BLOCK_PX) * BLOCK_PX);
  const bottom = Math.min(height, Math.ceil((y + COMPARED_PX) / BLOCK_PX) * BLOCK_PX);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
