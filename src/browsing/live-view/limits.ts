import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum viewers of one session. A person has a few, and each costs the object its pictures. */
export const LIVE_VIEWERS_MAX = 8;
/** Lifetime of a ticket: a slow connection needs seconds to open the socket. A ticket works once. */
export const LIVE_TICKET_TTL_MS = 30 * SECOND_MS;
/** Unused tickets: more than viewers, because a page that reloads gets another. */
export const LIVE_TICKETS_MAX = 4 * LIVE_VIEWERS_MAX;
export const LIVE_TICKET_BYTES = 24;
/**
 * Screen of a phone in CSS pixels: the width that most pages are made for, and the range of heights, upright or not.
 */
export const PHONE_WIDTH = 390;
export const PHONE_HEIGHT_MIN = 300;
export const PHONE_HEIGHT_MAX = 900;
export const LIVE_PICTURE_PAUSE_MS = 40;
/** Characters of one paste: a long letter. */
export const LIVE_TEXT_CHARS_MAX = 20_000;
export const LIVE_CHOICES_MAX = 500;
/** Time for a person who left the page to come back, before the session is given back. */
export const LIVE_LEFT_MS = 1 * MINUTE_MS;
/** Idle time after which a person who drives has left for good. It is shorter than the delivery of a code by post. */
export const LIVE_IDLE_MS = 15 * MINUTE_MS;
/** Time for the person to answer a dialog of a page. After it, the dialog is dismissed. */
export const LIVE_DIALOG_MS = 2 * MINUTE_MS;
/** Longest wait for the browser to confirm an input. Inputs are sent in order. */
export const LIVE_INPUT_MS_MAX = 2 * SECOND_MS;
/** Time to read and choose the options of a list. No other input waits for it, so a busy page gets longer. */
export const LIVE_CHOICES_MS_MAX = 10 * SECOND_MS;
