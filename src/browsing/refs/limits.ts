/** Maximum elements that a session remembers: some 40 large pages, under 10 MB. The least recently shown go first. */
export const REFS_PER_SESSION_MAX = 20_000;
/** Maximum earlier states of changed elements. A stale ref is valid again if its element changes back. */
export const REFS_PAST_MAX = 5_000;
/** Maximum characters of the words that distinguish an element from its twins: a row or a card, not a section. */
export const REF_CONTEXT_CHARS_MAX = 300;
