import { sleep } from './abort.ts';

/** A rate limit: `burst` tokens immediately, then one token every `everyMs`. */
export type TokenBucketRate = { burst: number; everyMs: number };

/**
 * Takes tokens from a bucket that is stored as one number: the time (ms) at which the bucket is full again. This is the
 * generic cell rate algorithm of ATM. A caller that has used up the bucket waits for one token, not for a whole window.
 * @returns the time at which the bucket is full again after taking the tokens
 */
export function takeTokensFromFullAt({ everyMs }: TokenBucketRate, fullAt: number, now: number, tokens = 1): number {
  return Math.max(fullAt, now) + tokens * everyMs;
}

/** Time until the tokens are available (ms); 0 within the burst. */
export function msUntilTokens(rate: TokenBucketRate, fullAt: number, now: number, tokens = 1): number {
  return Math.max(0, takeTokensFromFullAt(rate, fullAt, now, tokens) - now - rate.burst * rate.everyMs);
}

/** A token bucket in a Durable Object's memory. It limits work that others cause there, such as a page's requests. */
export class TokenBucket {
  readonly #rate: TokenBucketRate;
  readonly #now: () => number;
  #fullAt = 0;
  #line: Promise<void> = Promise.resolve();

  constructor(rate: TokenBucketRate, now: () => number = Date.now) {
    this.#rate = rate;
    this.#now = now;
  }

  /**
   * Takes tokens, even if they become available only in the future.
   * @returns time (ms) until the tokens are available; a caller that waits this long need not call again
   */
  take(tokens = 1): number {
    const now = this.#now();
    const waitMs = msUntilTokens(this.#rate, this.#fullAt, now, tokens);
    this.#fullAt = takeTokensFromFullAt(this.#rate, this.#fullAt, now, tokens);
    return waitMs;
  }

  tryTake(tokens = 1): boolean {
    if (msUntilTokens(this.#rate, this.#fullAt, this.#now(), tokens) > 0) return false;
    this.take(tokens);
    return true;
  }

  /**
   * Waits for a token. All waiters share one queue with one timer: a Durable Object may have at most 10,000 timers, and
   * a page can send more requests than that at the same time.
   */
  taken(): Promise<void> {
    this.#line = this.#line.then(async () => {
      const ms = this.take();
      if (ms > 0) await sleep(ms);
    });
    return this.#line;
  }
}

/**
 * A sliding window, such as 24 hours in slots of 15 minutes. The functions below compute what is left of a limit in it.
 * A slot counts until it is completely older than the window, so no period of `windowMs` exceeds the limit.
 */
export type SlidingWindow = { windowMs: number; slotMs: number };

/** The amount taken in each slot, oldest first. Slot n begins n × `slotMs` after the epoch. */
export type SlotAmounts = readonly (readonly [slot: number, amount: number])[];

export function slotAt(now: number, { slotMs }: SlidingWindow): number {
  return Math.floor(now / slotMs);
}

export function slotEnd(slot: number, { slotMs }: SlidingWindow): number {
  return (slot + 1) * slotMs;
}

/** The amount that can still be taken; 0 if the limit was lowered below the amount already taken. */
export function availableAmount(taken: SlotAmounts, limit: number, now: number, window: SlidingWindow): number {
  return Math.max(0, limit - sum(current(taken, now, window)));
}

/**
 * Time (ms) until `amount` becomes available if nothing else is taken; a whole window if `amount` exceeds the limit.
 */
export function computeRetryAfterMs(
  taken: SlotAmounts,
  limit: number,
  amount: number,
  now: number,
  window: SlidingWindow,
): number {
  const counted = current(taken, now, window);
  let missing = sum(counted) + amount - limit;
  if (missing <= 0) return 0;
  for (const [slot, freed] of counted) {
    missing -= freed;
    if (missing <= 0) return slotEnd(slot, window) + window.windowMs - now;
  }
  return window.windowMs;
}

export function addToSlot(taken: SlotAmounts, slot: number, amount: number, window: SlidingWindow): SlotAmounts {
  const counted = current(taken, slotEnd(slot, window) - 1, window);
  const already = counted.find(([other]) => other === slot)?.[1] ?? 0;
  const others = counted.filter(([other]) => other !== slot);
  return [...others, [slot, already + amount] as const].sort(([a], [b]) => a - b);
}

function current(taken: SlotAmounts, now: number, window: SlidingWindow): SlotAmounts {
  const first = slotAt(now, window) - window.windowMs / window.slotMs;
  return taken.filter(([slot]) => slot >= first);
}

function sum(taken: SlotAmounts): number {
  return taken.reduce((total, [, amount]) => total + amount, 0);
}
