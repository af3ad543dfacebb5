import { SECOND_MS } from '#core/units.ts';

/** Chromium's textures end here; beyond, images are repeated or empty. CSS pixels. */
export const SCREENSHOT_PAGE_SIDE_MAX = 16_384;
/** As base64: what hosts take of a result, less a full text (75 KB, twice that when every character is escaped) and the frame around both. */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** From good to recognisable; the best that fits is taken. */
export const SCREENSHOT_QUALITIES = [85, 75, 65, 55, 45, 35] as const;
/** Captures scaled down further, when the last quality does not fit: each halves the area at least as far as it must. */
export const SCREENSHOT_SHRINKS_MAX = 4;
/** Fonts and images in view may still be loading. */
export const SCREENSHOT_READY_MS = 1.5 * SECOND_MS;
/** Chromium sometimes loses a capture of a tab behind another and never answers; the next one works. Usual: 0.1 s. */
export const SCREENSHOT_TRY_MS = 4 * SECOND_MS;
export const SCREENSHOT_TRIES_MAX = 3;
/** An image under this share of the page's size has text that cannot be read; the result says so. */
export const SCREENSHOT_LEGIBLE_SCALE_MIN = 0.4;
/** Labels of one screenshot; more would hide what they name. */
export const OVERLAY_LABELS_MAX = 200;
/** Refs that are looked for on the page to label them: the latest of a session that has shown more. */
export const OVERLAY_CANDIDATES_MAX = 600;
/** Quality of the image that labels are drawn on, before it is compressed again. */
export const OVERLAY_SOURCE_QUALITY = 92;
/** Elements in view of one document whose places are noted with a picture: a dense page has some thousand. */
export const PICTURE_ELEMENTS_MAX = 20_000;
