import { HOUR_MS, KIB, MIB, MINUTE_MS } from '#core/limits.ts';

/** Maximum bytes of a document's chunk. D1 allows 2,000,000 per row, but a viewport should read only what it needs. */
export const CHUNK_BYTES_MAX = 256 * KIB;
/** Target size of a chunk: a viewport reads one or two chunks, and search can distinguish passages. */
export const CHUNK_BYTES_TARGET = 32 * KIB;
/** Maximum chunks that a scan has in memory at a time: about 1 MiB, or up to 8 MiB if all have very long lines. */
export const CHUNKS_PER_READ_MAX = 32;
/**
 * Maximum document text cached by an isolate, both raw and as visible text: a hundred pages or more. This is part of
 * `TASK_MEMORY_BYTES_MAX`, and shrinks when pages that are being read need memory.
 */
export const TEXT_CACHE_BYTES_MAX = 16_000_000;
/**
 * Maximum cached text of one document: the size of the largest page read by default. The remainder of the cache is for
 * smaller documents.
 */
export const CACHED_DOCUMENT_BYTES_MAX = (TEXT_CACHE_BYTES_MAX * 3) / 4;
/** Maximum age of cached text, because another isolate may have deleted it. */
export const CACHED_TEXT_AGE_MS_MAX = 10 * MINUTE_MS;
/** Maximum distinct words of one page. Books have 10,000 to 30,000. The transaction for them takes less than 0.1 s. */
export const INDEXED_WORDS_PER_PAGE_MAX = 30_000;
export const INDEXED_WORDS_CHARS_MAX = 300_000;
/** Maximum indexed words of a title, so that a title stuffed with keywords is found only by its first words. */
export const INDEXED_TITLE_WORDS_MAX = 16;
/** Maximum words from headings that count as the subject of a page. */
export const INDEXED_HEADING_WORDS_MAX = 48;
/** Maximum words that a page repeats and that count as its subject. */
export const INDEXED_FREQUENT_WORDS_MAX = 16;
/** Maximum UTF-8 bytes of index rows in one transaction, so that other queries wait less than 0.1 s. */
export const INDEX_BATCH_BYTES_MAX = 512 * KIB;
/** Maximum pages read for one search word, newest first. Older pages can be found only by other words of the query. */
export const POSTINGS_PER_WORD_MAX = 1_000;
/**
 * Maximum transactions of one hourly sweep, with five queries each: well below the limit of 1,000 per invocation. The
 * next sweep continues.
 */
export const SWEEP_BATCHES_MAX = 100;
/** Maximum files of one user. Even with the longest names and types, their list fits into one result. */
export const FILES_PER_SUBJECT_MAX = 100;
/**
 * Maximum activity entries of one user: up to 3 MB, or some weeks of a busy user. The oldest entries are deleted first.
 */
export const ACTIVITY_ENTRIES_MAX = 5_000;
/** Maximum stored steps (calls) of one user's browser sessions. */
export const STORED_STEPS_MAX = 500;
export const STEP_LIFETIME_MS = 7 * 24 * HOUR_MS;
export const STEP_PICTURE_BYTES_MAX = 96 * KIB;
/** Maximum bytes of all pictures of a user's steps. The oldest pictures are deleted first. */
export const STEP_PICTURES_BYTES_MAX = 16 * MIB;
/**
 * Maximum sessions and clients that a user's history lists by name. Users have fewer. The least recently used names are
 * removed first.
 */
export const HISTORY_NAMES_MAX = 200;
/** Time for which an unused session name is stored: longer than a parked session (saved without its browser). */
export const SESSION_NAME_LIFETIME_MS = 31 * 24 * HOUR_MS;
/** Limits of a user's history. Tests lower them. */
export const HISTORY_LIMITS = {
  lines: ACTIVITY_ENTRIES_MAX,
  names: HISTORY_NAMES_MAX,
  steps: STORED_STEPS_MAX,
  pictureBytes: STEP_PICTURES_BYTES_MAX,
};
export type HistoryLimits = typeof HISTORY_LIMITS;
