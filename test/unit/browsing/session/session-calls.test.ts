import { describe, expect, it } from 'vitest';
import { CancellableCalls } from '#browsing/session/call-queue.ts';
import { abortable } from '#core/flow/abort.ts';

function callerOf(id: string, request: string | null = null, subject = 'ada') {
  return { subject, ownHosts: [], session: 'default', call: { id, request } };
}

const endless = (cancelled: AbortSignal) => abortable(new Promise<never>(() => undefined), cancelled);
const CANCELLED = { failure: { code: 'cancelled' } };

describe('the calls of a session', () => {
  it('end once they are cancelled, each by its own id', async () => {
    const calls = new CancellableCalls();
    const first = calls.run(callerOf('first'), endless);
    const second = calls.run(callerOf('second'), endless);
    calls.cancel('second');
    await expect(second).rejects.toMatchObject(CANCELLED);
    calls.cancel('first');
    await expect(first).rejects.toMatchObject(CANCELLED);
  });

  it('do not begin when their cancellation came first', async () => {
    const calls = new CancellableCalls();
    let begun = 0;
    const begin = async () => ++begun;
    calls.cancel('late');
    await expect(calls.run(callerOf('late'), begin)).rejects.toMatchObject(CANCELLED);
    expect(await calls.run(callerOf('other'), begin)).toBe(1);
  });

  it('are found by person and request for as long as they run', async () => {
    const calls = new CancellableCalls();
    const running = calls.run(callerOf('one', '["client",1]'), endless);
    const others = [
      calls.run(callerOf('two', '["client",2]'), endless),
      calls.run(callerOf('three', '["client",1]', 'bob'), endless),
      calls.run(callerOf('four'), endless),
    ];
    expect(calls.ofRequest('ada', '["client",1]')).toEqual(['one']);
    calls.cancel('one');
    await expect(running).rejects.toMatchObject(CANCELLED);
    expect(calls.ofRequest('ada', '["client",1]')).toEqual([]);
    for (const id of ['two', 'three', 'four']) calls.cancel(id);
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  });

  it('without an id run without cancellation', async () => {
    const { call: _, ...caller } = callerOf('none');
    expect(await new CancellableCalls().run(caller, async (cancelled) => cancelled.aborted)).toBe(false);
  });

  it('drop the oldest of many cancellations without a call', async () => {
    const calls = new CancellableCalls();
    for (let at = 0; at < 1_000; at += 1) calls.cancel(`call ${at}`);
    expect(await calls.run(callerOf('call 0'), async () => 'ran')).toBe('ran');
    await expect(calls.run(callerOf('call 999'), async () => 'ran')).rejects.toMatchObject(CANCELLED);
  });
});
