/**
 * Maximum distinct words, word pairs and identifiers of a question: one bit of a 32-bit mask each, and two bits unused.
 */
export const TERMS_MAX = 30;
/** Maximum units stored per document with the same rank, and in total. Together they take about 2 MB. */
export const UNITS_PER_RANK_MAX = 300;
export const UNITS_PER_DOCUMENT_MAX = 1_500;
/**
 * UTF-8 bytes of the one passage shown per page, and of the pieces into which a text above `PASSAGE_BYTES_MAX` is cut.
 */
export const PASSAGE_BYTES_TARGET = 800;
/** UTF-8 bytes of a passage for a question with rewordings. Measured: with 600 bytes, one of 24 answers is cut off. */
export const PASSAGE_BYTES_REWORDED = 700;
/** UTF-8 bytes of a passage for a question without rewordings. Measured: with 800, two of 24 answers are missed. */
export const PASSAGE_BYTES_ALONE = 1_200;
export const PASSAGE_BYTES_MAX = 1_600;
