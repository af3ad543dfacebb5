import type { CallFact } from '#core/activity.ts';
import { SECOND_MS } from '#core/limits.ts';

/** Calls of one isolate that are not written down yet. Plain data, since another request may write them. */
export type Uncounted = {
  facts: CallFact[];
  /** When (ms) whoever has undertaken to write them should have done so; 0 for nobody. */
  writtenBy: number;
};

type Deps = {
  now: () => number;
  wait: (ms: number) => Promise<void>;
  write: (facts: readonly CallFact[]) => Promise<void>;
};

/**
 * Counts a call: one of the requests writes down those of all others for a while. A request that the platform ends writes
 * nothing; the next call after its time takes over.
 * @throws what `write` throws
 */
export async function countCall(fact: CallFact, uncounted: Uncounted, { now, wait, write }: Deps): Promise<void> {
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

/**
 * How often the calls of an isolate are written to the counters together. A model makes one every few seconds, and each
 * write costs money.
 */
export const COUNT_EVERY_MS = 10 * SECOND_MS;
/** How many calls are written at once. */
export const COUNT_CALLS_MAX = 500;

/** How long the line of a call waits for the secret of the deployment; later it is written without pseudonyms. */
export const LOG_SECRET_MS_MAX = 5 * SECOND_MS;
