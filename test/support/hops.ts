/** Where a call goes and waits for an answer. `dns` and `robots` are fetches, too: what is asked before the page may be. */
export const HOPS = ['kv', 'objects', 'd1', 'dns', 'robots', 'fetches'] as const;
export type Hop = (typeof HOPS)[number];

export type HopCounts = Record<Hop, number>;

/**
 * What a call needed before its answer: all of it, and what it waited for one after the other. Of several ways
 * through it that is the longest, by what each hop takes.
 */
export type HopsOfCall = { all: HopCounts; inRow: HopCounts };

/** What a hop is taken to last, to tell which way is the longest (ms). */
export const HOP_MS: Readonly<HopCounts> = { kv: 5, objects: 15, d1: 20, dns: 20, robots: 50, fetches: 50 };

export const noHops = (): HopCounts => ({ kv: 0, objects: 0, d1: 0, dns: 0, robots: 0, fetches: 0 });

export function waitingMs(inRow: Readonly<HopCounts>, each: Readonly<HopCounts> = HOP_MS): number {
  return HOPS.reduce((sum, hop) => sum + inRow[hop] * each[hop], 0);
}

/** Follows the hops of one call, each from its beginning to its end. */
export class HopsOfOne {
  readonly #all = noHops();
  /** The longest way of what has ended. */
  #inRow = noHops();
  #isOver = false;
  readonly #answered = Promise.withResolvers<void>();

  /**
   * @param isBehind it is said to be done behind the answer: it is held back until the answer has come, so a call that
   *   waits for it never ends
   * @param goesOn it asks for more itself, and waits for that
   */
  async through(hop: Hop, { isBehind, goesOn }: HopKind, ask: () => unknown): Promise<unknown> {
    if (this.#isOver) return ask();
    if (isBehind) {
      await this.#answered.promise;
      return ask();
    }
    const before = this.#inRow;
    this.#all[hop] += 1;
    try {
      return await ask();
    } finally {
      const from = goesOn ? this.#inRow : before;
      const way = { ...from, [hop]: from[hop] + 1 };
      if (!this.#isOver && waitingMs(way) > waitingMs(this.#inRow)) this.#inRow = way;
    }
  }

  /** The answer has come. */
  end(): HopsOfCall {
    this.#isOver = true;
    this.#answered.resolve();
    return { all: this.#all, inRow: this.#inRow };
  }
}

export type HopKind = { isBehind: boolean; goesOn: boolean };
