export const VIEW_NAME_CHARS_MAX = 300;
/** Maximum characters of a placeholder, tooltip or hint, and of the names of images and page regions. */
export const VIEW_ELEMENT_DETAIL_CHARS_MAX = 80;
/** Maximum characters of a paragraph or table cell. A longer one ends with the number of omitted characters. */
export const VIEW_TEXT_CHARS_MAX = 2_000;
/** Length after which text with many links is split into several lines: paging can break a view only between lines. */
export const VIEW_LINE_BREAK_CHARS = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
