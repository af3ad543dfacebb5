import { MINUTE_MS, SECOND_MS } from '#core/units.ts';

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * How long the platform keeps, and charges for, a browser that gets no command: its object sends one every minute, so it
 * is longer than any pause of that, and short for a browser whose object is gone.
 */
export const BROWSER_KEEP_ALIVE_MS = 3 * MINUTE_MS;
/** What a start may wait for its turn in all: Workers Paid starts one browser a second, so it is some seconds' crowd. */
export const BROWSER_START_WAIT_MS_MAX = 6 * SECOND_MS;
/** On top of each such wait, so that those who wait do not all come back at once. */
export const BROWSER_START_JITTER_MS = 250;
/** Of the text with which the platform refuses to start a browser: one sentence. */
export const BROWSER_DENIAL_BYTES_MAX = 4_000;
/** Patterns of hosts that Browser Run holds a browser to; it refuses longer lists. */
export const BROWSER_WALL_ENTRIES_MAX = 50;
/** The platform answers in a second or two, or says that it cannot. */
export const BROWSER_START_MS_MAX = 15 * SECOND_MS;
/** To end a browser that is there no more, or hangs: nobody waits for longer. */
export const BROWSER_CLOSE_MS_MAX = 3 * SECOND_MS;
/** Between two tries to start a browser: what made the first one fail has mostly passed by then. */
export const BROWSER_START_PAUSE_MS = 300;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Console messages of one target that are read: a page in development writes a few hundred when it loads. */
export const CONSOLE_RATE = { burst: 1_000, perSecond: 100 } as const;
/** A long message counts as one more for each of these, since reading it costs as much. */
export const CONSOLE_UNIT_CHARS = 2_000;
/** How long the console of a target that wrote too much is left unread. */
export const CONSOLE_PAUSE_MS = 3 * SECOND_MS;
/** Messages that a script may still send after its console was turned off, before it is stopped: it writes without a pause. */
export const CONSOLE_DROPPED_UNTIL_STOPPED = 2_000;
