import { SECOND_MS } from '#core/units.ts';

/**
 * How often the calls of an isolate are written to the counters together. A model makes one every few seconds, and each
 * write costs money.
 */
export const COUNT_EVERY_MS = 10 * SECOND_MS;
/** How many calls are written at once. */
export const COUNT_CALLS_MAX = 500;

/** How long the line of a call waits for the secret of the deployment; later it is written without pseudonyms. */
export const LOG_SECRET_MS_MAX = 5 * SECOND_MS;
