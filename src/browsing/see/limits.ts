import { SECOND_MS } from '#core/limits.ts';

/** Chromium's textures end here; beyond, images are repeated or empty. CSS pixels. */
export const SCREENSHOT_PAGE_SIDE_MAX = 16_384;
/**
 * Size as base64: what hosts accept in a result, minus a full text (75 KB, twice that if every character is escaped)
 * and the JSON around both.
 */
export const SCREENSHOT_BASE64_BYTES_MAX = 840_000;
/** From good to recognisable. The best one that fits is used. */
export const SCREENSHOT_QUALITIES = [85, 75, 65, 55, 45, 35] as const;
/**
 * Further captures at a smaller scale when the last quality does not fit. Each at least halves the area as far as
 * needed.
 */
export const SCREENSHOT_SHRINKS_MAX = 4;
/** How long fonts and images in view may take to load. */
export const SCREENSHOT_READY_MS = 1.5 * SECOND_MS;
/**
 * Chromium sometimes loses the capture of a tab behind another one and never answers; the next one works. It usually
 * takes 0.1 s.
 */
export const SCREENSHOT_TRY_MS = 4 * SECOND_MS;
export const SCREENSHOT_TRIES_MAX = 3;
/** Below this scale, text in an image cannot be read, and the result says so. */
export const SCREENSHOT_LEGIBLE_SCALE_MIN = 0.4;
/** Labels in one screenshot. More would hide what they name. */
export const OVERLAY_LABELS_MAX = 200;
/** Refs that are looked for on the page to label them: the latest ones, if the session has shown more. */
export const OVERLAY_CANDIDATES_MAX = 600;
/** Quality of the image that labels are drawn on before it is compressed again. */
export const OVERLAY_SOURCE_QUALITY = 92;
/** Elements in view of one document whose places are noted with a picture. A dense page has a few thousand. */
export const PICTURE_ELEMENTS_MAX = 20_000;

// ── Steps ───────────────────────────────────────────────────────────────────────────────────────────────
/** A picture of a step: enough to tell what happened, at 10 to 30 KB. The next call waits no longer for it than this. */
export const STEP_PICTURE_SIDE = 640;
export const STEP_PICTURE_QUALITY = 45;
export const STEP_PICTURE_MS = 1 * SECOND_MS;
