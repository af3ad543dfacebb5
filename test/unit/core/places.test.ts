import { describe, expect, it } from 'vitest';
import { QUEUE_GONE_MS } from '#core/limits.ts';
import { withSlot } from '#core/flow/semaphore.ts';
import type { Slots } from '#core/flow/semaphore.ts';
import { manualClock } from '#support/manual-clock.ts';

const RULE = { max: 2, leaseMs: 1_000, pollMs: 10, pollMsMax: 80, restMs: 0 };
const forEver = new AbortController().signal;

function counter() {
  const clock = manualClock();
  const places: Slots = new Map();
  const order: number[] = [];
  const come = (name: number, signal: AbortSignal = forEver) =>
    withSlot('here', RULE, places, clock, signal, async () => {
      order.push(name);
      await clock.sleep(15, forEver);
    });
  return { clock, places, order, come };
}

describe('places', () => {
  it('are given in the order in which people came, however many wait', async () => {
    const { clock, places, order, come } = counter();
    const all: Promise<void>[] = [];
    for (let name = 0; name < 40; name += 1) {
      all.push(come(name));
      await clock.run(1);
    }
    await clock.run(2_000);
    await Promise.all(all);
    expect(order).toEqual(Array.from({ length: 40 }, (_, name) => name));
    expect(places.size).toBe(0);
  });

  it('are never exceeded, even when the thread was busy and everybody looks late', async () => {
    const clock = manualClock();
    const places: Slots = new Map();
    let late = 0;
    const busy = { now: () => clock.now() + late, sleep: clock.sleep };
    let atWork = 0;
    let most = 0;
    const all = Array.from({ length: 12 }, () =>
      withSlot('here', { ...RULE, leaseMs: 60_000 }, places, busy, forEver, async () => {
        atWork += 1;
        most = Math.max(most, atWork);
        await clock.sleep(200, forEver);
        atWork -= 1;
      }),
    );
    await clock.run(1);
    late = 3 * QUEUE_GONE_MS;
    await clock.run(5_000);
    await Promise.all(all);
    expect(most).toBe(RULE.max);
    expect(places.size).toBe(0);
  });

  it('are not kept from the others by one who gives up, or whose request is ended', async () => {
    const { clock, order, come } = counter();
    const impatient = new AbortController();
    const first = [come(0), come(1)];
    const given = come(2, impatient.signal);
    const ended = come(3);
    await clock.run(1);
    impatient.abort(new Error('no patience'));
    await expect(given).rejects.toThrow('no patience');
    void ended;
    clock.loseSleepers();
    const next = [come(4), come(5)];
    await clock.run(RULE.leaseMs + QUEUE_GONE_MS + 200);
    await Promise.all(next);
    // Both found it free at the same moment.
    expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 4, 5]);
    void first;
  });
});
