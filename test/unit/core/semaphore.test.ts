import { describe, expect, it } from 'vitest';
import { WAITER_EXPIRY_MS } from '#core/limits.ts';
import { Semaphore, withPermit } from '#core/flow/semaphore.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { manualClock } from '#support/manual-clock.ts';

const RULE = { max: 2, leaseMs: 1_000, pollMs: 10, pollMsMax: 80, restMs: 0 };
const forEver = new AbortController().signal;

function counter() {
  const clock = manualClock();
  const permits: Permits = new Map();
  const order: number[] = [];
  const come = (name: number, signal: AbortSignal = forEver) =>
    withPermit('here', RULE, permits, clock, signal, async () => {
      order.push(name);
      await clock.sleep(15, forEver);
    });
  return { clock, permits, order, come };
}

describe('permits', () => {
  it('are given in order of arrival, however many callers wait', async () => {
    const { clock, permits, order, come } = counter();
    const all: Promise<void>[] = [];
    for (let name = 0; name < 40; name += 1) {
      all.push(come(name));
      await clock.run(1);
    }
    await clock.run(2_000);
    await Promise.all(all);
    expect(order).toEqual(Array.from({ length: 40 }, (_, name) => name));
    expect(permits.size).toBe(0);
  });

  it('are never exceeded, even when the thread was busy and every caller seems late', async () => {
    const clock = manualClock();
    const permits: Permits = new Map();
    let late = 0;
    const busy = { now: () => clock.now() + late, sleep: clock.sleep };
    let atWork = 0;
    let most = 0;
    const all = Array.from({ length: 12 }, () =>
      withPermit('here', { ...RULE, leaseMs: 60_000 }, permits, busy, forEver, async () => {
        atWork += 1;
        most = Math.max(most, atWork);
        await clock.sleep(200, forEver);
        atWork -= 1;
      }),
    );
    await clock.run(1);
    late = 3 * WAITER_EXPIRY_MS;
    await clock.run(5_000);
    await Promise.all(all);
    expect(most).toBe(RULE.max);
    expect(permits.size).toBe(0);
  });

  it('are released when a caller gives up waiting, or when its request ends', async () => {
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
    await clock.run(RULE.leaseMs + WAITER_EXPIRY_MS + 200);
    await Promise.all(next);
    // Both found it free at the same moment.
    expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 4, 5]);
    void first;
  });
});

/** Work that ends on demand. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, finish: resolve };
}

async function run<T>(limit: Semaphore, signal: AbortSignal, atWork: () => Promise<T>): Promise<T> {
  await limit.acquire(signal);
  return atWork().finally(() => limit.release());
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('a semaphore of one object', () => {
  it('runs a limited number at a time, and the others in order of arrival', async () => {
    const limit = new Semaphore(2);
    const begun: number[] = [];
    const works = Array.from({ length: 5 }, work);
    const runs = works.map(({ promise }, n) =>
      run(limit, forEver, () => {
        begun.push(n);
        return promise;
      }),
    );
    await settle();
    expect(begun).toEqual([0, 1]);
    works[1]?.finish();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const { finish } of works) finish();
    await Promise.all(runs);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('admits the next caller when a waiting one gives up and when a running one fails', async () => {
    const limit = new Semaphore(1);
    const first = work();
    const gaveUp = new AbortController();
    const runs = [
      run(limit, forEver, async () => {
        await first.promise;
        throw new Error('it failed');
      }),
      run(limit, gaveUp.signal, async () => 'never'),
      run(limit, forEver, async () => 'its turn'),
    ];
    const ends = Promise.allSettled(runs);
    await settle();
    gaveUp.abort(new Error('no longer wanted'));
    first.finish();
    expect((await ends).map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message))).toEqual([
      'it failed',
      'no longer wanted',
      'its turn',
    ]);
  });
});
