import { describe, expect, it } from 'vitest';
import type { CallFact } from '#core/activity.ts';
import { fail } from '#core/failures/failure.ts';
import { runCall } from '#mcp/run/run-call.ts';

async function factOf(work: (signal: AbortSignal, hangUp: () => void) => Promise<unknown>): Promise<CallFact> {
  const caller = new AbortController();
  const facts: CallFact[] = [];
  const env = {
    requestId: 'request',
    now: () => 0,
    begin: () => () => undefined,
    record: (fact: CallFact) => void facts.push(fact),
    reportUnexpected: (_: string, error: unknown) => {
      throw error;
    },
  };
  await runCall('browser_click', caller.signal, env, async (signal) => {
    await work(signal, () => caller.abort());
    return {};
  });
  const [fact] = facts;
  if (fact === undefined) throw new Error('no fact');
  return fact;
}

describe('the outcome of a call', () => {
  it('is an answer or a failure of this server', async () => {
    expect(await factOf(async () => undefined)).toMatchObject({ status: 'ok', errorCode: null });
    const refused = async () => fail({ code: 'unknown_session', session: 'work' });
    expect(await factOf(refused)).toMatchObject({ status: 'error', errorCode: 'unknown_session' });
  });

  it.each([
    ['the work ends for that', async (signal: AbortSignal, hangUp: () => void) => (hangUp(), signal.throwIfAborted())],
    ['a session says so', async () => fail({ code: 'cancelled' })],
    [
      'another failure comes of it',
      async (_: AbortSignal, hangUp: () => void) => (hangUp(), fail({ code: 'unknown_snapshot' })),
    ],
    ['its answer is too late', async (_: AbortSignal, hangUp: () => void) => hangUp()],
  ])('is a cancellation when its caller has disconnected and %s', async (_, work) => {
    expect(await factOf(work)).toMatchObject({ status: 'error', errorCode: 'cancelled' });
  });
});
