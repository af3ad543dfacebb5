import * as pageScripts from '#generated/page-scripts.js';
import { callIn, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { CapturedPicture, ScreenshotRecord } from '#browsing/tabs/page-record.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { Box } from '#browsing/in-page/script-types.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { intersectBoxes } from '#browsing/layout/projection.ts';
import { withTypedTextCovered } from '#browsing/secrets/cover.ts';
import { sleep } from '#core/flow/abort.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
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

/** Distance in pixels from the caller's last pixels within which a change counts as made by the action there. */
const OWN_PX = 2 * COMPARED_PX;
/** Maximum own changes of a picture. Enough for the corners of a large polygon. */
const OWN_CHANGES_MAX = 24;

/** `moving`: the place changes all the time, so it cannot be compared. `unknown`: no picture to compare. */
export type PictureAtPoint = 'same' | 'changed' | 'moving' | 'unknown';

/**
 * Compares the pixels around a point with the last screenshot.
 * @param pixel the point in the screenshot
 * @param near box around the element at that point, relative to the point, in CSS pixels
 */
export async function comparePictureAt(
  tab: Tab,
  { clip, width, source, ownChanges }: ScreenshotRecord,
  pixel: Point,
  near: Box,
  signal: AbortSignal,
): Promise<PictureAtPoint> {
  if (source === null) return 'unknown';
  const perCss = source.width / clip.width;
  const point = { x: (pixel.x * source.width) / width, y: (pixel.y * source.width) / width };
  const place = cropAround([point], COMPARED_PX, source);
  const around: Box = {
    x: Math.round(point.x + near.x * perCss - place.x),
    y: Math.round(point.y + near.y * perCss - place.y),
    width: Math.round(near.width * perCss),
    height: Math.round(near.height * perCss),
  };
  const inner = intersectBoxes(around, { x: 0, y: 0, width: place.width, height: place.height });
  if (inner === null || inner.width < 1 || inner.height < 1) return 'unknown';
  const take = () => capturePlace(tab, clip, source, place, signal);
  const least = Math.max(2, CHANGED_PX_MIN * Math.min(1, perCss) ** 2);
  const channel = CHANNEL_CHANGE_MIN[perCss === 1 ? 'full' : 'scaled'];
  const differs = async (before: Placed, now: string, own: (readonly [Placed, Placed])[] = []) =>
    (await callIn(tab, tab.main(), pageScripts.countChangedPixels, [before, now, inner, channel, own], signal)) >=
    least;
  const own = ownChanges.flatMap(({ place: its, before, after }) => {
    if (before === after || intersectBoxes(its, place) === null) return [];
    const at = { x: place.x - its.x, y: place.y - its.y };
    return [
      [
        { jpegBase64: before, ...at },
        { jpegBase64: after, ...at },
      ] as const,
    ];
  });
  const first = await take();
  if (first === null) return 'unknown';
  if (!(await differs({ jpegBase64: source.jpegBase64, x: place.x, y: place.y }, first, own))) return 'same';
  for (const pause of MOVING_PAUSES_MS) {
    await sleep(pause, signal);
    const next = await take();
    if (next === null) return 'unknown';
    if (await differs({ jpegBase64: first, x: 0, y: 0 }, next)) return 'moving';
  }
  return 'changed';
}

type Placed = { jpegBase64: string; x: number; y: number };

/**
 * Begins to record the change that an action at pixels of a canvas makes around them, and from the last such pixel to
 * them, where a line may be drawn. {@link comparePictureAt} then does not count this change.
 * @returns call this when the action has settled
 */
export async function recordOwnChange(
  tab: Tab & { picture: ScreenshotRecord | null },
  pixels: readonly Point[],
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { picture } = tab;
  const source = picture?.source ?? null;
  if (picture === null || source === null) return async () => undefined;
  const { clip, width, ownChanges, loaderId } = picture;
  const last = ownChanges.at(-1)?.pixels.at(-1);
  const points = [...(last === undefined ? [] : [last]), ...pixels].map(({ x, y }) => ({
    x: (x * source.width) / width,
    y: (y * source.width) / width,
  }));
  const place = cropAround(points, OWN_PX, source);
  const before = await capturePlace(tab, clip, source, place, signal).catch(nullIfRefused);
  return async () => {
    if (before === null || tab.picture !== picture || tab.main().loaderId !== loaderId) return;
    const after = await capturePlace(tab, clip, source, place, signal).catch(nullIfRefused);
    if (after === null) return;
    ownChanges.push({ pixels, place, before, after });
    if (ownChanges.length > OWN_CHANGES_MAX) ownChanges.shift();
  };
}

/** Without both pictures, the change counts as the page's own. The action itself has not failed. */
function nullIfRefused(error: unknown): null {
  if (error instanceof PeriscopeError) return null;
  return nullIfGone(error);
}

function capturePlace(
  tab: Tab,
  clip: Box,
  source: CapturedPicture,
  place: Box,
  signal: AbortSignal,
): Promise<string | null> {
  const perCss = source.width / clip.width;
  const area = {
    x: clip.x + place.x / perCss,
    y: clip.y + place.y / perCss,
    width: place.width / perCss,
    height: place.height / perCss,
  };
  return withTypedTextCovered(tab, signal, () =>
    captureOnce(tab, { clip: area, isInView: true }, source, STEP_PICTURE_MS_MAX, signal),
  );
}

function cropAround(points: readonly Point[], distance: number, { width, height }: Pick<Box, 'width' | 'height'>): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const left = Math.floor(Math.max(0, Math.min(...xs) - distance) / BLOCK_PX) * BLOCK_PX;
  const top = Math.floor(Math.max(0, Math.min(...ys) - distance) / BLOCK_PX) * BLOCK_PX;
  const right = Math.min(width, Math.ceil((Math.max(...xs) + distance) / BLOCK_PX) * BLOCK_PX);
  const bottom = Math.min(height, Math.ceil((Math.max(...ys) + distance) / BLOCK_PX) * BLOCK_PX);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
