import { HOUR_MS, KIB, MIB, MINUTE_MS } from '#core/limits.ts';

/** D1 allows 2,000,000 bytes a row. A viewport should not read more than it must. */
export const CHUNK_BYTES_MAX = 256 * KIB;
/**
 * The size to which a chunk is filled. A viewport then reads one or two of them, and search can tell passages apart.
 */
export const CHUNK_BYTES_TARGET = 32 * KIB;
/** Chunks that a scan holds at a time: at most 1 MiB. */
export const CHUNKS_PER_READ = 32;
/** Chunks that are read with a page: what a call shows of one that is shown whole. */
export const CHUNKS_WITH_PAGE = 3;
/** Values of a list that are parameters each: a statement has a hundred. */
export const KEYS_BOUND_MAX = 8;
/** Snapshots of which an isolate remembers what they show: 200 KB. */
export const SNAPSHOTS_REMEMBERED_MAX = 1_000;
/**
 * Text of documents that an isolate keeps in memory, as it lies there and as it is seen: a hundred pages or more. It is part
 * of `MEMORY_BYTES`, and gives way to pages that are being read.
 */
export const TEXT_MEMORY_BYTES = 16_000_000;
/** Of one document: the largest that is read by default, with what a search has made of it. Smaller ones stay beside it. */
export const TEXT_OF_DOCUMENT_BYTES_MAX = (TEXT_MEMORY_BYTES * 3) / 4;
/** A text that was deleted from the store, and that nobody told the isolate about, is not kept for longer. */
export const TEXT_KEPT_MS = 10 * MINUTE_MS;
/** Different words of one page. Books have 10,000 to 30,000. With the next limit, a transaction stays under 0.1 s. */
export const PAGE_WORDS_MAX = 30_000;
export const PAGE_WORDS_CHARS_MAX = 300_000;
/** Words of a title. A stuffed title is found by its first words only. */
export const TITLE_WORDS_MAX = 16;
/** Words of the headings that a page may be "about", beside those it repeats. It cannot be about everything. */
export const HEADING_WORDS_MAX = 48;
export const FREQUENT_WORDS_MAX = 16;
export const FREQUENT_COUNT_MIN = 3;
/** Index rows written in one transaction, in UTF-8 bytes. Others wait less than 0.1 s. D1 binds 2 MB at most. */
export const INDEX_BATCH_BYTES_MAX = 512 * KIB;
/** The newest pages that are read for one word. If more pages have the word, a page needs other signs. */
export const POSTINGS_MAX = 1_000;
/**
 * Transactions of one hourly sweep, with five queries each: well below the 1,000 of one invocation. The next hour
 * continues.
 */
export const SWEEP_BATCHES_MAX = 100;
/** Of one person, however small: with the longest names and types a list of them fits into one result. */
export const FILES_MAX = 100;
/** As long as a parked session waits for its owner: with it go its files. */
export const FILE_KEPT_MS = 30 * 24 * HOUR_MS;
/** Lines of activity that are kept of one person: 3 MB at most, and some weeks of a busy one. The oldest go first. */
export const DEEDS_MAX = 5_000;
/** Steps of browser sessions that are kept of one person, and how long. */
export const STEPS_MAX = 500;
export const STEP_KEPT_MS = 7 * 24 * HOUR_MS;
/** One picture of a step, and all of one person: of more, the oldest go first. A row of an object takes 2 MB. */
/** What a step did, sealed: far more than a long form. */
export const STEP_SCRIPT_BYTES_MAX = 64 * KIB;
export const STEP_PICTURE_BYTES_MAX = 96 * KIB;
export const STEP_PICTURES_BYTES_MAX = 16 * MIB;
/** Sessions and clients that a person's history shows by name: more than anybody has. The least used go first. */
export const HISTORY_NAMES_MAX = 200;
/** Longer than a session is parked: one that was not used for so long is no more. */
export const SESSION_NAME_KEPT_MS = 31 * 24 * HOUR_MS;
/** However many sessions somebody begins: 1 MB of names. */
export const SESSION_NAMES_MAX = 10_000;
/** What is kept of one person's history; tests set less. */
export const HISTORY_LIMITS = {
  lines: DEEDS_MAX,
  names: HISTORY_NAMES_MAX,
  steps: STEPS_MAX,
  pictureBytes: STEP_PICTURES_BYTES_MAX,
};
export type HistoryLimits = typeof HISTORY_LIMITS;
