import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RATE_JITTER_ALLOWANCE_MS, QUOTA_PROBE_INTERVAL_MS } from '#client/limits.ts';
import { createSearchRateState, learnRateLimits, reserveRequestTime } from '#client/pace/search-limiter.ts';
import type { SearchRateState, RateWindow } from '#client/pace/search-limiter.ts';

const SECOND = 1000;
const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');

const perSecond = (limit: number, remaining = 0): RateWindow => ({
  limit,
  windowMs: SECOND,
  remaining,
  resetMs: SECOND,
});
const perMonth = (limit: number, remaining: number): RateWindow => ({
  limit,
  windowMs: 30 * DAY,
  remaining,
  resetMs: 16 * DAY,
});

/** Requests `count` places together. @returns the waits of those that got one */
function queue(start: SearchRateState, count: number, patienceMs: number, now = NOW) {
  let state = start;
  const waits: number[] = [];
  const refusals: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const next = reserveRequestTime(state, now, patienceMs);
    state = next.state;
    if (next.grant.granted) waits.push(next.grant.waitMs);
    else refusals.push(next.grant.retryAfterMs);
  }
  return { state, waits, refusals };
}

describe('the places of a queue', () => {
  it('are a little more than a second apart before the service has reported anything', () => {
    const { waits } = queue(createSearchRateState(), 4, 60 * SECOND);
    expect(waits).toEqual([0, 1100, 2200, 3300]);
  });

  it('are refused if the caller would wait too long, with the time after which it would succeed', () => {
    const { state, waits, refusals } = queue(createSearchRateState(), 5, 2500);
    expect(waits).toEqual([0, 1100, 2200]);
    expect(refusals).toEqual([800, 800]);
    expect(reserveRequestTime(state, NOW + 800, 2500).grant).toEqual({ granted: true, waitMs: 2500 });
  });

  it('come all at once up to the limit of a faster plan', () => {
    const fast = learnRateLimits(createSearchRateState(), [perSecond(3), { ...perMonth(0, 0) }], false, NOW);
    const { waits } = queue(fast, 7, 60 * SECOND);
    expect(waits).toEqual([0, 0, 0, 1100, 1100, 1100, 2200]);
  });

  it('open earlier when the service turns out to be faster, without crowding earlier callers', () => {
    const { state } = queue(createSearchRateState(), 3, 60 * SECOND);
    const fast = learnRateLimits(state, [perSecond(2)], false, NOW);
    // Places at 0, 1100 and 2200 are taken: two in a window leaves room once the second of them is a window old.
    expect(queue(fast, 1, 60 * SECOND).waits).toEqual([2200]);
    // Room for five: between those that wait there is place for others.
    const faster = learnRateLimits(queue(createSearchRateState(), 4, 60 * SECOND).state, [perSecond(5)], false, NOW);
    expect(queue(faster, 4, 60 * SECOND).waits).toEqual([0, 1100, 1100, 2200]);
  });

  it('never hold more than the limit in any window, at any time and for any caller', () => {
    const calls = fc.array(
      fc.record({ after: fc.nat({ max: 1500 }), patience: fc.nat({ max: 8000 }), refused: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 5 }), (given, limit) => {
        let state = learnRateLimits(createSearchRateState(), [perSecond(limit)], false, NOW);
        let now = NOW;
        const places: number[] = [];
        for (const { after, patience, refused } of given) {
          now += after;
          if (refused) state = learnRateLimits(state, [perSecond(limit)], true, now);
          const next = reserveRequestTime(state, now, patience);
          state = next.state;
          if (!next.grant.granted) {
            expect(next.grant.retryAfterMs).toBeGreaterThan(0);
            continue;
          }
          expect(next.grant.waitMs).toBeLessThanOrEqual(patience);
          places.push(now + next.grant.waitMs);
        }
        places.sort((a, b) => a - b);
        for (const [index, place] of places.entries()) {
          const later = places[index + limit];
          if (later !== undefined) expect(later - place).toBeGreaterThanOrEqual(SECOND);
        }
      }),
    );
  });
});

describe('a report of the service', () => {
  it('sets the pace and ignores windows that it does not count', () => {
    const state = learnRateLimits(createSearchRateState(), [perSecond(50, 49), perMonth(0, 0)], false, NOW);
    expect(state.paces).toEqual([{ limit: 50, windowMs: SECOND }]);
    expect(state.quota).toBeNull();
  });

  it('changes nothing when it reports nothing', () => {
    const state = learnRateLimits(createSearchRateState(), [perSecond(5), perMonth(2000, 700)], false, NOW);
    expect(learnRateLimits(state, [], false, NOW + 1)).toEqual(state);
  });

  it('stops all callers for the reported time after too many requests', () => {
    const slow: RateWindow = { limit: 1, windowMs: SECOND, remaining: 0, resetMs: 7 * SECOND };
    const state = learnRateLimits(createSearchRateState(), [slow, perMonth(2000, 700)], true, NOW);
    expect(reserveRequestTime(state, NOW, 60 * SECOND).grant).toEqual({
      granted: true,
      waitMs: 7 * SECOND + RATE_JITTER_ALLOWANCE_MS,
    });
  });

  it('stops all callers for a window after too many requests without a reported time', () => {
    const state = learnRateLimits(createSearchRateState(), [], true, NOW);
    expect(reserveRequestTime(state, NOW, 60 * SECOND).grant).toEqual({
      granted: true,
      waitMs: SECOND + RATE_JITTER_ALLOWANCE_MS,
    });
  });

  it('makes calls fail at once when the month is used up, with the start of the next month', () => {
    const state = learnRateLimits(createSearchRateState(), [perSecond(1), perMonth(2000, 0)], true, NOW);
    expect(reserveRequestTime(state, NOW, 60 * SECOND).grant).toEqual({ granted: false, retryAfterMs: 16 * DAY });
  });

  it('reduces the remaining searches of a month between reports', () => {
    const state = learnRateLimits(createSearchRateState(), [perSecond(20, 19), perMonth(2000, 2)], false, NOW);
    const { waits, refusals } = queue(state, 4, 60 * SECOND);
    expect(waits).toEqual([0, 0]);
    expect(refusals).toEqual([16 * DAY, 16 * DAY]);
  });

  it('lets one request through now and then, so that a raised plan is noticed', () => {
    const usedUp = learnRateLimits(createSearchRateState(), [perSecond(20, 19), perMonth(2000, 0)], false, NOW);
    const later = NOW + QUOTA_PROBE_INTERVAL_MS;
    const { state, waits, refusals } = queue(usedUp, 3, 60 * SECOND, later);
    expect(waits).toEqual([0]);
    expect(refusals.length).toBe(2);
    const raised = learnRateLimits(state, [perSecond(20, 19), perMonth(9000, 7000)], false, later);
    expect(queue(raised, 3, 60 * SECOND, later).waits.length).toBe(3);
  });

  it('lets all callers through when the month is over', () => {
    const usedUp = learnRateLimits(createSearchRateState(), [perSecond(20, 19), perMonth(2000, 0)], false, NOW);
    expect(queue(usedUp, 3, 60 * SECOND, NOW + 16 * DAY).waits).toEqual([0, 0, 0]);
  });

  it('with two quotas applies the one that is nearer to its limit', () => {
    const daily: RateWindow = { limit: 100, windowMs: DAY, remaining: 1, resetMs: 3 * SECOND };
    const state = learnRateLimits(createSearchRateState(), [perSecond(20, 19), perMonth(2000, 700), daily], false, NOW);
    expect(queue(state, 2, 60 * SECOND).refusals).toEqual([3 * SECOND]);
  });
});

describe('SearchLimiter', () => {
  const limiter = (name: string) => partNamed(env.PACE, name, 'search');

  it('gives each of fifty simultaneous callers a separate place, and refuses those that cannot wait that long', async () => {
    const stub = limiter('fifty');
    const grants = await Promise.all(Array.from({ length: 50 }, () => stub.reserve(37 * SECOND)));
    const waits = grants.flatMap((grant) => (grant.granted ? [grant.waitMs] : [])).sort((a, b) => a - b);
    // Places lie 1.1 s apart, less the time that the calls themselves took.
    expect(waits.length).toBeGreaterThanOrEqual(34);
    expect(waits.length).toBeLessThan(50);
    for (const [index, wait] of waits.entries()) expect(wait).toBeLessThanOrEqual(index * 1100);
    const refused = grants.filter((grant) => !grant.granted);
    expect(refused.length).toBe(50 - waits.length);
    for (const grant of refused) expect(grant).toMatchObject({ retryAfterMs: expect.any(Number) });
  });

  it('is one queue for all callers, and another one for another key', async () => {
    const first = await limiter('one').reserve(0);
    const second = await limiter('one').reserve(0);
    const elsewhere = await limiter('two').reserve(0);
    expect([first.granted, second.granted, elsewhere.granted]).toEqual([true, false, true]);
  });

  it('keeps places and learnt limits across a restart', async () => {
    const stub = limiter('restart');
    await stub.learn([{ limit: 2, windowMs: 30 * SECOND, remaining: 1, resetMs: SECOND }], false);
    await stub.reserve(0);
    await stub.reserve(0);
    await evictDurableObject(env.PACE.get(env.PACE.idFromName('restart')));
    expect((await limiter('restart').reserve(0)).granted).toBe(false);
    const grant = await limiter('restart').reserve(60 * SECOND);
    expect(grant.granted).toBe(true);
  });
});
