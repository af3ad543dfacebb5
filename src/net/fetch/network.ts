import type { Permits } from '#core/flow/semaphore.ts';
import type { Resolver } from './dns.ts';
import type { Fetch } from './fetch-port.ts';
import type { NetPolicy } from './policy.ts';
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
  /** ms since the epoch. */
  now: () => number;
  /** Rejects with the signal's reason if the signal fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  random: () => number;
  policy: NetPolicy;
};

/** Shared by all requests of an isolate: plain data only, never a promise or stream of a request. */
const hostPermits: Permits = new Map();
const robotsMemory = new Map<string, RobotsEntry>();

const now = () => Date.now();
const isSmall = ({ body }: RobotsEntry) => body.byteLength <= ROBOTS_MEMORY_BODY_BYTES_MAX;
const platformFetch: Fetch = (url, init) => fetch(url, init);
export const cachedResolver = dohResolver({ fetch: platformFetch, now });

/** @param robotsStore shared by all isolates */
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
