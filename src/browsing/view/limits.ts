import { SECOND_MS } from '#core/limits.ts';

/** A document of 50,000 elements takes 2 s. One that does not answer in this time runs an endless script. */
export const VIEW_FRAME_MS = 8 * SECOND_MS;
/** Counted from when the rest of a document has been read. Chromium lists the listeners of 50,000 elements in less. */
export const VIEW_LISTENERS_MS = 2 * SECOND_MS;
/** Each is described in the answer by its attributes, in some hundred bytes: a large table of cells to click is 2,000. */
export const VIEW_TELLING_ELEMENTS_MAX = 2_000;
export const VIEW_FIELDS_MAX = 500;
/** Each comes with its words. Pages hide far fewer than they show. */
export const VIEW_UNSEEN_TEXTS_MAX = 1_000;
/** Enough to tell an element from others. `browser_read` gives the full text. */
export const VIEW_NAME_CHARS_MAX = 80;
export const VIEW_NAME_CHARS_VERBOSE_MAX = 300;
export const VIEW_TEXT_CHARS_MAX = 240;
export const VIEW_TEXT_CHARS_VERBOSE_MAX = 2_000;
/** After so many, a line of running text with many links goes on in another one, so that a view can be cut there. */
export const VIEW_LINE_CHARS = 2_000;
export const VIEW_URL_CHARS_MAX = 48;
/** Options of a select that are listed. The number of the others is given. */
export const VIEW_OPTIONS_MAX = 12;
/** Length of a line that reports a change. It was seen in full before, or the next view shows it. */
export const CHANGE_LINE_CHARS_MAX = 160;
/** An element that reacts to a click and has more text than this is a part of the page, not a button. */
export const REACTING_TEXT_CHARS_MAX = 80;
/** How deep the parts of a listening container are searched: a table has a body, rows and cells. */
export const REACTING_DEPTH_MAX = 4;
/** Length of a line that was searched for, around the match. */
export const FOUND_LINE_CHARS_MAX = 300;
/** Lines of a row that are shown beside the matching one. */
export const FOUND_PART_LINES_MAX = 8;
/**
 * Nodes of a large document that are read at once: several times what a view shows, described by Chromium in a few tenths of a
 * second.
 */
export const VIEW_PART_NODES_MAX = 3_000;
/** Places of a large document that a name is looked for in: far more than a caller could choose from. */
export const VIEW_NAMED_PARTS_MAX = 40;
/** How long the parts of a large document are searched, one after the other, before the caller is told how far. */
export const VIEW_FIND_PARTS_MS = 4 * SECOND_MS;
/** Of what an element without a name is known by. */
export const VIEW_HINT_CHARS_MAX = 40;
