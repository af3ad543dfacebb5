import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace } from '#browsing/cdp/pace.ts';

describe('a pace', () => {
  it('lets a burst go on at once, and then as many a second as the rate allows, in the order they came', () => {
    const pace = new Pace({ burst: 3, perSecond: 4 }, () => 10_000);
    expect(Array.from({ length: 6 }, () => pace.wait())).toEqual([0, 0, 0, 250, 500, 750]);
  });

  it('holds more events than an object may have timers', async () => {
    const pace = new Pace({ burst: 200, perSecond: 20_000 });
    const gone: number[] = [];
    const waiting = Array.from({ length: 12_000 }, async (_, at) => {
      await pace.turn();
      gone.push(at);
    });
    await Promise.all(waiting);
    expect(gone).toEqual(waiting.map((_, at) => at));
  });

  it('has its whole burst again after a rest', () => {
    let now = 10_000;
    const pace = new Pace({ burst: 2, perSecond: 1 }, () => now);
    expect([pace.lets(), pace.lets(), pace.lets()]).toEqual([true, true, false]);
    now += 1_000;
    expect([pace.lets(), pace.lets()]).toEqual([true, false]);
  });

  it('never lets more go on than burst and rate allow, whatever comes when', () => {
    const events = fc.array(
      fc.record({ after: fc.integer({ min: 0, max: 500 }), cost: fc.integer({ min: 1, max: 3 }) }),
    );
    fc.assert(
      fc.property(events, (all) => {
        let now = 10_000;
        let passed = 0;
        const pace = new Pace({ burst: 5, perSecond: 10 }, () => now);
        for (const { after, cost } of all) {
          now += after;
          if (pace.lets(cost)) passed += cost;
        }
        expect(passed).toBeLessThanOrEqual(5 + ((now - 10_000) / 1_000) * 10 + 1e-6);
      }),
    );
  });
});
