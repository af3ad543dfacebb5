import { HOUR_MS, KIB, MIB, MINUTE_MS } from '#core/limits.ts';

/** D1 allows 2,000,000 bytes per row. Smaller, because a viewport should not read more than it needs. */
export const CHUNK_BYTES_MAX = 256 * KIB;
/** Target size of a chunk: a viewport reads one or two of them, and search can tell passages apart. */
export const CHUNK_BYTES_TARGET = 32 * KIB;
/** Chunks that a scan holds at a time: at most 1 MiB. */
export const CHUNKS_PER_READ = 32;
/**
 * Document text cached by an isolate, both raw and as visible text: a hundred pages or more. Part of `MEMORY_BYTES`;
 * shrinks when pages that are being read need memory.
 */
export const TEXT_MEMORY_BYTES = 16_000_000;
/** Limit for one document: the largest page read by default, with its search text. Leaves room for smaller ones. */
export const TEXT_OF_DOCUMENT_BYTES_MAX = (TEXT_MEMORY_BYTES * 3) / 4;
/** Maximum age of cached text, in case it was deleted by another isolate. */
export const TEXT_KEPT_MS = 10 * MINUTE_MS;
/** Distinct words of one page. Books have 10,000 to 30,000. With the next limit, a transaction takes under 0.1 s. */
export const PAGE_WORDS_MAX = 30_000;
export const PAGE_WORDS_CHARS_MAX = 300_000;
/** Words of a title. A title stuffed with keywords is found only by its first words. */
export const TITLE_WORDS_MAX = 16;
/**
 * Words from headings that a page may be "about", in addition to those it repeats. A page cannot be about everything.
 */
export const HEADING_WORDS_MAX = 48;
export const FREQUENT_WORDS_MAX = 16;
/** UTF-8 bytes of index rows written in one transaction. Other queries wait less than 0.1 s. D1 binds 2 MB at most. */
export const INDEX_BATCH_BYTES_MAX = 512 * KIB;
/** The newest pages read for one word. If more pages contain it, other words must select the page. */
export const POSTINGS_MAX = 1_000;
/**
 * Transactions of one hourly sweep, with five queries each: well below the limit of 1,000 per invocation. The next hour
 * continues.
 */
export const SWEEP_BATCHES_MAX = 100;
/** Files of one user, of any size: even with the longest names and types, their list fits into one result. */
export const FILES_MAX = 100;
/** As long as a parked session waits for its owner; its files are deleted with it. */
export const FILE_KEPT_MS = 30 * 24 * HOUR_MS;
/** Activity entries stored for one user: 3 MB at most, and some weeks of a busy user. The oldest are deleted first. */
export const DEEDS_MAX = 5_000;
/** Steps of browser sessions stored for one user, and their lifetime. */
export const STEPS_MAX = 500;
export const STEP_KEPT_MS = 7 * 24 * HOUR_MS;
/** Limit on one picture of a step, and on all of one user. A row of an object holds 2 MB. The oldest are deleted first. */
export const STEP_PICTURE_BYTES_MAX = 96 * KIB;
export const STEP_PICTURES_BYTES_MAX = 16 * MIB;
/**
 * Sessions and clients that a user's history lists by name: more than anyone has. The least recently used are dropped
 * first.
 */
export const HISTORY_NAMES_MAX = 200;
/** Longer than a session stays parked, so a session unused for this long no longer exists. */
export const SESSION_NAME_KEPT_MS = 31 * 24 * HOUR_MS;
/** Limits of a user's history; tests lower them. */
export const HISTORY_LIMITS = {
  lines: DEEDS_MAX,
  names: HISTORY_NAMES_MAX,
  steps: STEPS_MAX,
  pictureBytes: STEP_PICTURES_BYTES_MAX,
};
export type HistoryLimits = typeof HISTORY_LIMITS;
