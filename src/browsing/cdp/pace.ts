import { sleep } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';

/**
 * How many events may happen at once, and then how many a second. It limits what a page can cause, so that other
 * people's calls are not held up.
 */
export type Rate = { burst: number; perSecond: number };

/** Says how long each event has to wait. An event that costs more counts as several. */
export class Pace {
  readonly #rate: Rate;
  readonly #now: () => number;
  /** When all events that were let through are paid for. */
  #paidAt = 0;
  /** Ends when the last event that waits may go on. */
  #line: Promise<void> = Promise.resolve();

  constructor(rate: Rate, now: () => number = Date.now) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Milliseconds until the event may go on, 0 within the burst. Whoever waited that long need not ask again. */
  wait(cost = 1): number {
    const { burst, perSecond } = this.#rate;
    const now = this.#now();
    this.#paidAt = Math.max(this.#paidAt, now) + (cost * SECOND_MS) / perSecond;
    return Math.max(0, this.#paidAt - now - (burst * SECOND_MS) / perSecond);
  }

  /** Whether the event may go on at once. If it may not, it costs nothing. */
  lets(cost = 1): boolean {
    const before = this.#paidAt;
    if (this.wait(cost) === 0) return true;
    this.#paidAt = before;
    return false;
  }

  /**
   * Ends when the event may go on. All that wait stand in one line with one timer: an object may have 10,000 timers, and
   * a page can ask for more than that at once.
   */
  turn(): Promise<void> {
    this.#line = this.#line.then(async () => {
      const ms = this.wait();
      if (ms > 0) await sleep(ms);
    });
    return this.#line;
  }
}
