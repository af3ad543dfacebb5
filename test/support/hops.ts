import { HOPS, NO_HOPS, waitingMs } from '#scripts/docs/hops.ts';
import type { Hop, HopCounts, HopsOfCall } from '#scripts/docs/hops.ts';

/**
 * The kind of a hop. `isBehind`: the code declares it as work after the answer. `asksOthers`: the target may ask
 * others and wait for them.
 */
export type HopKind = { isBehind: boolean; asksOthers: boolean };

/** Follows the hops of one call, each from its beginning to its end. */
export class HopsOfOne {
  #all = NO_HOPS;
  /** The longest chain of hops that have ended. */
  #inRow = NO_HOPS;
  #isOver = false;
  readonly #answered = Promise.withResolvers<void>();

  /** Holds work after the answer back until the answer has come: a call that waits for such work never ends. */
  async through(hop: Hop, { isBehind, asksOthers }: HopKind, ask: () => unknown): Promise<unknown> {
    if (this.#isOver) return ask();
    if (isBehind) {
      await this.#answered.promise;
      return ask();
    }
    const before = this.#inRow;
    this.#all = oneMore(this.#all, hop);
    try {
      return await ask();
    } finally {
      const way = oneMore(asksOthers ? this.#inRow : before, hop);
      if (!this.#isOver && waitingMs(way) > waitingMs(this.#inRow)) this.#inRow = way;
    }
  }

  /** Called when the answer has come. */
  end(): HopsOfCall {
    this.#isOver = true;
    this.#answered.resolve();
    return { all: withoutNone(this.#all), inRow: withoutNone(this.#inRow) };
  }
}

function oneMore(counts: HopCounts, hop: Hop): HopCounts {
  return { ...counts, [hop]: counts[hop] + 1 };
}

function withoutNone(counts: HopCounts): Partial<HopCounts> {
  return Object.fromEntries(HOPS.map((hop) => [hop, counts[hop]] as const).filter(([, count]) => count > 0));
}
