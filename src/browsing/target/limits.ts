import { SECOND_MS } from '#core/units.ts';

/** Beside a failure: enough to find the element again. */
export const VIEW_FAILURE_BYTES_MAX = 8_000;
/** Elements shown when a selector matches more than one. */
export const SELECTOR_MATCHES_SHOWN_MAX = 10;
/** Between two looks at a page that is waited for; after a look that took longer, as long as that took. */
export const WAIT_POLL_MS = 100;
/** The first look at a page gets this long, however short the wait is: without one nothing can be said. */
export const WAIT_FIRST_LOOK_MS = 1 * SECOND_MS;
/** Of the words around a text that does not go away, on each side. */
export const WAIT_AROUND_CHARS = 60;
