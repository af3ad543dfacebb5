import type { Activity, CallFact } from '#core/activity.ts';
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

/** Items that are not yet written. They are plain data, because another request may write them. */
export type PendingWrites<T> = {
  items: T[];
  /** Time (ms) after which another request takes over from the request that writes; 0 if no request is writing. */
  writtenBy: number;
};

type BatchedWrite<T> = {
  /** Time (ms) for which one request collects items of other requests before it writes all of them. */
  everyMs: number;
  /** Number of collected items from which they are written without further waiting. */
  most: number;
  now: () => number;
  wait: (ms: number) => Promise<void>;
  write: (items: readonly T[]) => Promise<void>;
};

/**
 * Saves writes: one request collects the items of other requests for a while, then writes all of them. If the platform
 * kills this request, the next request after its deadline takes over.
 * @throws the error of `write`
 */
export async function writeInBatches<T>(
  items: readonly T[],
  pending: PendingWrites<T>,
  { everyMs, most, now, wait, write }: BatchedWrite<T>,
): Promise<void> {
  pending.items.push(...items);
  const isLeft = now() < pending.writtenBy;
  if (isLeft && pending.items.length < most) return;
  if (!isLeft) {
    pending.writtenBy = now() + 2 * everyMs;
    await wait(everyMs);
    pending.writtenBy = 0;
  }
  const written = pending.items.splice(0);
  if (written.length > 0) await write(written);
}
