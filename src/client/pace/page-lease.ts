import { resolveWithin } from '#core/flow/abort.ts';
import type { Failure } from '#core/failures/failure.ts';
import { PAGE_LEASE_WAIT_MS, SECOND_MS } from '#core/limits.ts';

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
