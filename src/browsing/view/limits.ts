/** Enough to tell an element from others. `browser_read` gives the full text. */
export const VIEW_NAME_CHARS_MAX = 80;
export const VIEW_NAME_CHARS_VERBOSE_MAX = 300;
export const VIEW_TEXT_CHARS_MAX = 240;
export const VIEW_TEXT_CHARS_VERBOSE_MAX = 2_000;
/** After so many, a line of running text with many links goes on in another one, so that a view can be cut there. */
export const VIEW_LINE_CHARS = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
