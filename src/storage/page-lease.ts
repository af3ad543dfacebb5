import { DurableObject } from 'cloudflare:workers';
import type { Failure } from '#core/errors.ts';
import { LEASE_MS } from '#core/limits.ts';

/**
 * How the one who fetched a page ended: `stored`, `private` – for them alone, so each must fetch –, `failed` for everyone,
 * or `gone` – then somebody else must fetch.
 */
export type LeaseOutcome =
  | { kind: 'stored' }
  | { kind: 'private' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'gone' };

/** `token` when it is this caller's turn to fetch; otherwise how the other one's fetch ended. */
export type LeaseTurn = { token: string; outcome: null } | { token: null; outcome: LeaseOutcome };

type Current = { token: string; ended: Promise<LeaseOutcome>; end: (outcome: LeaseOutcome) => void };

/**
 * One object per snapshot: of all who want the same page at the same time, one fetches and the others wait for it. It
 * holds a turn and nothing else; the page itself travels through the store. Should the object vanish, its callers fetch
 * for themselves: an extra request, never a wrong page.
 */
export class PageLease extends DurableObject {
  #current: Current | null = null;

  async take(): Promise<LeaseTurn> {
    const { token, outcome } = this.#current === null ? this.#start() : await this.#follow(this.#current);
    return token === null ? { token, outcome } : { token, outcome: null };
  }

  finish(token: string, outcome: LeaseOutcome): void {
    if (this.#current?.token !== token) return;
    const { end } = this.#current;
    this.#current = null;
    end(outcome);
  }

  #start(): { token: string; outcome: null } {
    const token = crypto.randomUUID();
    const { promise, resolve } = Promise.withResolvers<LeaseOutcome>();
    this.#current = { token, ended: promise, end: resolve };
    setTimeout(() => this.finish(token, { kind: 'gone' }), LEASE_MS);
    return { token, outcome: null };
  }

  async #follow({ ended }: Current): Promise<{ token: null; outcome: LeaseOutcome }> {
    return { token: null, outcome: await ended };
  }
}
