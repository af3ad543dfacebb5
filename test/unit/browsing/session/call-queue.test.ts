import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { CallQueue } from '#browsing/session/call-queue.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';

const LONG_MS = 5_000;

/** Work that ends on demand. */
function held(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
    return { answer: name };
  };
  return { work, end: resolve };
}

describe('the queue of a session', () => {
  it('runs calls one at a time, in the order they came', async () => {
    const queue = new CallQueue();
    const log: string[] = [];
    const calls = ['a', 'b', 'c'].map((name) => ({ name, ...held(log, name) }));
    const answers = calls.map(({ work }) => queue.run('default', LONG_MS, work));
    for (const { end } of calls) end();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('returns before the remaining work is done, and lets the next call wait for it', async () => {
    const queue = new CallQueue();
    const log: string[] = [];
    const { promise: after, resolve: finish } = Promise.withResolvers<void>();
    const first = await queue.run('default', LONG_MS, async () => ({
      answer: 1,
      after: after.then(() => void log.push('kept')),
    }));
    const second = queue.run('default', LONG_MS, async () => {
      log.push('second');
      return { answer: 2 };
    });
    expect(first).toBe(1);
    finish();
    expect(await second).toBe(2);
    expect(log).toEqual(['kept', 'second']);
  });

  it('leaves out idle work when the next call comes first', async () => {
    const queue = new CallQueue();
    const log: string[] = [];
    const whenIdle = async () => void log.push('idle work');
    await queue.run('default', LONG_MS, async () => ({ answer: 1, after: Promise.resolve(), whenIdle }));
    await queue.run('default', LONG_MS, async () => ({ answer: log.push('next') }));
    expect(log).toEqual(['next']);
    expect(queue.isIdle).toBe(true);
  });

  it.each([
    { awaitsIdleWork: false, how: 'ends idle work that has begun', expected: ['begun', 'ended', 'next'] },
    { awaitsIdleWork: true, how: 'waits for it on request', expected: ['begun', 'finished', 'next'] },
  ])('$how when a call arrives', async ({ awaitsIdleWork, expected }) => {
    const queue = new CallQueue();
    const log: string[] = [];
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const whenIdle = async (ended: AbortSignal) => {
      ended.addEventListener('abort', () => finish.resolve('ended'));
      log.push('begun');
      begun.resolve();
      log.push(await finish.promise);
    };
    await queue.run('default', LONG_MS, async () => ({ answer: 1, after: Promise.resolve(), whenIdle }));
    await begun.promise;
    const work = async () => ({ answer: log.push('next') });
    const next = queue.run('default', LONG_MS, work, undefined, awaitsIdleWork);
    finish.resolve('finished');
    await next;
    expect(log).toEqual(expected);
    expect(queue.isIdle).toBe(true);
  });

  it('removes a call that is cancelled while it waits, does not run it, and keeps the order of the others', async () => {
    const queue = new CallQueue();
    const log: string[] = [];
    const cancelled = new AbortController();
    const [first, second, third] = [held(log, 'first'), held(log, 'second'), held(log, 'third')];
    const running = queue.run('default', LONG_MS, first.work);
    const waiting = queue.run('default', LONG_MS, second.work, cancelled.signal);
    const next = queue.run('default', LONG_MS, third.work);
    cancelled.abort(new PeriscopeError({ code: 'cancelled' }));
    await expect(waiting).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    for (const { end } of [first, third]) end();
    expect(await Promise.all([running, next])).toEqual(['first', 'third']);
    expect(log).toEqual(['first begins', 'first ends', 'third begins', 'third ends']);
    await expect(queue.run('default', LONG_MS, second.work, cancelled.signal)).rejects.toMatchObject({
      failure: { code: 'cancelled' },
    });
    expect(queue.isIdle).toBe(true);
  });

  it('reports its place to a call that waited too long, and does not run it', async () => {
    const queue = new CallQueue();
    const log: string[] = [];
    const first = held(log, 'first');
    const running = queue.run('default', LONG_MS, first.work);
    const patient = held(log, 'patient');
    const waiting = queue.run('default', LONG_MS, patient.work);
    const failed = await queue.run('default', 20, held(log, 'late').work).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(PeriscopeError);
    const failure = { code: 'session_busy', session: 'default', place: 2, afterMs: 20 } as const;
    expect(failed instanceof PeriscopeError && failed.failure).toEqual(failure);
    expect(describeFailure(failure)).toMatchObject({
      error: 'session_busy',
      message: 'The session "default" was still busy after 20 ms (place 2 in the queue).',
      extra: { place: 2 },
    });
    first.end();
    patient.end();
    expect(await Promise.all([running, waiting])).toEqual(['first', 'patient']);
    expect(log).not.toContain('late begins');
    expect(queue.isIdle).toBe(true);
  });

  it('continues after a call that fails', async () => {
    const queue = new CallQueue();
    const failing = queue.run('default', LONG_MS, () => Promise.reject(new Error('no')));
    const next = queue.run('default', LONG_MS, async () => ({ answer: 'yes' }));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('never runs two calls at once and loses none, whatever fails and whatever is left to do', async () => {
    const call = fc.record({ fails: fc.boolean(), hasAfter: fc.boolean(), ticks: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const queue = new CallQueue();
        let running = 0;
        const order: number[] = [];
        const results = await Promise.allSettled(
          calls.map(({ fails, hasAfter, ticks }, index) =>
            queue.run('default', LONG_MS, async () => {
              running += 1;
              expect(running).toBe(1);
              order.push(index);
              for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
              const end = () => {
                running -= 1;
              };
              if (fails) {
                end();
                throw new Error('no');
              }
              if (!hasAfter) {
                end();
                return { answer: index };
              }
              return { answer: index, after: Promise.resolve().then(end) };
            }),
          ),
        );
        expect(order).toEqual(calls.map((_, index) => index));
        expect(results.map(({ status }) => status)).toEqual(
          calls.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        );
      }),
    );
  });
});
