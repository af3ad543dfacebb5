/**
 * Maximum distinct words, word pairs and identifiers of a question. Each needs one bit of a 32-bit mask, and two bits
 * stay free.
 */
export const TERMS_MAX = 30;
/** Maximum units stored per document with the same rank, and in total. Together they take about 2 MB. */
export const UNITS_PER_RANK_MAX = 300;
export const UNITS_PER_DOCUMENT_MAX = 1_500;
/**
 * UTF-8 bytes to which a passage grows when a tool shows one passage per page. A text longer than `PASSAGE_BYTES_MAX`
 * is cut into pieces of this size.
 */
export const PASSAGE_BYTES_TARGET = 800;
/**
 * UTF-8 bytes to which a passage grows if the question has rewordings. In a measurement with 600 bytes, passages missed
 * one of 24 answers.
 */
export const PASSAGE_BYTES_REWORDED = 700;
/**
 * UTF-8 bytes to which a passage grows if the question has no rewordings. In a measurement with 800 bytes, passages
 * from ten pages missed two of 24 answers.
 */
export const PASSAGE_BYTES_ALONE = 1_200;
export const PASSAGE_BYTES_MAX = 1_600;
