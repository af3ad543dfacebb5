/** Distinct words, word pairs and identifiers searched for: the bits of a 32-bit mask, less two. */
export const TERMS_MAX = 30;
/** Units stored per document with the same rank, and in total: some 2 MB at most. */
export const UNITS_PER_RANK_MAX = 300;
export const UNITS_PER_DOCUMENT_MAX = 1_500;
/** UTF-8 bytes of a passage of one page, and of the pieces to which a text longer than `PASSAGE_BYTES_MAX` is cut. */
export const PASSAGE_BYTES_TARGET = 800;
/** UTF-8 bytes up to which a passage grows by its neighbours. With 600 bytes, one of 24 answers in one page is lost. */
export const PASSAGE_BYTES_REWORDED = 700;
/** Without rewordings, 800 bytes lose two of 24 answers in ten pages. */
export const PASSAGE_BYTES_ALONE = 1_200;
export const PASSAGE_BYTES_MAX = 1_600;
