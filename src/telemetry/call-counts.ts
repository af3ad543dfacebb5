import type { CallFact } from '#core/activity.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Calls not yet written. Plain data, because another request may write them. */
export type PendingCounts = {
  facts: CallFact[];
  /** Time (ms) by which the current writer should be done; 0 when nobody is writing. */
  writtenBy: number;
};

type Deps = {
  now: () => number;
  wait: (ms: number) => Promise<void>;
  write: (facts: readonly CallFact[]) => Promise<void>;
};

/**
 * One request writes the calls of all others for a while. If the platform ends it, the next call after its time takes
 * over.
 * @throws what `write` throws
 */
export async function countCall(fact: CallFact, uncounted: PendingCounts, { now, wait, write }: Deps): Promise<void> {
  uncounted.facts.push(fact);
  const isLeft = now() < uncounted.writtenBy;
  if (isLeft && uncounted.facts.length < COUNT_CALLS_MAX) return;
  if (!isLeft) {
    uncounted.writtenBy = now() + 2 * COUNT_EVERY_MS;
    await wait(COUNT_EVERY_MS);
    uncounted.writtenBy = 0;
  }
  const facts = uncounted.facts.splice(0);
  if (facts.length > 0) await write(facts);
}

/** A model makes a call every few seconds, and each write costs money. */
export const COUNT_EVERY_MS = 10 * SECOND_MS;
export const COUNT_CALLS_MAX = 500;

/** The log line waits this long for the deployment's secret; later it has no pseudonyms. */
export const LOG_SECRET_MS_MAX = 5 * SECOND_MS;
