import { SECOND_MS } from '#core/limits.ts';

export const VIEWPORT_LINES_MIN = 20;
export const VIEWPORT_LINES_MAX = 200;
export const VIEWPORT_LINES_DEFAULT = 80;
export const SEARCH_RESULTS_MAX = 10;
export const SEARCH_RESULTS_DEFAULT = 5;
export const SCROLL_DELTA_MAX = 5_000;
export const CITATION_NOTE_CHARS_MAX = 500;
/** Maximum characters of a script. Scripts that a model writes are short; a longer one would be a library. */
export const EVALUATED_SCRIPT_CHARS_MAX = 50_000;
export const EVALUATE_TIMEOUT_MS_DEFAULT = 5 * SECOND_MS;
