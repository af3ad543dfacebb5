import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * How long the platform keeps a browser that gets no commands, and charges for it. A session sends one every minute; a
 * browser whose session is gone should end soon.
 */
export const BROWSER_KEEP_ALIVE_MS = 3 * MINUTE_MS;
/**
 * How long a start may wait in all. Workers Paid starts one browser a second, so this is enough for a queue of a few.
 */
export const BROWSER_START_WAIT_MS_MAX = 6 * SECOND_MS;
/** Added to each such wait, so that not all who wait come back at once. */
export const BROWSER_START_JITTER_MS = 250;
/** How much is read of the platform's reason for not starting a browser: one sentence. */
export const BROWSER_DENIAL_BYTES_MAX = 4_000;
/** Host patterns that Browser Run accepts for one browser; it refuses longer lists. */
export const BROWSER_WALL_ENTRIES_MAX = 50;
/** The platform answers within a second or two, or says that it cannot. */
export const BROWSER_START_MS_MAX = 15 * SECOND_MS;
/** Ending a browser that is already gone, or hangs, takes no longer than this. */
export const BROWSER_CLOSE_MS_MAX = 3 * SECOND_MS;
/** Pause before the second try to start a browser. Most reasons for a failure have passed by then. */
export const BROWSER_START_PAUSE_MS = 300;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Console messages of one target that are read. A page under development writes a few hundred when it loads. */
export const CONSOLE_RATE = { burst: 1_000, perSecond: 100 } as const;
/** A long message counts once more for each of these, because reading it costs that much more. */
export const CONSOLE_UNIT_CHARS = 2_000;
/** How long the console of a target that wrote too much is turned off. */
export const CONSOLE_PAUSE_MS = 3 * SECOND_MS;
/**
 * Messages that a script may send after its console was turned off. After that it is stopped, because it writes without
 * a pause.
 */
export const CONSOLE_DROPPED_UNTIL_STOPPED = 2_000;
