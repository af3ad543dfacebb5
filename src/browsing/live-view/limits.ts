import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum viewers of one session. A person has a few, and the object sends pictures to each. */
export const LIVE_VIEWERS_MAX = 8;
/** Lifetime of a ticket, which works once. A slow connection needs seconds to open the socket. */
export const LIVE_TICKET_TTL_MS = 30 * SECOND_MS;
/** Maximum unused tickets. More than viewers, because a page gets a new ticket when it reloads. */
export const LIVE_TICKETS_MAX = 4 * LIVE_VIEWERS_MAX;
export const LIVE_TICKET_BYTES = 24;
/** Width of a phone screen in CSS pixels, for which most mobile pages are made. Below: the range of heights. */
export const PHONE_WIDTH = 390;
export const PHONE_HEIGHT_MIN = 300;
export const PHONE_HEIGHT_MAX = 900;
export const LIVE_PICTURE_PAUSE_MS = 40;
/** Maximum characters of one paste: a long letter. */
export const LIVE_TEXT_CHARS_MAX = 20_000;
export const LIVE_CHOICES_MAX = 500;
/** Time for a person who left the page to come back before the model gets the session back. */
export const LIVE_LEFT_MS = 1 * MINUTE_MS;
/** Idle time after which a person who drives counts as gone. Some codes, such as those by post, take longer. */
export const LIVE_IDLE_MS = 15 * MINUTE_MS;
/** Time for the person to answer a dialog of a page. Afterwards the dialog is dismissed. */
export const LIVE_DIALOG_MS = 2 * MINUTE_MS;
/** Longest wait for the browser to confirm an input. Inputs are sent in order. */
export const LIVE_INPUT_MS_MAX = 2 * SECOND_MS;
/** Time to read and choose the options of a list. Other inputs do not wait for this, so a busy page gets longer. */
export const LIVE_CHOICES_MS_MAX = 10 * SECOND_MS;
