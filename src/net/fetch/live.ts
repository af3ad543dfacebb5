import { ROBOTS_MEMORY_BODY_BYTES_MAX } from '#net/limits.ts';
import { inMemoryFirst } from '#core/origin-store.ts';
import type { Slots } from '#core/flow/semaphore.ts';
import { sleep } from '#core/flow/abort.ts';
import type { NetDeps } from './deps.ts';
import { dohResolver } from './dns.ts';
import type { Fetch } from './fetch-port.ts';
import type { NetPolicy } from './policy.ts';
import type { RobotsEntry, RobotsStore } from '#net/robots/robots-store.ts';

/** What an isolate remembers between requests: plain data only, never a promise or stream of a request. */
const hostPlaces: Slots = new Map();
const robotsMemory = new Map<string, RobotsEntry>();

const now = () => Date.now();
const isSmall = ({ body }: RobotsEntry) => body.byteLength <= ROBOTS_MEMORY_BODY_BYTES_MAX;
const liveFetch: Fetch = (url, init) => fetch(url, init);
/** Host names over the real network; answers are remembered in the isolate. */
export const liveResolver = dohResolver({ fetch: liveFetch, now });

/** The real network, clock and chance. @param robotsStore where robots.txt decisions are kept between isolates. */
export function liveNetDeps(policy: NetPolicy, robotsStore: RobotsStore): NetDeps {
  return {
    fetch: liveFetch,
    resolve: liveResolver,
    robotsStore: inMemoryFirst(robotsStore, robotsMemory, isSmall, now),
    hostPlaces,
    now,
    sleep,
    random: Math.random,
    policy,
  };
}
