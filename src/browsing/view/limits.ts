export const VIEW_NAME_CHARS_MAX = 300;
/** Length of details of an element other than its name, and of the names of pictures and parts of a page. */
export const VIEW_DETAIL_CHARS_MAX = 80;
/** Length of a paragraph or a cell. A longer one shows how many characters were cut. */
export const VIEW_TEXT_CHARS_MAX = 2_000;
/** Running text with many links is split into lines of this length, so that a view can be cut between them. */
export const VIEW_LINE_CHARS = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
