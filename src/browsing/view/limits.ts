import { SECOND_MS } from '#core/units.ts';

/** A document of 50,000 elements takes 2 s; one that does not answer by then runs a script without end. */
export const VIEW_FRAME_MS = 8 * SECOND_MS;
/** From when the rest of a document is there: Chromium lists the listeners of 50,000 elements in less. */
export const VIEW_LISTENERS_MS = 2 * SECOND_MS;
/** Each costs one message to the browser. */
export const VIEW_TELLING_ELEMENTS_MAX = 300;
export const VIEW_FIELDS_MAX = 500;
/** What tells an element from others; the rest is text that `browser_read` gives in full. */
export const VIEW_NAME_CHARS_MAX = 80;
export const VIEW_NAME_CHARS_VERBOSE_MAX = 300;
export const VIEW_TEXT_CHARS_MAX = 240;
export const VIEW_TEXT_CHARS_VERBOSE_MAX = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
/** Choices of a select that are listed; the number of the others is told. */
export const VIEW_OPTIONS_MAX = 12;
/** Of a line that tells a change: it has been seen in full before, or the next view shows it. */
export const CHANGE_LINE_CHARS_MAX = 160;
/** What reacts to a click and says more than this is a part of the page, not a button. */
export const REACTING_TEXT_CHARS_MAX = 80;
/** How deep in a container that listens its parts are looked for: a table has a body, rows and cells. */
export const REACTING_DEPTH_MAX = 4;
/** Of a line that was looked for, around the match. */
export const FOUND_LINE_CHARS_MAX = 300;
/** Lines of a row beside the one that matches. */
export const FOUND_PART_LINES_MAX = 8;
