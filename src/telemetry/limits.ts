import { SECOND_MS } from '#core/units.ts';

/** Calls of an isolate are counted together, so often: a model makes one every few seconds, and each write is paid for. */
export const COUNT_EVERY_MS = 10 * SECOND_MS;
/** So many are counted at once. */
export const COUNT_CALLS_MAX = 500;
