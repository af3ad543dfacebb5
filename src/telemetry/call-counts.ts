import type { Activity, CallFact } from '#core/activity.ts';
import { writeInBatches } from '#core/flow/write-together.ts';
import type { PendingWrites, BatchedWrite } from '#core/flow/write-together.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Calls that are not yet written to the counters. They stay in the isolate's memory after their responses. */
export const unwrittenCallCounts: PendingWrites<CallFact> = { items: [], writtenBy: 0 };

export const unwrittenActivity = new Map<string, PendingWrites<Activity>>();

export function countCall(
  fact: CallFact,
  uncounted: PendingWrites<CallFact>,
  deps: Pick<BatchedWrite<CallFact>, 'now' | 'wait' | 'write'>,
): Promise<void> {
  return writeInBatches([fact], uncounted, { everyMs: COUNT_WRITE_INTERVAL_MS, most: UNWRITTEN_CALLS_MAX, ...deps });
}

/** Interval for writing counts. A model makes a call every few seconds, and each write costs money. */
export const COUNT_WRITE_INTERVAL_MS = 10 * SECOND_MS;
export const UNWRITTEN_CALLS_MAX = 500;

/** Maximum wait of a log line for the deployment's secret. Without the secret, the line has no pseudonyms. */
export const LOG_SECRET_WAIT_MS_MAX = 5 * SECOND_MS;
