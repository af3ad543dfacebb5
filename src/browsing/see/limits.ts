import { SECOND_MS } from '#core/limits.ts';

/** Maximum side of a screenshot in CSS pixels. Beyond Chromium's limit for textures, images are repeated or empty. */
export const SCREENSHOT_PAGE_SIDE_MAX = 16_384;
/**
 * Maximum size of a screenshot in base64: the result size that MCP hosts accept, minus a full text (75 KB, twice that
 * if every character is escaped) and the JSON around both.
 */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** Maximum labels in one screenshot. More labels would hide the elements that they name. */
export const OVERLAY_LABELS_MAX = 200;
/** Longest side of the screenshot kept for each step: 10 to 30 KB. The next call waits `STEP_PICTURE_MS` at most. */
export const STEP_PICTURE_SIDE_PX = 640;
export const STEP_PICTURE_QUALITY = 45;
export const STEP_PICTURE_MS = 1 * SECOND_MS;
