import { SECOND_MS } from '#core/limits.ts';

/** Size of the view beside a failure: enough to find the element again. */
export const VIEW_FAILURE_BYTES_MAX = 8_000;
/** Elements that are listed when a selector matches several. */
export const SELECTOR_MATCHES_SHOWN_MAX = 10;
/** Pause between two looks at a page while waiting. After a slow look, the pause is as long as that look. */
export const WAIT_POLL_MS = 100;
/** The first look gets at least this long, however short the wait is, because without one nothing is known. */
export const WAIT_FIRST_LOOK_MS = 1 * SECOND_MS;
/** Words on each side of a text that does not disappear. */
export const WAIT_AROUND_CHARS = 60;
/** Characters on each side of a text that are looked through for it where something is hidden: those of long pages. */
export const WAIT_ALL_CHARS = 1_000_000;
