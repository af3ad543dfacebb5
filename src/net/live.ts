import type { NetDeps } from './deps.ts';
import { dohResolver } from './dns.ts';
import type { Fetch } from './fetch-port.ts';
import type { HostSlots } from './host-slots.ts';
import type { NetPolicy } from './policy.ts';
import { inMemoryFirst, type RobotsEntry, type RobotsStore } from './robots-store.ts';

/** What an isolate remembers between requests: plain data only, never a promise or stream of a request. */
const hostSlots: HostSlots = new Map();
const robotsMemory = new Map<string, RobotsEntry>();

const now = () => Date.now();
const liveFetch: Fetch = (url, init) => fetch(url, init);
/** Host names over the real network; answers are remembered in the isolate. */
export const liveResolver = dohResolver({ fetch: liveFetch, now });

/** The real network, clock and chance. @param robotsStore where robots.txt decisions are kept between isolates. */
export function liveNetDeps(policy: NetPolicy, robotsStore: RobotsStore): NetDeps {
  return {
    fetch: liveFetch,
    resolve: liveResolver,
    robotsStore: inMemoryFirst(robotsStore, robotsMemory, now),
    hostSlots,
    now,
    sleep,
    random: Math.random,
    policy,
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
