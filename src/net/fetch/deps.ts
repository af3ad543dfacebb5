import type { Slots } from '#core/flow/semaphore.ts';
import type { Resolver } from './dns.ts';
import type { Fetch } from './fetch-port.ts';
import type { NetPolicy } from './policy.ts';
import type { RobotsStore } from '#net/robots/robots-store.ts';

/** Everything the pipeline reaches the world through. */
export type NetDeps = {
  fetch: Fetch;
  resolve: Resolver;
  robotsStore: RobotsStore;
  /** Requests in flight to each host. */
  hostPlaces: Slots;
  /** ms since the epoch. */
  now: () => number;
  /** Rejects with the signal's reason when it fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  random: () => number;
  policy: NetPolicy;
};
