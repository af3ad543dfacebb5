import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Pages that show one session at a time: a person has a few, and each costs the object its pictures. */
export const LIVE_VIEWERS_MAX = 8;
/** From the page to its socket: a slow line needs seconds. A ticket is good once. */
export const LIVE_TICKET_TTL_MS = 30 * SECOND_MS;
/** Tickets that wait to be used: more than viewers, as a page that reloads gets another. */
export const LIVE_TICKETS_MAX = 4 * LIVE_VIEWERS_MAX;
export const LIVE_TICKET_BYTES = 24;
/** Of a phone's screen, in CSS pixels: the width that most pages are made for, and heights of phones, upright or not. */
export const PHONE_WIDTH = 390;
export const PHONE_HEIGHT_MIN = 300;
export const PHONE_HEIGHT_MAX = 900;
/** Between two pictures for one page: 25 a second look smooth. */
export const LIVE_PICTURE_PAUSE_MS = 40;
/** Pasted at a time: a long letter. */
export const LIVE_TEXT_CHARS_MAX = 20_000;
/** Of a list that a person chooses from: all countries, twice over. */
export const LIVE_CHOICES_MAX = 500;
/** Who leaves the page has so long to come back, before the session is given back. */
export const LIVE_LEFT_MS = 1 * MINUTE_MS;
/** Who drives and does nothing for so long has gone for good. Codes that come by letter do not come in that time anyway. */
export const LIVE_IDLE_MS = 15 * MINUTE_MS;
/** How long a dialog of a page waits for the person; then it is dismissed. */
export const LIVE_DIALOG_MS = 2 * MINUTE_MS;
/** What a person does is sent on in order; what the browser does not confirm by then is not waited for. */
export const LIVE_INPUT_MS_MAX = 2 * SECOND_MS;
/** Reading and choosing the options of a list; no other input waits for it, so a busy page gets longer. */
export const LIVE_CHOICES_MS_MAX = 10 * SECOND_MS;
