import { SECOND_MS } from '#core/limits.ts';

/** Maximum side in CSS pixels, from Chromium's limit for textures: beyond it, images are repeated or empty. */
export const SCREENSHOT_PAGE_SIDE_MAX = 16_384;
/**
 * Maximum size as base64: the result size that hosts accept, minus a full text (75 KB, twice that if every character is
 * escaped) and the JSON around both.
 */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** Maximum labels in one screenshot. More would hide the elements that they name. */
export const OVERLAY_LABELS_MAX = 200;
/** Size of a step's screenshot: 10 to 30 KB. The next call waits at most `STEP_PICTURE_MS` for it. */
export const STEP_PICTURE_SIDE = 640;
export const STEP_PICTURE_QUALITY = 45;
export const STEP_PICTURE_MS = 1 * SECOND_MS;
