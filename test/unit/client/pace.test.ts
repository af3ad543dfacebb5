import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAttempt, msUntilRoom, withoutAttempt } from '#client/rate-windows.ts';

const HOUR_MS = 3_600_000;
const bucket = { max: 100, windowMs: HOUR_MS };

/** How many of `times` are granted. */
function granted(times: readonly number[], paced = bucket): number {
  let emptyAt = 0;
  let count = 0;
  for (const now of times) {
    if (msUntilRoom(paced, emptyAt, now) > 0) continue;
    emptyAt = afterAttempt(paced, emptyAt, now);
    count += 1;
  }
  return count;
}

describe('a pace', () => {
  it('lets a number through at once, and after that one for each step of time', () => {
    expect(granted(Array.from({ length: 1_000 }, () => 5))).toBe(100);
    let emptyAt = 0;
    for (let n = 0; n < 100; n += 1) emptyAt = afterAttempt(bucket, emptyAt, 0);
    expect(msUntilRoom(bucket, emptyAt, 0)).toBe(36_000);
    expect(msUntilRoom(bucket, emptyAt, 35_999)).toBe(1);
    expect(msUntilRoom(bucket, emptyAt, 36_000)).toBe(0);
  });

  it('holds over a day, however the tries come', () => {
    const everySecond = Array.from({ length: 86_400 }, (_, second) => second * 1_000);
    expect(granted(everySecond)).toBeLessThanOrEqual(100 + 2_400);
    fc.assert(
      fc.property(
        fc.array(fc.nat(24 * HOUR_MS), { maxLength: 3_000 }),
        fc.integer({ min: 1, max: 50 }),
        (times, max) => {
          const paced = { max, windowMs: HOUR_MS };
          expect(
            granted(
              times.sort((a, b) => a - b),
              paced,
            ),
          ).toBeLessThanOrEqual(max + max * 24);
        },
      ),
    );
  });

  it('never asks anybody to wait for longer than one step, whatever was kept before', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(HOUR_MS), { maxLength: 500 }), (times) => {
        let emptyAt = 0;
        for (const now of times.sort((a, b) => a - b)) {
          const wait = msUntilRoom(bucket, emptyAt, now);
          expect(wait).toBeLessThanOrEqual(36_000);
          if (wait === 0) emptyAt = afterAttempt(bucket, emptyAt, now);
        }
      }),
    );
  });

  it('forgets a turn that is given back', () => {
    const before = afterAttempt(bucket, 0, 1_000);
    expect(withoutAttempt(bucket, afterAttempt(bucket, before, 1_500))).toBe(before);
  });
});
