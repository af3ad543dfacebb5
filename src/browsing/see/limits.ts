import { SECOND_MS } from '#core/limits.ts';

/** Maximum side of a screenshot in CSS pixels. Above Chromium's limit for textures, images are repeated or empty. */
export const SCREENSHOT_PAGE_SIDE_PX_MAX = 16_384;
/**
 * Maximum size of a screenshot in base64: the result size that MCP hosts accept, minus a full text (75 KB, or twice as
 * much if every character is escaped) and the JSON around image and text.
 */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** Maximum labels in one screenshot. With more, labels would hide the elements that they name. */
export const SCREENSHOT_LABELS_MAX = 200;
/**
 * Longest side in pixels of the screenshot stored for each step: 10 to 30 KB. The next call waits at most
 * `STEP_PICTURE_MS_MAX` for it.
 */
export const STEP_PICTURE_SIDE_PX = 640;
export const STEP_PICTURE_QUALITY = 45;
export const STEP_PICTURE_MS_MAX = 1 * SECOND_MS;
