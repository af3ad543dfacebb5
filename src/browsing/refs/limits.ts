/**
 * Elements that a session remembers: some 40 large pages, under 10 MB. Those shown least recently are forgotten first,
 * and their refs become stale.
 */
export const REFS_PER_SESSION_MAX = 20_000;
/** Earlier states of elements that have changed, so that a stale ref says why, and is valid again if they change back. */
export const REFS_PAST_MAX = 5_000;
/** Words around an element that distinguish it from its twins: a table row or a card, not a section of the page. */
export const REF_CONTEXT_CHARS_MAX = 300;
