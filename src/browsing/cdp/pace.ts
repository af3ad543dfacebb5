import { sleep } from '#core/sleep.ts';
import { SECOND_MS } from '#core/units.ts';

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
}

/** Ends when the event may go on. */
export async function paced(pace: Pace): Promise<void> {
  const ms = pace.wait();
  if (ms > 0) await sleep(ms);
}
