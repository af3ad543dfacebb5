import { createSearchRateState, learnRateLimits, reserveRequestTime } from '#client/pace/search-limiter.ts';
import type { SearchRateLimiter } from '#search/engine.ts';
import type { SearchDeps } from '#search/search.ts';
import type { SearchHttp, SearchTime } from '#search/provider.ts';

export const START = Date.parse('2026-11-21T12:00:00Z');

export type VirtualTime = {
  now: () => number;
  sleep: SearchHttp['sleep'];
  /** Moves time from one end of a sleep to the next until the work is done. */
  run: <T>(work: Promise<T>) => Promise<T>;
};

/** A clock that moves only while all work sleeps. */
export function virtualTime(): VirtualTime {
  let clock = START;
  const sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => clock,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        else sleepers.push({ until: clock + ms, wake: resolve });
      }),
    async run(work) {
      const state = { isDone: false };
      const settled = work.finally(() => {
        state.isDone = true;
      });
      // The caller sees the failure through `settled`.
      settled.catch(() => {});
      for (;;) {
        await idle();
        if (state.isDone) return settled;
        sleepers.sort((a, b) => a.until - b.until);
        const next = sleepers.shift();
        if (next === undefined) continue;
        clock = Math.max(clock, next.until);
        next.wake();
      }
    },
  };
}

/** Lets everything run that does not wait for time to pass. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

export type Sent = { at: number; url: URL; headers: Record<string, string>; redirect: string; body: string };

export type SearchWorld = VirtualTime & { http: SearchHttp; sent: Sent[] };

/** A world in which `answer` answers every request, and time is virtual. */
export function searchWorld(
  answer: (request: Sent, count: number) => Response | Error | Promise<Response>,
): SearchWorld {
  const time = virtualTime();
  const sent: Sent[] = [];
  return {
    ...time,
    sent,
    http: {
      now: time.now,
      sleep: time.sleep,
      random: () => 0.5,
      fetch: async (url, init) => {
        const request = {
          at: time.now(),
          url: new URL(url),
          headers: init.headers,
          redirect: init.redirect,
          body: init.body ?? '',
        };
        sent.push(request);
        const given = await answer(request, sent.length);
        if (given instanceof Error) throw given;
        return given;
      },
    },
  };
}

/** A deployment's queue, in memory. */
export function memoryLimiter(now: () => number): SearchRateLimiter {
  let state = createSearchRateState();
  return {
    reserve: async (waitMaxMs) => {
      const next = reserveRequestTime(state, now(), waitMaxMs);
      state = next.state;
      return next.grant;
    },
    learn: async (windows, refused) => {
      state = learnRateLimits(state, windows, refused, now());
    },
  };
}

/** A queue in which nobody waits. */
export const openLimiter: SearchRateLimiter = {
  reserve: async () => ({ granted: true, waitMs: 0 }),
  learn: async () => {},
};

export function memoryCache(): SearchDeps['searchCache'] & {
  bodies: Map<string, { body: string; expiresAt: number }>;
} {
  const bodies = new Map<string, { body: string; expiresAt: number }>();
  return {
    bodies,
    get: async (key, now) => {
      const kept = bodies.get(key);
      return kept !== undefined && kept.expiresAt > now ? kept.body : null;
    },
    put: async (key, body, expiresAt) => {
      bodies.set(key, { body, expiresAt });
    },
  };
}

/** Enough time for any search of a test, on the given clock. */
export function plenty(now: () => number = () => START): SearchTime {
  return { signal: new AbortController().signal, deadlineAt: now() + 40_000 };
}
