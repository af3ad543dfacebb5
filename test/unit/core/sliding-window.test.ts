import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableAmount, computeRetryAfterMs, slotAt, addToSlot } from '#core/flow/rate-limits.ts';
import type { SlotAmounts } from '#core/flow/rate-limits.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2026-11-21T12:00:00Z');

describe('a sliding window', () => {
  const window = { windowMs: DAY, slotMs: 15 * MINUTE };
  const amounts = fc.array(fc.record({ after: fc.nat({ max: DAY / 3 }), amount: fc.integer({ min: 1, max: 9 }) }));

  it('has room exactly at the reported time, and not a millisecond earlier', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 9, max: 30 }), fc.integer({ min: 1, max: 9 }), (steps, limit, amount) => {
        let taken: SlotAmounts = [];
        let now = START;
        for (const step of steps) {
          now += step.after;
          if (availableAmount(taken, limit, now, window) < step.amount) continue;
          taken = addToSlot(taken, slotAt(now, window), step.amount, window);
        }
        const wait = computeRetryAfterMs(taken, limit, amount, now, window);
        expect(availableAmount(taken, limit, now + wait, window)).toBeGreaterThanOrEqual(amount);
        if (wait > 0) expect(availableAmount(taken, limit, now + wait - 1, window)).toBeLessThan(amount);
        expect(wait).toBeLessThanOrEqual(DAY + 15 * MINUTE);
      }),
    );
  });
});
