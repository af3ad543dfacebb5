/** Elements a session remembers: some 40 large pages, under 10 MB; the least recently shown go first and are stale. */
export const REFS_PER_SESSION_MAX = 20_000;
/** Of an accessible name, what a ref is bound to. */
export const REF_NAME_CHARS_MAX = 300;
/** Of a link's address, the same; what tells addresses apart can stand late in them. */
export const REF_URL_CHARS_MAX = 1_000;
/** Words around an element that tell it from its twins: a table row or a card, not a section of the page. */
export const REF_CONTEXT_CHARS_MAX = 300;
/** Nodes looked at for those words: a large part without text costs no more than one with it. */
export const REF_CONTEXT_ELEMENTS_MAX = 400;
