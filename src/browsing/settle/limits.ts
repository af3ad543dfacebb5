/** An action without any sign of a consequence by then had none: frameworks render within a frame or two. */
export const ACT_SIGN_MS = 80;
/** The same for a page that has loaded and waits for nothing: its scripts have run, and have three frames to begin more. */
export const ACT_ARRIVED_SIGN_MS = 50;
/** Of the time a page took to load, which is what it may take at least: only pages that come in under 0.2 s have less. */
export const ACT_ARRIVED_SIGN_SHARE = 0.25;
/** A page that was quiet for so long has drawn what it had to draw. */
export const ACT_QUIET_MS = 150;
/** What was answered has reached the page's scripts by then; how often a document that goes away is asked again. */
export const ACT_QUIET_POLL_MS = 50;
/** Clocks, carousels and spinners never come to rest. */
export const ACT_NOISE_MS_MAX = 1_000;
/** Timers of a page that an action sets and that are waited for: fields that filter wait for so long until one has typed. */
export const ACT_TIMER_MS_MAX = 300;
/** How long a page may take to have its timers watched; one that is busy is acted on without. */
export const ACT_INPUT_PAUSE_MS = 500;
/** What the next look at a page needs of it is mostly ready when the page is; a page that is busy again is not waited for. */
export const ACT_WORLDS_MS_MAX = 100;
