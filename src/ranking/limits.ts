/** Different words, pairs of words or identifiers of a question that are looked for: as many as a 32-bit mask holds, less two. */
export const TERMS_MAX = 30;
/** Lines and characters of one unit. A longer paragraph or code block is ranked in pieces. */
export const UNIT_LINES_MAX = 60;
export const UNIT_CHARS_MAX = 4_000;
/** Units of one document that are kept with the same signs, and altogether: some 2 MB at most. */
export const UNITS_PER_RANK_MAX = 300;
export const UNITS_PER_DOCUMENT_MAX = 1_500;
/** To this size (UTF-8) a passage grows by its neighbours: five are some 700 tokens. With 1,400, as many questions are answered on one page, and one of 64 more on ten. No longer than the second it gets when one line is long. */
export const PASSAGE_BYTES_TARGET = 800;
export const PASSAGE_BYTES_MAX = 1_600;
/** Characters that are scored at a stretch: a tenth of a second, then others get in. Ten usual pages take one. */
export const RANK_STEP_CHARS = 1_000_000;
/** Characters that one question reads: ten long books, and some 6 s of CPU at worst. What is left by one document goes to the next. */
export const RANK_CHARS_MAX = 12_000_000;
