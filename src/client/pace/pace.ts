import { ObjectOfParts } from '#core/stored-object.ts';
import { SearchLimiter } from './search-limiter.ts';
import { takeTokensFromFullAt, msUntilTokens } from '#core/flow/rate-limits.ts';
import type { TokenBucketRate } from '#core/flow/rate-limits.ts';
import type { Permit } from '#core/flow/semaphore.ts';
import { MINUTE_MS, SECOND_MS, PAGE_LEASE_WAIT_MS } from '#core/limits.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import type { Failure } from '#core/failures/failure.ts';

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

/** Time after which the lease on fetching a page ends if its holder vanished. No call runs longer. */
const LEASE_MS = 45 * SECOND_MS;

/**
 * Outcome of another caller's fetch. `stored`: the page is in the store. `private`: it is for that caller only, so each
 * caller must fetch. `failed`: every caller would fail. `gone`: the fetch was abandoned, so another caller must fetch.
 */
export type PageFetchOutcome =
  | { kind: 'stored' }
  | { kind: 'private' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'gone' };

/** `token`: the caller must fetch the page. `outcome`: another caller has fetched the page, or tried to. */
export type PageLeaseResult = { token: string; outcome: null } | { token: null; outcome: PageFetchOutcome };

type Current = {
  /** Leases of the callers that are fetching: the first caller, and callers that stopped waiting for it. */
  tokens: Set<string>;
  /** Expiry of the last lease, as Unix time in ms. */
  until: number;
  ended: Promise<PageFetchOutcome>;
  end: (outcome: PageFetchOutcome) => void;
};

/**
 * Lease for a snapshot: when several callers want the same page, one fetches it and the others wait. The object has
 * only the lease; the page goes through the store. If the object vanishes, its callers fetch the page themselves, which
 * costs extra requests but never returns a wrong page. A lease is data with an expiry, so only a waiting caller keeps
 * the object awake.
 */
export class PageLease {
  #current: Current | null = null;

  /**
   * @param waitMs time to wait for another caller's fetch; after that the caller fetches too
   * @param token names the caller's lease: a caller that asks again after a lost response gets the same one
   */
  async take(waitMs: number = PAGE_LEASE_WAIT_MS, token: string = crypto.randomUUID()): Promise<PageLeaseResult> {
    const current = this.#current;
    if (current === null || current.until <= Date.now()) return this.#begin(token);
    if (current.tokens.has(token)) return { token, outcome: null };
    const outcome = await resolveWithin(current.ended, waitMs);
    return outcome === null ? this.#join(current, token) : { token: null, outcome };
  }

  finish(token: string, outcome: PageFetchOutcome): void {
    const current = this.#current;
    if (current === null || !current.tokens.delete(token)) return;
    // Another caller is still fetching the page, so the waiting callers continue to wait.
    if (outcome.kind === 'gone' && current.tokens.size > 0) return;
    this.#current = null;
    current.end(outcome);
  }

  #begin(token: string): PageLeaseResult {
    this.#current?.end({ kind: 'gone' });
    const { promise, resolve } = Promise.withResolvers<PageFetchOutcome>();
    this.#current = { tokens: new Set(), until: 0, ended: promise, end: resolve };
    return this.#join(this.#current, token);
  }

  #join(current: Current, token: string): PageLeaseResult {
    if (this.#current !== current) return this.#begin(token);
    current.tokens.add(token);
    current.until = Date.now() + LEASE_MS;
    return { token, outcome: null };
  }
}
