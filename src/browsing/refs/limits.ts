/**
 * Maximum elements whose refs a session stores: 40 large pages, under 10 MB. The least recently shown are dropped
 * first.
 */
export const REFS_PER_SESSION_MAX = 20_000;
/** Maximum stored stale refs. If a changed element changes back, its stale ref is valid again. */
export const STALE_REFS_MAX = 5_000;
/** Maximum characters of an element's context words: enough for a table row or a card, not for a section. */
export const REF_CONTEXT_CHARS_MAX = 300;
