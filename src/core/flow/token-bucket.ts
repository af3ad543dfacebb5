import { sleep } from './abort.ts';

/** How many may happen at once, and then one in how many ms. */
export type Rate = { burst: number; everyMs: number };

/**
 * A token bucket that is kept as one number, when (ms) it is full again: the generic cell rate algorithm of ATM. Whoever has
 * used it up waits for one token, never for a whole window. Pure: what is kept and `now` (ms) in, what is to be kept out.
 * @returns when it is full again after so many tokens more
 */
export function fullAtAfter({ everyMs }: Rate, fullAt: number, now: number, tokens = 1): number {
  return Math.max(fullAt, now) + tokens * everyMs;
}

/** How long until so many tokens are there, in ms; 0 within the burst. */
export function msUntilTokens(rate: Rate, fullAt: number, now: number, tokens = 1): number {
  return Math.max(0, fullAtAfter(rate, fullAt, now, tokens) - now - rate.burst * rate.everyMs);
}

/** The bucket of one object. It limits what others can cause there. */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #now: () => number;
  #fullAt = 0;
  /** Ends when the last one that waits has its token. */
  #line: Promise<void> = Promise.resolve();

  constructor(rate: Rate, now: () => number = Date.now) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes tokens, also those that are still to come. @returns how long until they do: whoever waited need not ask again */
  take(tokens = 1): number {
    const now = this.#now();
    const waitMs = msUntilTokens(this.#rate, this.#fullAt, now, tokens);
    this.#fullAt = fullAtAfter(this.#rate, this.#fullAt, now, tokens);
    return waitMs;
  }

  /** Takes tokens if they are there, else none. */
  tryTake(tokens = 1): boolean {
    if (msUntilTokens(this.#rate, this.#fullAt, this.#now(), tokens) > 0) return false;
    this.take(tokens);
    return true;
  }

  /**
   * Ends when there is a token. All that wait stand in one line with one timer: an object may have 10,000 timers, and a
   * page can ask for more than that at once.
   */
  taken(): Promise<void> {
    this.#line = this.#line.then(async () => {
      const ms = this.take();
      if (ms > 0) await sleep(ms);
    });
    return this.#line;
  }
}
