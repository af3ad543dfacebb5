import type { Clock } from './semaphore.ts';

/** What a look adds to the time of a lease at most: whoever waits looks more often, unless the thread is busy. */
const LOOK_COUNTS_MS_MAX = 100;

/**
 * Time by which leases end. It passes only while somebody looks at it: between two looks, at most
 * {@link LOOK_COUNTS_MS_MAX}. After the thread was busy, or had no core, those who wait may look before the holder could
 * say that it is still at work. By the usual clock its lease would have ended, and two would hold what is there for one.
 */
export class LeaseClock implements Clock {
  readonly #clock: Clock;
  #lookedAt: number;
  #passed: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lookedAt = this.#passed = clock.now();
  }

  now(): number {
    const now = this.#clock.now();
    this.#passed += Math.max(0, Math.min(now - this.#lookedAt, LOOK_COUNTS_MS_MAX));
    this.#lookedAt = now;
    return this.#passed;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }
}
