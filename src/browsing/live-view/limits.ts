import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum viewers of one session. The session's Durable Object sends each image to each of them. */
export const LIVE_VIEWERS_MAX = 8;
/** Lifetime of a ticket, which works once. On a slow connection, opening the socket takes seconds. */
export const LIVE_TICKET_TTL_MS = 30 * SECOND_MS;
/** Maximum unused tickets: several per viewer, because a page gets a new ticket at each reload. */
export const LIVE_TICKETS_MAX = 4 * LIVE_VIEWERS_MAX;
export const LIVE_FRAME_INTERVAL_MS_MIN = 40;
/** Maximum characters of one pasted text, such as a long letter. */
export const LIVE_PASTED_CHARS_MAX = 20_000;
export const LIVE_SELECT_OPTIONS_MAX = 500;
/** Time for a person who left the live page to come back. Afterwards the model gets the session back. */
export const LIVE_DRIVER_RETURN_MS = 1 * MINUTE_MS;
/** Time without input after which a driving person counts as gone. Long enough to fetch a code from elsewhere. */
export const LIVE_DRIVER_IDLE_MS = 15 * MINUTE_MS;
/** Longest wait for Chromium to confirm an input, because the next input is sent only then. */
export const LIVE_INPUT_CONFIRM_MS_MAX = 2 * SECOND_MS;
