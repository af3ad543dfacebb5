import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { TokenBucket, takeTokensFromFullAt, msUntilTokens } from '#core/flow/rate-limits.ts';

const HOUR_MS = 3_600_000;
const RATE = { burst: 100, everyMs: HOUR_MS / 100 };

/** The number of requests at `times` that are granted. */
function granted(times: readonly number[], rate = RATE): number {
  let fullAt = 0;
  let count = 0;
  for (const now of times) {
    if (msUntilTokens(rate, fullAt, now) > 0) continue;
    fullAt = takeTokensFromFullAt(rate, fullAt, now);
    count += 1;
  }
  return count;
}

describe('a token bucket', () => {
  it('admits a burst at once, and then one event per interval', () => {
    expect(granted(Array.from({ length: 1_000 }, () => 5))).toBe(100);
    let fullAt = 0;
    for (let n = 0; n < 100; n += 1) fullAt = takeTokensFromFullAt(RATE, fullAt, 0);
    expect(msUntilTokens(RATE, fullAt, 0)).toBe(36_000);
    expect(msUntilTokens(RATE, fullAt, 35_999)).toBe(1);
    expect(msUntilTokens(RATE, fullAt, 36_000)).toBe(0);
  });

  it('keeps to its rate over a day, whenever events arrive', () => {
    const everySecond = Array.from({ length: 86_400 }, (_, second) => second * 1_000);
    expect(granted(everySecond)).toBeLessThanOrEqual(100 + 2_400);
    fc.assert(
      fc.property(
        fc.array(fc.nat(24 * HOUR_MS), { maxLength: 3_000 }),
        fc.integer({ min: 1, max: 50 }),
        (times, max) => {
          const rate = { burst: max, everyMs: Math.ceil(HOUR_MS / max) };
          expect(
            granted(
              times.sort((a, b) => a - b),
              rate,
            ),
          ).toBeLessThanOrEqual(max + max * 24);
        },
      ),
    );
  });

  it('never asks a caller to wait longer than one interval, whatever was stored before', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(HOUR_MS), { maxLength: 500 }), (times) => {
        let fullAt = 0;
        for (const now of times.sort((a, b) => a - b)) {
          const wait = msUntilTokens(RATE, fullAt, now);
          expect(wait).toBeLessThanOrEqual(36_000);
          if (wait === 0) fullAt = takeTokensFromFullAt(RATE, fullAt, now);
        }
      }),
    );
  });
});

describe('the token bucket of a Durable Object', () => {
  it('admits a burst at once, and then events in order at the configured rate', () => {
    const bucket = new TokenBucket({ burst: 3, everyMs: 250 }, () => 10_000);
    expect(Array.from({ length: 6 }, () => bucket.take())).toEqual([0, 0, 0, 250, 500, 750]);
  });

  it('holds more events than a Durable Object may have timers', async () => {
    const bucket = new TokenBucket({ burst: 200, everyMs: 0.05 });
    const gone: number[] = [];
    const waiting = Array.from({ length: 12_000 }, async (_, at) => {
      await bucket.taken();
      gone.push(at);
    });
    await Promise.all(waiting);
    expect(gone).toEqual(waiting.map((_, at) => at));
  });

  it('releases waiting events when their token is available, and not before', async () => {
    vi.useFakeTimers();
    try {
      const bucket = new TokenBucket({ burst: 1, everyMs: 1_000 });
      let passed = 0;
      for (let n = 0; n < 3; n += 1) void bucket.taken().then(() => (passed += 1));
      await vi.advanceTimersByTimeAsync(999);
      expect(passed).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(passed).toBe(2);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(passed).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('has its full burst again after a pause', () => {
    let now = 10_000;
    const bucket = new TokenBucket({ burst: 2, everyMs: 1_000 }, () => now);
    expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([true, true, false]);
    now += 1_000;
    expect([bucket.tryTake(), bucket.tryTake()]).toEqual([true, false]);
  });

  it('never admits more than burst and rate allow, in any order of calls', () => {
    const events = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 500 }), cost: fc.integer({ min: 1, max: 3 }) }),
    );
    fc.assert(
      fc.property(events, (all) => {
        let now = 10_000;
        let passed = 0;
        const bucket = new TokenBucket({ burst: 5, everyMs: 100 }, () => now);
        for (const { after, cost } of all) {
          now += after;
          if (bucket.tryTake(cost)) passed += cost;
        }
        expect(passed).toBeLessThanOrEqual(5 + ((now - 10_000) / 1_000) * 10 + 1e-6);
      }),
    );
  });
});
