import type { Permits } from '#core/flow/semaphore.ts';
import type { Resolver } from './dns.ts';
import type { Fetch } from './fetch-port.ts';
import type { NetPolicy } from './fetch-settings.ts';
import type { RobotsStore, RobotsEntry } from '#net/robots/robots.ts';
import { withMemoryCache } from '#core/origin-store.ts';
import { sleep } from '#core/flow/abort.ts';
import { dohResolver } from './dns.ts';
import { KIB } from '#core/limits.ts';

const ROBOTS_MEMORY_BODY_BYTES_MAX = 32 * KIB;

export type NetDeps = {
  fetch: Fetch;
  resolve: Resolver;
  robotsStore: RobotsStore;
  hostPermits: Permits;
  /** The person who asks; none for the work of the deployment. */
  person?: string;
  /** Returns the current time in ms since 1970. */
  now: () => number;
  /** Waits for `ms`. Rejects with the signal's reason if the signal fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number x with 0 ≤ x < 1. */
  random: () => number;
  policy: NetPolicy;
};

/**
 * Permits shared by all requests of an isolate. The map contains only plain data, because a promise or stream belongs
 * to one request and cannot be used by another.
 */
const hostPermits: Permits = new Map();
const robotsMemory = new Map<string, RobotsEntry>();

const now = () => Date.now();
const isSmall = ({ body }: RobotsEntry) => body.byteLength <= ROBOTS_MEMORY_BODY_BYTES_MAX;
const platformFetch: Fetch = (url, init) => fetch(url, init);
export const cachedResolver = dohResolver({ fetch: platformFetch, now });

/**
 * Returns the network dependencies of the deployed Worker.
 * @param robotsStore shared by all isolates
 */
export function productionNetDeps(policy: NetPolicy, robotsStore: RobotsStore): NetDeps {
  return {
    fetch: platformFetch,
    resolve: cachedResolver,
    robotsStore: withMemoryCache(robotsStore, robotsMemory, isSmall, now),
    hostPermits,
    now,
    sleep,
    random: Math.random,
    policy,
  };
}
