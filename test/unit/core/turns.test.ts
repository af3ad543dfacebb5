import { describe, expect, it } from 'vitest';
import { CPU_LOCK_TAKEOVER_MS, CPU_LOCK_PER_USER, CPU_PAUSE_MS } from '#core/limits.ts';
import { LeaseClock } from '#core/flow/semaphore.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { createCpuLock } from '#core/flow/turns.ts';
import type { Pause } from '#core/flow/turns.ts';
import { manualClock } from '#support/manual-clock.ts';

const forEver = new AbortController().signal;

describe('the processor lock', () => {
  it('is shared among users, not calls: many calls of one user wait for each other', async () => {
    const clock = manualClock();
    const leases = new LeaseClock(clock);
    const turns: Permits = new Map();
    const order: string[] = [];
    const work = (name: string) => async (pause: Pause) => {
      await pause();
      order.push(name);
    };
    const hers = Array.from({ length: 20 }, () => createCpuLock('ana', turns, leases)(forEver, work('ana')));
    await clock.run(1);
    const his = createCpuLock('bob', turns, leases)(forEver, work('bob'));
    await clock.run(40 * (CPU_LOCK_PER_USER.pollMsMax + 3 * CPU_PAUSE_MS));
    await Promise.all([...hers, his]);
    expect(order.indexOf('bob')).toBeLessThanOrEqual(2);
  });

  it('is given only after the event loop has served others', async () => {
    const clock = manualClock();
    const inTurn = createCpuLock('ana', new Map(), new LeaseClock(clock));
    const began: number[] = [];
    const work = async () => void began.push(clock.now());
    const all = [1, 2, 3].map(() => inTurn(forEver, work));
    await clock.run(10 * CPU_LOCK_PER_USER.pollMsMax);
    await Promise.all(all);
    expect(began).toHaveLength(3);
    const gaps = began.slice(1).map((at, index) => at - (began[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(CPU_PAUSE_MS);
  });

  it('is held while its work pauses, and only the event loop passes it on', async () => {
    const clock = manualClock();
    const inTurn = createCpuLock('ana', new Map(), new LeaseClock(clock));
    const done: string[] = [];
    const first = inTurn(forEver, async (pause) => {
      done.push('first part');
      await pause();
      done.push('second part');
    });
    const second = inTurn(forEver, async () => void done.push('another'));
    await clock.run(CPU_PAUSE_MS - 1);
    expect(done).toEqual(['first part']);
    await clock.run(20 * CPU_LOCK_PER_USER.pollMsMax);
    await Promise.all([first, second]);
    expect(done).toEqual(['first part', 'second part', 'another']);
  });

  it('stays with its holder when the thread was busy, although waiting callers check first', async () => {
    const clock = manualClock();
    const inTurn = createCpuLock('ana', new Map(), new LeaseClock(clock));
    let atWork = 0;
    let most = 0;
    const work = async (pause: Pause) => {
      most = Math.max(most, (atWork += 1));
      await pause();
      await pause();
      atWork -= 1;
    };
    const all = Array.from({ length: 4 }, () => inTurn(forEver, work));
    for (let stalls = 0; stalls < 10; stalls += 1) {
      // Waiting callers check before the pause would be over.
      await clock.run(1);
      clock.stall(3 * CPU_LOCK_TAKEOVER_MS);
    }
    await clock.run(20 * CPU_LOCK_PER_USER.pollMsMax);
    await Promise.all(all);
    expect(most).toBe(1);
  });

  it('is released soon after its holder was killed in a pause', async () => {
    const clock = manualClock();
    const inTurn = createCpuLock('ana', new Map(), new LeaseClock(clock));
    const gone = new Promise<never>(() => undefined);
    void inTurn(forEver, async (pause) => {
      await Promise.race([pause(), gone]);
      await gone;
    });
    await clock.run(0);
    clock.loseSleepers();
    const began: number[] = [];
    const next = inTurn(forEver, async () => void began.push(clock.now()));
    await clock.run(CPU_LOCK_TAKEOVER_MS + 20 * CPU_LOCK_PER_USER.pollMsMax);
    await next;
    expect(began[0]).toBeLessThanOrEqual(CPU_LOCK_TAKEOVER_MS + CPU_LOCK_PER_USER.pollMsMax);
  });

  it('is released when the work fails, and a call that has ended does not wait for it', async () => {
    const clock = manualClock();
    const turns: Permits = new Map();
    const inTurn = createCpuLock('ana', turns, new LeaseClock(clock));
    const fails = inTurn(forEver, async () => Promise.reject(new Error('no text')));
    const caller = new AbortController();
    const waits = inTurn(caller.signal, async () => 'done');
    caller.abort(new Error('hung up'));
    const outcomes = Promise.allSettled([fails, waits]);
    await clock.run(20 * CPU_LOCK_PER_USER.pollMsMax);
    expect((await outcomes).map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
      'Error: no text',
      'Error: hung up',
    ]);
    const later = inTurn(forEver, async () => 'later');
    await clock.run(CPU_LOCK_PER_USER.pollMsMax + 1);
    expect(await later).toBe('later');
  });
});
