import { SECOND_MS } from '#core/units.ts';

/** A document of 50,000 elements takes 2 s; one that does not answer by then runs a script without end. */
export const SNAPSHOT_FRAME_MS = 8 * SECOND_MS;
/** Each costs one message to the browser. */
export const SNAPSHOT_TELLING_ELEMENTS_MAX = 300;
export const SNAPSHOT_FIELDS_MAX = 500;
/** What tells an element from others; the rest is text that `browser_read` gives in full. */
export const SNAPSHOT_NAME_CHARS_MAX = 80;
export const SNAPSHOT_NAME_CHARS_VERBOSE_MAX = 300;
export const SNAPSHOT_TEXT_CHARS_MAX = 240;
export const SNAPSHOT_TEXT_CHARS_VERBOSE_MAX = 2_000;
export const SNAPSHOT_URL_CHARS_MAX = 48;
/** Choices of a select that are listed; the number of the others is told. */
export const SNAPSHOT_OPTIONS_MAX = 12;
