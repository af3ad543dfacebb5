import { ObjectOfParts } from '#core/stored-object.ts';
import { PageLease } from './page-lease.ts';
import { SearchLimiter } from './search-limiter.ts';
import { takeTokensFromFullAt, msUntilTokens } from '#core/flow/token-bucket.ts';
import type { TokenBucketRate } from '#core/flow/token-bucket.ts';
import type { Permit } from '#core/flow/semaphore.ts';
import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Time after which the permit is free if its holder vanished. Longer than loading and storing a page takes. */
const PERMIT_MS = 2 * MINUTE_MS;
const BUSY_WAIT_MS = 1 * SECOND_MS;
/** Minimum length of a pause that is stored, because it could outlast a restart of the object. */
const PAUSE_FORGOTTEN_MS = 5 * SECOND_MS;
const FULL_AT_KEY = 'full_at';

/**
 * Limits the request rate to a host whose pages are followed: a semaphore with one permit, and a token bucket of one
 * token for the pause between requests. It never blocks: a caller without a permit is given the time to wait.
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
   * @param token names the permit: a caller that asks again after a lost response gets the same one
   * @param pauseMs the site's pause between requests
   * @returns 0 if the caller has the permit, or the time until it should ask again (ms)
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

  done(token: string, pauseMs: number): void {
    if (this.#permit?.token !== token) return;
    this.#permit = null;
    this.#pause(Date.now(), pauseMs);
  }

  #pause(now: number, pauseMs: number): void {
    this.#fullAt = takeTokensFromFullAt(rateOf(pauseMs), now, now);
    if (pauseMs > PAUSE_FORGOTTEN_MS) this.#values.put(FULL_AT_KEY, this.#fullAt);
  }
}

function rateOf(pauseMs: number): TokenBucketRate {
  return { burst: 1, everyMs: pauseMs };
}

/**
 * State of one resource that all isolates share: a search API key, a host whose pages are followed, or a page being
 * fetched. Each object uses one of its parts; a page lease writes nothing to storage.
 */
export class Pace extends ObjectOfParts {
  #search: SearchLimiter | null = null;
  #host: HostPace | null = null;
  readonly page = new PageLease();

  get search(): SearchLimiter {
    return (this.#search ??= new SearchLimiter(this.ctx.storage.kv));
  }

  get host(): HostPace {
    return (this.#host ??= new HostPace(this.ctx.storage.kv));
  }
}
