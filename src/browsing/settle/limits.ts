/** An action without any sign of an effect by then had none: frameworks render within a frame or two. */
export const ACT_SIGN_MS = 80;
/**
 * The same for a page that has loaded and waits for nothing: its scripts have run, and have three frames to start
 * something.
 */
export const ACT_ARRIVED_SIGN_MS = 50;
/**
 * At least this share of the time that a page took to load. Only pages that load in under 0.2 s get less than the full
 * time.
 */
export const ACT_ARRIVED_SIGN_SHARE = 0.25;
/** A page that was quiet for this long has drawn what it had to draw. */
export const ACT_QUIET_MS = 150;
/**
 * By then, answers have reached the page's scripts. Also how often a document that is being replaced is asked again.
 */
export const ACT_QUIET_POLL_MS = 50;
/** Clocks, carousels and spinners never come to rest. */
export const ACT_NOISE_MS_MAX = 1_000;
/** Timers that an action sets and that are waited for. Filter fields wait this long for the end of typing. */
export const ACT_TIMER_MS_MAX = 300;
/** How long a page may take until its timers are watched. A busier page is acted on without. */
export const ACT_INPUT_PAUSE_MS = 500;
/** What the next look at a page needs is mostly ready when the page is. A page that is busy again is not waited for. */
export const ACT_WORLDS_MS_MAX = 100;
