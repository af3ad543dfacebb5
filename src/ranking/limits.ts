/**
 * Maximum units of one document that are scored for one phrasing, best preliminary ranks first. Stored units take up to
 * 2 MB.
 */
export const UNITS_PER_DOCUMENT_MAX = 1_500;
/**
 * UTF-8 bytes up to which a passage grows for a question with rewordings. In measurements, 600 bytes missed one of 24
 * answers.
 */
export const PASSAGE_BYTES_WITH_REWORDINGS = 700;
/**
 * UTF-8 bytes up to which a passage grows for a question without rewordings. In measurements, 800 bytes missed two of
 * 24 answers.
 */
export const PASSAGE_BYTES_WITHOUT_REWORDINGS = 1_200;
export const PASSAGE_BYTES_MAX = 1_600;
