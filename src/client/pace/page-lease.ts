import { within } from '#core/flow/abort.ts';
import type { Failure } from '#core/failures/failure.ts';
import { LEASE_WAIT_MS, SECOND_MS } from '#core/limits.ts';

/** The right to fetch a page ends after this if its holder vanishes. No call lives longer. */
const LEASE_MS = 45 * SECOND_MS;

/**
 * How the fetch of another caller ended: `stored`; `private`, so each must fetch; `failed` for everyone; or `gone`, so
 * somebody else must fetch.
 */
export type LeaseEnd =
  | { kind: 'stored' }
  | { kind: 'private' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'gone' };

/** `token` when this caller is to fetch; otherwise how the other one's fetch ended. */
export type LeaseTaken = { token: string; outcome: null } | { token: null; outcome: LeaseEnd };

type Current = {
  /** The callers that fetch: one, and those who gave up waiting for it. */
  tokens: Set<string>;
  /** When (ms) the last lease ends. */
  until: number;
  ended: Promise<LeaseEnd>;
  end: (outcome: LeaseEnd) => void;
};

/**
 * For a snapshot: of all who want the same page at the same time, one fetches and the others wait for it. It
 * holds the lease and nothing else; the page itself travels through the store. Should the object vanish, its callers fetch
 * for themselves: an extra request, never a wrong page. A lease is data with an end, so that nothing keeps the object awake
 * but a caller who waits.
 */
export class PageLease {
  #current: Current | null = null;

  /**
   * @param waitMs how long the caller waits for somebody else's fetch; after that the caller fetches, too
   * @param token names the caller's lease: a caller that asks again because the answer was lost already has it
   */
  async take(waitMs: number = LEASE_WAIT_MS, token: string = crypto.randomUUID()): Promise<LeaseTaken> {
    const current = this.#current;
    if (current === null || current.until <= Date.now()) return this.#begin(token);
    if (current.tokens.has(token)) return { token, outcome: null };
    const outcome = await within(current.ended, waitMs);
    return outcome === null ? this.#join(current, token) : { token: null, outcome };
  }

  finish(token: string, outcome: LeaseEnd): void {
    const current = this.#current;
    if (current === null || !current.tokens.delete(token)) return;
    // Another caller may still bring it.
    if (outcome.kind === 'gone' && current.tokens.size > 0) return;
    this.#current = null;
    current.end(outcome);
  }

  #begin(token: string): LeaseTaken {
    this.#current?.end({ kind: 'gone' });
    const { promise, resolve } = Promise.withResolvers<LeaseEnd>();
    this.#current = { tokens: new Set(), until: 0, ended: promise, end: resolve };
    return this.#join(this.#current, token);
  }

  #join(current: Current, token: string): LeaseTaken {
    if (this.#current !== current) return this.#begin(token);
    current.tokens.add(token);
    current.until = Date.now() + LEASE_MS;
    return { token, outcome: null };
  }
}
