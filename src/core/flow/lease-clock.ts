import type { Clock } from './semaphore.ts';

/** Maximum time that one reading adds to a lease. Waiters read more often, unless the thread is busy. */
const LOOK_COUNTS_MS_MAX = 100;

/**
 * Clock for leases. It advances only while it is read, by at most {@link LOOK_COUNTS_MS_MAX} between two readings.
 * After the thread was blocked, waiters may run before the holder can renew its lease. By wall-clock time the lease
 * would have ended, and two callers would have one permit.
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
