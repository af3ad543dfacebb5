import { MIB, SECOND_MS } from '#core/limits.ts';

/** How long the next letter of a secret waits for the page to move the focus on from a box that is full. */
export const SECRET_ROOM_MS = 1 * SECOND_MS;
/** What a call that types a secret letter by letter keeps for all else: the page comes to rest, and its fields are looked at. */
export const SECRET_REST_MS = 2 * SECOND_MS;
/** Secrets that a session remembers as typed, by name and moment: what is older has left its pages long ago. */
export const SECRETS_REMEMBERED_MAX = 200;
/** Parts of one secret, as boxes got them, that a session remembers: more than the longest one has in one typing. */
export const SECRET_PARTS_REMEMBERED_MAX = 100;
/** Of a name that a call gives for a secret: an error repeats it. */
export const SECRET_NAME_CHARS_SHOWN_MAX = 60;
/** How often the words that a picture must not show are looked for, in a text that changes meanwhile. */
export const SCREENSHOT_COVER_TRIES_MAX = 3;
/** Sites that a session remembers as typed at, and as scripted: both fit in a stored value. With more, every site counts. */
export const SESSION_SITES_MAX = 400;
/** Of the body of a request that is searched for a secret, in base64; a form of any kind is shorter. */
export const CARRIED_CHARS_MAX = 2 * MIB;
/**
 * From so many letters on, a beginning of a secret is hidden like all of it, and what a single box got: pages cut texts, and
 * typing may end half-way. With fewer, too many words of ordinary texts would begin alike.
 */
export const SECRET_PART_LETTERS = 6;
/** The same for an end of it: with six, a model that can guess six letters would have twelve, the first and the last. */
export const SECRET_END_LETTERS = 8;
/** What a page writes before or behind a value may read as one escape with up to so many of its letters, as in `&#12345;`. */
export const SECRET_LETTERS_SWALLOWED_MAX = 6;
/** Programs encode what others have encoded: a text is decoded as often as this. */
export const MASK_DECODE_PASSES_MAX = 3;
