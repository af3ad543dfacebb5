export const VIEW_NAME_CHARS_MAX = 300;
/** Maximum characters of details other than the name, and of the names of pictures and parts of a page. */
export const VIEW_DETAIL_CHARS_MAX = 80;
/** Maximum characters of a paragraph or a cell. A longer one shows how many characters were cut. */
export const VIEW_TEXT_CHARS_MAX = 2_000;
/** Length of the lines into which running text with many links is split, so that a view can be cut between them. */
export const VIEW_LINE_CHARS = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
