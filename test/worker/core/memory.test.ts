import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  TASK_MEMORY_BYTES_MAX,
  SMALL_PAGES_RESERVED_BYTES,
  MEMORY_SHARE_TIMES,
  SMALL_PAGE_MEMORY_BYTES,
  USER_MEMORY_BYTES_MAX,
} from '#core/limits.ts';
import { LeaseClock } from '#core/flow/semaphore.ts';
import { createMemoryRunner } from '#core/flow/memory.ts';
import type { MemoryShares, MemoryShare, MemoryNeed } from '#core/flow/memory.ts';
import { abortable, sleep } from '#core/flow/abort.ts';
import { manualClock } from '#support/manual-clock.ts';
import { failureOf } from '#support/net-world.ts';

const forEver = new AbortController().signal;
const SMALL: MemoryNeed = { held: SMALL_PAGE_MEMORY_BYTES / 2, work: SMALL_PAGE_MEMORY_BYTES / 2 };
/** Two of these do not fit. */
const LARGE: MemoryNeed = { held: 0.4 * TASK_MEMORY_BYTES_MAX, work: 0.3 * TASK_MEMORY_BYTES_MAX };

/** People at the memory of one isolate. */
function isolate() {
  const clock = manualClock();
  const leases = new LeaseClock(clock);
  const memory: MemoryShares = [];
  const order: string[] = [];
  /** Work that records when it has its memory, and continues until it is ended. */
  const begin = (who: string, need: MemoryNeed, name = who, signal = forEver, waitsFor?: 'browser') => {
    const { promise: told, resolve: end } = Promise.withResolvers<void>();
    const given = Promise.withResolvers<MemoryShare>();
    const ended = createMemoryRunner(
      who,
      memory,
      leases,
    )(async (share) => {
      await share.take(need, signal, waitsFor);
      order.push(name);
      given.resolve(share);
      await told;
    });
    ended.catch(() => undefined);
    return { end, ended, share: given.promise };
  };
  return { clock, leases, memory, order, begin, look: () => clock.run(2 * MEMORY_SHARE_TIMES.pollMs) };
}

describe('the memory of an isolate', () => {
  it('never exceeds its limit, and admits waiting tasks as it becomes free', async () => {
    const { order, begin, look, memory } = isolate();
    const [first] = [begin('ana', LARGE, 'first'), begin('bob', LARGE, 'second')];
    await look();
    expect(order).toEqual(['first']);
    first?.end();
    await look();
    expect(order).toEqual(['first', 'second']);
    expect(memory).toHaveLength(1);
  });

  it('counts only the largest work, because one task works at a time, and all that is held', async () => {
    const { order, begin, look } = isolate();
    const need = { held: TASK_MEMORY_BYTES_MAX / 10, work: TASK_MEMORY_BYTES_MAX / 2 };
    for (const name of ['1', '2', '3', '4', '5', '6']) begin(name, need);
    await look();
    expect(order).toEqual(['1', '2', '3', '4']);
  });

  it('goes to the user who holds least, and then to the first to ask', async () => {
    const { order, begin, look } = isolate();
    const first = begin('ana', LARGE, 'ana 1');
    const others = ['ana 2', 'ana 3'].map((name) => begin('ana', LARGE, name));
    const bob = begin('bob', LARGE, 'bob 1');
    const carla = begin('carla', LARGE, 'carla 1');
    await look();
    for (const work of [first, bob, carla, ...others]) {
      work.end();
      await look();
    }
    // Each person had one before anybody had a second one while others waited.
    expect(order.slice(0, 2)).toEqual(['ana 1', 'ana 2']);
    expect(order).toHaveLength(5);
  });

  it('is available for small pages while large ones hold and wait for all the rest', async () => {
    const { order, begin, look } = isolate();
    const rest = { held: TASK_MEMORY_BYTES_MAX - SMALL_PAGES_RESERVED_BYTES, work: 0 };
    begin('ana', rest, 'large');
    begin('ana', LARGE, 'waits');
    begin('bob', SMALL, 'small');
    await look();
    expect(order).toEqual(['large', 'small']);
  });

  it('is there for the small page of another user although the oldest task took more than there is', async () => {
    const { order, begin, look } = isolate();
    const oldest = begin('ana', LARGE, 'oldest');
    await look();
    await (await oldest.share).take({ held: TASK_MEMORY_BYTES_MAX, work: TASK_MEMORY_BYTES_MAX }, forEver);
    begin('ana', SMALL, 'small of ana');
    begin('bob', SMALL, 'small of bob');
    await look();
    expect(order).toEqual(['oldest', 'small of bob']);
  });

  it('leaves half to other users when one user has very many small pages', async () => {
    const { order, begin, look } = isolate();
    const many = Math.ceil(USER_MEMORY_BYTES_MAX / SMALL.held);
    for (let at = 0; at < 2 * many; at += 1) begin('ana', SMALL);
    begin('bob', SMALL);
    await look();
    expect(order.filter((who) => who === 'ana').length).toBeLessThanOrEqual(many);
    expect(order).toContain('bob');
  });

  it('leaves a part to other users, and to small pages, when one user has many pages in the browser', async () => {
    const { order, begin, look } = isolate();
    // The need of a page that is rendered.
    const rendered = { held: TASK_MEMORY_BYTES_MAX / 8, work: 0.3 * TASK_MEMORY_BYTES_MAX };
    for (let page = 0; page < 40; page += 1) begin('ana', rendered);
    await look();
    const halfOfPages = USER_MEMORY_BYTES_MAX / rendered.held;
    expect(order).toEqual(Array.from({ length: halfOfPages }, () => 'ana'));
    begin('bob', { ...rendered, held: rendered.held / 2 });
    await look();
    expect(order.at(-1)).toBe('bob');
  });

  it('is available for the small pages of a user whose other pages fill less than half of it', async () => {
    const { order, begin, look } = isolate();
    const rendered = { held: 0.15 * TASK_MEMORY_BYTES_MAX, work: 0.3 * TASK_MEMORY_BYTES_MAX };
    for (let page = 0; page < 40; page += 1) begin('ana', rendered, 'rendered', forEver, 'browser');
    begin('ana', SMALL, 'small');
    await look();
    expect(order.toSorted()).toEqual(['rendered', 'rendered', 'rendered', 'small']);
  });

  it('lets a user start nothing new while one of their bodies waits to be read', async () => {
    const { order, begin, look } = isolate();
    const first = begin('ana', LARGE, 'first');
    begin('ana', LARGE, 'waits');
    begin('ana', SMALL, 'not yet');
    await look();
    expect(order).toEqual(['first']);
    first.end();
    await look();
    expect(order).toEqual(['first', 'waits', 'not yet']);
  });

  it('never deadlocks: when all holders want more, the oldest gets it, then the next', async () => {
    const { clock, begin, look } = isolate();
    const half = { held: TASK_MEMORY_BYTES_MAX / 4, work: 0 };
    const more = { held: TASK_MEMORY_BYTES_MAX / 2, work: 0 };
    const people = ['ana', 'bob', 'carla'].map((who) => begin(who, half));
    await look();
    const done: number[] = [];
    const all = people.map(async ({ share, end }, at) => {
      await (await share).take(more, forEver);
      done.push(at);
      await clock.sleep(100, forEver);
      end();
    });
    await clock.run(3 * (100 + 2 * MEMORY_SHARE_TIMES.pollMs));
    await Promise.all(all);
    expect(done).toEqual([0, 1, 2]);
  });

  it('grants a need larger than its whole size to one task alone', async () => {
    const { order, begin, look } = isolate();
    const first = begin('ana', SMALL, 'first');
    begin('bob', { held: 2 * TASK_MEMORY_BYTES_MAX, work: 0 }, 'huge');
    await look();
    expect(order).toEqual(['first']);
    first.end();
    await look();
    expect(order).toEqual(['first', 'huge']);
  });

  it('reports that it is full when there is no room in time, and the caller has lost nothing but the wait', async () => {
    const { clock, begin, memory } = isolate();
    memory.push({ subject: 'ana', has: LARGE, wants: null, waitsFor: 'body', until: Infinity });
    const late = failureOf(begin('bob', LARGE).ended);
    await clock.run(MEMORY_SHARE_TIMES.waitMs + 2 * MEMORY_SHARE_TIMES.pollMs);
    expect(await late).toMatchObject({ code: 'overloaded', of: 'memory' });
    expect(memory).toHaveLength(1);
  });

  it('is reported as full of the pages of the user who opened too many', async () => {
    const { begin, clock, memory } = isolate();
    const half = { held: USER_MEMORY_BYTES_MAX, work: 0 };
    memory.push({ subject: 'bob', has: SMALL, wants: null, waitsFor: 'body', until: Infinity });
    memory.push({ subject: 'ana', has: half, wants: null, waitsFor: 'body', until: Infinity });
    const late = failureOf(begin('ana', half).ended);
    await clock.run(MEMORY_SHARE_TIMES.waitMs + 2 * MEMORY_SHARE_TIMES.pollMs);
    expect(await late).toMatchObject({ code: 'overloaded', of: 'own pages' });
  });

  it('is free again after work that fails, and is not waited for by a call that ended', async () => {
    const { begin, leases, memory, look } = isolate();
    const caller = new AbortController();
    const first = begin('ana', LARGE);
    const gone = begin('bob', LARGE, 'bob', caller.signal);
    await look();
    caller.abort(new Error('hung up'));
    await expect(gone.ended).rejects.toThrow('hung up');
    first.end();
    await first.ended;
    const failing = createMemoryRunner(
      'ana',
      memory,
      leases,
    )(async (share) => {
      await share.take(LARGE, forEver);
      throw new Error('no text');
    });
    await expect(failing).rejects.toThrow('no text');
    expect(memory).toHaveLength(0);
  });

  it('is released to others at once when a share shrinks', async () => {
    const { order, begin, look } = isolate();
    const { share } = begin('ana', LARGE, 'first');
    begin('bob', LARGE, 'second');
    await look();
    expect((await share).tryTake(SMALL)).toBe(true);
    await look();
    expect(order).toEqual(['first', 'second']);
  });

  it('stays with its holder when the thread was busy for longer than a lease, although others check first', async () => {
    const { clock, order, begin, look } = isolate();
    const first = begin('ana', LARGE, 'first');
    begin('bob', LARGE, 'second');
    for (let stalls = 0; stalls < 5; stalls += 1) {
      await look();
      clock.stall(2 * MEMORY_SHARE_TIMES.leaseMs);
    }
    await look();
    expect(order).toEqual(['first']);
    first.end();
    await look();
    expect(order).toEqual(['first', 'second']);
  });

  it('stays with work that continues after its call was answered, until the work ends', async () => {
    const { order, begin, look } = isolate();
    const caller = new AbortController();
    const work = begin('ana', LARGE, 'first', caller.signal);
    const answered = abortable(work.ended, caller.signal);
    begin('bob', LARGE, 'second');
    await look();
    caller.abort(new Error('too late'));
    await expect(answered).rejects.toThrow('too late');
    await look();
    expect(order).toEqual(['first']);
    work.end();
    await look();
    expect(order).toEqual(['first', 'second']);
  });

  it('is not kept by a request that the platform kills', async () => {
    const memory: MemoryShares = [];
    const clock = new LeaseClock({ now: Date.now, sleep });
    const times = {
      ...MEMORY_SHARE_TIMES,
      leaseMs: MEMORY_SHARE_TIMES.leaseMs / 4,
      beatMs: MEMORY_SHARE_TIMES.beatMs / 4,
    };
    const shareFor = (subject: string) => createMemoryRunner(subject, memory, clock, () => undefined, times);
    const object = env.PACE.get(env.PACE.idFromName('a killed request with a share'));
    const killed = runInDurableObject(object, async (_, state) => {
      void shareFor('ana')(async (share) => {
        await share.take(LARGE, forEver);
        await Promise.withResolvers().promise;
      }).catch(() => undefined);
      await sleep(times.beatMs * 1.5, forEver);
      state.abort('as the platform ends what takes too long');
    });
    await expect(killed).rejects.toThrow(/takes too long/);
    // Uses the clock of leases, which stops while the machine is busy with other work.
    const from = clock.now();
    await shareFor('bob')((share) => share.take(LARGE, forEver));
    expect(clock.now() - from).toBeLessThanOrEqual(times.leaseMs + times.beatMs);
  });
});
