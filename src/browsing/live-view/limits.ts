import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

// ── Live view ───────────────────────────────────────────────────────────────────────────────────────────
/** Pages that show one session at a time: a person has a few, and each costs the object its pictures. */
export const LIVE_VIEWERS_MAX = 8;
/** From the page to its socket: a slow line needs seconds. A ticket is good once. */
export const LIVE_TICKET_TTL_MS = 30 * SECOND_MS;
/** Tickets that wait to be used: more than viewers, as a page that reloads gets another. */
export const LIVE_TICKETS_MAX = 4 * LIVE_VIEWERS_MAX;
export const LIVE_TICKET_BYTES = 24;
/** Of a ticket that a page shows: base64url of those bytes, and room for another length in the next version. */
export const LIVE_TICKET_CHARS_MAX = 100;
/** Pictures on their way to one page: one is drawn while the next one comes. More would only come late. */
export const LIVE_PICTURES_UNDER_WAY_MAX = 2;
/** Between two pictures for one page: 25 a second look smooth. */
export const LIVE_PICTURE_PAUSE_MS = 40;
/** How often the tabs, their titles and addresses are looked at, while somebody looks. */
export const LIVE_LOOK_MS = 500;
/**
 * A page shows a new ticket every 5 s: one that has shown none for so long is gone, or its person has signed out or may
 * not sign in any more.
 */
export const LIVE_ADMITTED_MS = 30 * SECOND_MS;
/** Pasted at a time: a long letter. */
export const LIVE_TEXT_CHARS_MAX = 20_000;
/** Of one message of a page: such a text in JSON, in which a character may take six, and what stands around it. */
export const LIVE_MESSAGE_CHARS_MAX = 6 * LIVE_TEXT_CHARS_MAX + 200;
/** Two hands. */
export const LIVE_FINGERS_MAX = 10;
/** Of a list that a person chooses from: all countries, twice over. */
export const LIVE_CHOICES_MAX = 500;
/** Who leaves the page has so long to come back, before the session is given back. */
export const LIVE_LEFT_MS = 1 * MINUTE_MS;
/** Who drives and does nothing for so long has gone for good. Codes that come by letter do not come in that time anyway. */
export const LIVE_IDLE_MS = 15 * MINUTE_MS;
/** A page may open a tab so long after a person did something in it. */
export const LIVE_ACTED_MS = 1 * SECOND_MS;
/** How long a dialog of a page waits for the person; then it is dismissed. */
export const LIVE_DIALOG_MS = 2 * MINUTE_MS;
/** What a person does is sent on in order; what the browser does not confirm by then is not waited for. */
export const LIVE_INPUT_MS_MAX = 2 * SECOND_MS;
/** Things a person did that wait for their turn: more than hands do while a page hangs. */
export const LIVE_INPUTS_WAITING_MAX = 200;
/** From sending a picture until the page has drawn it: slower, and the next ones are made smaller; faster, larger. */
export const LIVE_SLOW_MS = 400;
export const LIVE_FAST_MS = 150;
/** Pictures are not made smaller or larger again before so many were drawn. */
export const LIVE_PICTURES_PER_LEVEL = 12;
