/** The name of an element. */
export const VIEW_NAME_CHARS_MAX = 300;
/** What is told of an element beside its name, and the names of pictures and parts of a page. */
export const VIEW_DETAIL_CHARS_MAX = 80;
/** A paragraph, or a cell. What is cut off is counted. */
export const VIEW_TEXT_CHARS_MAX = 2_000;
/** After so many, a line of running text with many links goes on in another one, so that a view can be cut there. */
export const VIEW_LINE_CHARS = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
