import type { CallFact } from '#core/activity.ts';
import { writeTogether } from '#core/flow/write-together.ts';
import type { Pending, Together } from '#core/flow/write-together.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Counts a call together with those of others. */
export function countCall(
  fact: CallFact,
  uncounted: Pending<CallFact>,
  deps: Pick<Together<CallFact>, 'now' | 'wait' | 'write'>,
): Promise<void> {
  return writeTogether([fact], uncounted, { everyMs: COUNT_EVERY_MS, most: COUNT_CALLS_MAX, ...deps });
}

/** A model makes a call every few seconds, and each write costs money. */
export const COUNT_EVERY_MS = 10 * SECOND_MS;
export const COUNT_CALLS_MAX = 500;

/** The log line waits this long for the deployment's secret; later it has no pseudonyms. */
export const LOG_SECRET_MS_MAX = 5 * SECOND_MS;
