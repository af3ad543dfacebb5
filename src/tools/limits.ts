export const VIEWPORT_LINES_DEFAULT = 80;
export const SEARCH_RESULTS_MAX = 10;
export const CITATION_NOTE_CHARS_MAX = 500;
/** Maximum characters of a script. Scripts that a model writes are short; a longer one would be a library. */
export const EVALUATED_SCRIPT_CHARS_MAX = 50_000;
