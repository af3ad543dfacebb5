import type { CallFact } from '#core/fact.ts';
import { COUNT_CALLS_MAX, COUNT_EVERY_MS } from './limits.ts';

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
