import { SECOND_MS } from '#core/limits.ts';

/** Lifetime of a click guard that could not be removed from a page. Longer than any click takes. */
export const CLICK_GUARD_LIFETIME_MS = 15 * SECOND_MS;
/** Maximum characters of a script's result as JSON, so that the result with its fence fits into a tool result. */
export const EVALUATE_RESULT_CHARS_MAX = 20_000;
export const EVALUATE_RESULT_DEPTH_MAX = 8;
