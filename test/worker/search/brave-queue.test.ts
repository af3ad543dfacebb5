import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { braveProvider } from '#search/engines/brave.ts';
import type { SearchRateLimiter } from '#search/engine.ts';
import { parseConfig } from '#core/config/config.ts';
import { createSearchProviders } from '#search/configured.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { failureOf } from '#support/net-world.ts';
import { BRAVE_HEADERS, braveAnswer, braveError } from '#support/search-answers.ts';
import { memoryLimiter, openLimiter, plenty, searchWorld, START } from '#support/search-world.ts';
import type { SearchWorld } from '#support/search-world.ts';

const DEADLINE_MS = 40_000;
const SECOND = 1000;

/** A fake of Brave that allows one request per second and refuses every other with "too many". */
function oneASecond(latencyMs = 0): SearchWorld & { served: number[]; turnedAway: number[] } {
  const served: number[] = [];
  const turnedAway: number[] = [];
  const world: SearchWorld = searchWorld(async ({ at }) => {
    const last = served.at(-1);
    const tooEarly = last !== undefined && at - last < SECOND;
    (tooEarly ? turnedAway : served).push(at);
    if (latencyMs > 0) await world.sleep(latencyMs, new AbortController().signal);
    if (tooEarly) return braveError(429, 'RATE_LIMITED');
    return braveAnswer([{ url: 'https://walrus.example/', title: 'Walrus', text: 'walrus' }]);
  });
  return { ...world, served, turnedAway };
}

const provider = (world: SearchWorld, limiter: SearchRateLimiter) =>
  braveProvider({ key: 'a-key', userAgent: 'Periscope/test', limiter, http: world.http });

describe('fifty searches at once against a service that allows one a second', () => {
  it('lose none that meets the deadline, and the others learn at once when to retry', async () => {
    const world = oneASecond(300);
    const brave = provider(world, memoryLimiter(world.now));
    const ends: number[] = [];
    const outcomes = await world.run(
      Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          brave
            .search({ query: `walrus ${n}`, count: 5 }, plenty(world.now))
            .finally(() => ends.push(world.now() - START))
            .catch((error: unknown) => error),
        ),
      ),
    );
    const failures = outcomes.filter((outcome) => outcome instanceof PeriscopeError);
    const answers = outcomes.length - failures.length;
    expect(world.turnedAway).toEqual([]);
    // One every 1.1 s for the 37 s that leave time for the request itself.
    expect(answers).toBe(34);
    expect(world.served.length).toBe(answers);
    expect(Math.max(...ends)).toBeLessThanOrEqual(DEADLINE_MS);
    for (const { failure } of failures) {
      expect(failure).toMatchObject({ code: 'search_rate_limited', provider: 'brave' });
      expect('retryAfterSeconds' in failure && failure.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    }
  });

  it('succeed when refused ones retry after the given time', async () => {
    const world = oneASecond();
    const brave = provider(world, memoryLimiter(world.now));
    const search = (n: number) => brave.search({ query: `walrus ${n}`, count: 5 }, plenty(world.now));
    const patient = async (n: number): Promise<number> => {
      try {
        await search(n);
        return 0;
      } catch (error) {
        if (!(error instanceof PeriscopeError) || error.failure.code !== 'search_rate_limited') throw error;
        await world.sleep(error.failure.retryAfterSeconds * SECOND, new AbortController().signal);
        return 1 + (await patient(n));
      }
    };
    const returns = await world.run(Promise.all(Array.from({ length: 50 }, (_, n) => patient(n))));
    expect(world.served.length).toBe(50);
    expect(world.turnedAway).toEqual([]);
    expect(Math.max(...returns)).toBeGreaterThan(0);
  });

  it('share one queue even when they come from different isolates', async () => {
    const world = searchWorld(() => braveAnswer([]));
    const fromIsolate = (query: string) => {
      const [brave] = createSearchProviders(parseConfig({ BRAVE_API_KEY: 'key-of-the-deployment' }), {
        index: new PageIndex(openDb(env.DB)),
        limiter: (name) => partNamed(env.PACE, `search ${name}`, 'search'),
        http: world.http,
        userAgent: 'Periscope/test',
        cloudflare: { websearch: null, spend: async () => null },
      });
      const soon = { ...plenty(world.now), deadlineAt: START + 3 * SECOND };
      return brave?.search({ query, count: 5 }, soon) ?? Promise.reject(new Error('brave is not configured'));
    };
    const searches = Array.from({ length: 5 }, (_, n) => fromIsolate(`walrus ${n}`));
    const outcomes = await world.run(Promise.allSettled(searches));
    // The deadline is near: each isolate alone would send its request immediately, but one queue makes them wait.
    const answered = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    expect(answered).toBeGreaterThanOrEqual(1);
    expect(answered).toBeLessThan(5);
    expect(world.sent.length).toBe(answered);
  });
});

describe('a service that other callers use with the same key', () => {
  it('is asked again after the time that it names', async () => {
    const world = searchWorld((_, count) =>
      count === 1
        ? braveError(429, 'RATE_LIMITED', { headers: { 'x-ratelimit-reset': '4, 1419704' } })
        : braveAnswer([]),
    );
    await world.run(provider(world, memoryLimiter(world.now)).search({ query: 'walrus', count: 5 }, plenty(world.now)));
    expect(world.sent.map(({ at }) => at - START)).toEqual([0, 4100]);
  });

  it('is not asked forever: the failure states when to retry', async () => {
    const world = searchWorld(() => braveError(429, 'RATE_LIMITED'));
    const brave = provider(world, memoryLimiter(world.now));
    const failure = await world.run(failureOf(brave.search({ query: 'walrus', count: 5 }, plenty(world.now))));
    expect(failure).toEqual({ code: 'search_rate_limited', provider: 'brave', retryAfterSeconds: 1 });
    expect(world.sent.length).toBe(3);
  });

  it('is not called again once its month is used up, and the failure names the end of the month', async () => {
    const headers = { 'x-ratelimit-remaining': '0, 0' };
    const world = searchWorld(() => braveError(429, 'QUOTA_LIMITED', { headers }));
    const brave = provider(world, memoryLimiter(world.now));
    const ask = () => failureOf(brave.search({ query: 'walrus', count: 5 }, plenty(world.now)));
    const first = await world.run(ask());
    const second = await world.run(ask());
    expect(first).toEqual({ code: 'search_rate_limited', provider: 'brave', retryAfterSeconds: 1_419_704 });
    expect(second).toEqual(first);
    expect(world.sent.length).toBe(1);
  });
});

describe('a service with an internal error', () => {
  it('is retried with growing delays, each time through the queue', async () => {
    const world = searchWorld((_, count) => (count < 3 ? braveError(503, 'INTERNAL') : braveAnswer([])));
    await world.run(provider(world, openLimiter).search({ query: 'walrus', count: 5 }, plenty(world.now)));
    expect(world.sent.map(({ at }) => at - START)).toEqual([0, 250, 750]);
  });

  it('is abandoned in the end, and its last answer is reported', async () => {
    const world = searchWorld(() => braveError(500, 'INTERNAL'));
    const failure = await world.run(
      failureOf(provider(world, openLimiter).search({ query: 'walrus', count: 5 }, plenty(world.now))),
    );
    expect(failure).toEqual({ code: 'search_unavailable', provider: 'brave', reason: 'it answered HTTP 500 INTERNAL' });
    expect(world.sent.length).toBe(3);
  });

  it('is abandoned before the deadline of the call if it never answers', async () => {
    const world = searchWorld(() => new Promise<Response>(() => {}));
    const { signal } = new AbortController();
    const soon = { signal, deadlineAt: world.now() + 30 };
    const failure = await failureOf(provider(world, openLimiter).search({ query: 'walrus', count: 5 }, soon));
    expect(failure).toMatchObject({ code: 'search_unavailable', reason: 'it did not answer within 1 s' });
  });
});

describe('the search queue', () => {
  it('does not stop a search when it is unreachable, because the service has its own limits', async () => {
    const broken: SearchRateLimiter = {
      reserve: () => Promise.reject(new Error('the object was reset')),
      learn: () => Promise.reject(new Error('the object was reset')),
    };
    const world = searchWorld(() => braveAnswer([{ url: 'https://walrus.example/', title: 'Walrus', text: 'walrus' }]));
    const { hits } = await provider(world, broken).search({ query: 'walrus', count: 5 }, plenty(world.now));
    expect(hits.length).toBe(1);
  });

  it('learns the pace from every answer', async () => {
    const learnt: unknown[] = [];
    const limiter: SearchRateLimiter = {
      ...openLimiter,
      learn: async (windows, refused) => {
        learnt.push({ windows, refused });
      },
    };
    const world = searchWorld(() => braveAnswer([]));
    await provider(world, limiter).search({ query: 'walrus', count: 5 }, plenty(world.now));
    expect(BRAVE_HEADERS['x-ratelimit-policy']).toBe('1;w=1, 15000;w=2592000');
    expect(learnt).toEqual([
      {
        refused: false,
        windows: [
          { limit: 1, windowMs: 1000, remaining: 0, resetMs: 1000 },
          { limit: 15_000, windowMs: 2_592_000_000, remaining: 14_523, resetMs: 1_419_704_000 },
        ],
      },
    ]);
  });

  it('releases a caller who disconnects', async () => {
    const world = searchWorld(() => braveAnswer([]));
    const controller = new AbortController();
    const limiter: SearchRateLimiter = {
      ...openLimiter,
      reserve: async () => {
        controller.abort(new Error('gone'));
        return { granted: true, waitMs: 5000 };
      },
    };
    const time = { signal: controller.signal, deadlineAt: world.now() + DEADLINE_MS };
    await expect(provider(world, limiter).search({ query: 'walrus', count: 5 }, time)).rejects.toThrow('gone');
    expect(world.sent).toEqual([]);
  });
});
