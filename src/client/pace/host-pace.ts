import { fullAtAfter, msUntilTokens } from '#core/flow/token-bucket.ts';
import type { Rate } from '#core/flow/token-bucket.ts';
import type { Permit } from '#core/flow/semaphore.ts';
import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** A permit ends after this if its holder vanishes: longer than loading and storing a page takes. */
const PERMIT_MS = 2 * MINUTE_MS;
/** Time until another caller asks again while the permit is taken. */
const BUSY_WAIT_MS = 1 * SECOND_MS;
/** A longer pause is stored: it would outlast a restart of the object. */
const PAUSE_FORGOTTEN_MS = 5 * SECOND_MS;
const FULL_AT_KEY = 'full_at';

/**
 * For a host whose pages are followed: a semaphore with one permit, and a token bucket that holds one token, for the pause
 * between two requests. It hands out permits and holds nobody.
 */
export class HostPace {
  readonly #values: SyncKvStorage;
  #permit: (Permit & { token: string }) | null = null;
  #fullAt: number;

  constructor(values: SyncKvStorage) {
    this.#values = values;
    const stored = values.get(FULL_AT_KEY);
    this.#fullAt = typeof stored === 'number' ? stored : 0;
  }

  /**
   * @param token names the permit: a caller that asks again because the answer was lost has it already
   * @param pauseMs that the site wants between two requests
   * @returns 0 when the caller has the permit, else when to ask again (ms)
   */
  take(token: string, pauseMs: number): number {
    const now = Date.now();
    const isOwn = this.#permit?.token === token;
    if (!isOwn && this.#permit !== null && this.#permit.until > now) return Math.max(BUSY_WAIT_MS, pauseMs);
    const waitMs = isOwn ? 0 : msUntilTokens(rateOf(pauseMs), this.#fullAt, now);
    if (waitMs > 0) return waitMs;
    this.#permit = { token, until: now + PERMIT_MS };
    this.#pause(now, pauseMs);
    return 0;
  }

  /** Ends the request: the pause begins. */
  done(token: string, pauseMs: number): void {
    if (this.#permit?.token !== token) return;
    this.#permit = null;
    this.#pause(Date.now(), pauseMs);
  }

  #pause(now: number, pauseMs: number): void {
    this.#fullAt = fullAtAfter(rateOf(pauseMs), now, now);
    if (pauseMs > PAUSE_FORGOTTEN_MS) this.#values.put(FULL_AT_KEY, this.#fullAt);
  }
}

function rateOf(pauseMs: number): Rate {
  return { burst: 1, everyMs: pauseMs };
}
