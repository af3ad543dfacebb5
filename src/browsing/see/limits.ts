import { SECOND_MS } from '#core/limits.ts';

/** Limit of Chromium's textures: beyond it, images are repeated or empty. CSS pixels. */
export const SCREENSHOT_PAGE_SIDE_MAX = 16_384;
/**
 * Size as base64: the result size that hosts accept, minus a full text (75 KB, twice that if every character is
 * escaped) and the JSON around both.
 */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** Labels in one screenshot. More would hide the elements they name. */
export const OVERLAY_LABELS_MAX = 200;
/** Limits of a step's screenshot: 10 to 30 KB. The next call waits at most `STEP_PICTURE_MS` for it. */
export const STEP_PICTURE_SIDE = 640;
export const STEP_PICTURE_QUALITY = 45;
export const STEP_PICTURE_MS = 1 * SECOND_MS;
