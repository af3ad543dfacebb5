import { describe, expect, it } from 'vitest';
import type { SessionCallId } from '#browsing/port.ts';
import { abortable } from '#core/flow/abort.ts';
import { cancelledRequestIds, requestKey, RunningCalls } from '#mcp/cancellation.ts';

const REQUEST = '["client","session",1]';
const NEVER = new AbortController().signal;

/** Sessions with calls of theirs. `looks`: how often they were asked so far. */
function sessionsWith(found: (looks: number) => SessionCallId[]) {
  const cancelled: SessionCallId[] = [];
  let looks = 0;
  return {
    cancelled,
    callsOf: async (request: string) => (request === REQUEST ? found(++looks) : []),
    cancelCall: async (call: SessionCallId) => void cancelled.push(call),
  };
}

const NO_SESSIONS = sessionsWith(() => []);

/** A call that ends when it is cancelled. */
function endless(calls: RunningCalls, subject: string, request: string | null, signal = NEVER) {
  return calls.run({ subject, request, signal }, (call) => abortable(new Promise<never>(() => undefined), call.signal));
}

/** Calls left at the end of a test. */
async function ended(call: Promise<unknown>, stop: AbortController): Promise<unknown> {
  stop.abort('ended by the test');
  return call.catch((error: unknown) => error);
}

describe('a cancellation request', () => {
  it('ends the one matching call of its user', async () => {
    const calls = new RunningCalls();
    const others = new AbortController();
    const other = endless(calls, 'ada', '["client","session",2]', others.signal);
    const ofBob = endless(calls, 'bob', REQUEST, others.signal);
    const call = endless(calls, 'ada', REQUEST);
    await calls.cancel(REQUEST, false, 'ada', NO_SESSIONS);
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(await ended(other, others)).toBe('ended by the test');
    expect(await ended(ofBob, others)).toBe('ended by the test');
  });

  it('ends none when two calls match', async () => {
    const calls = new RunningCalls();
    const stop = new AbortController();
    const both = [endless(calls, 'ada', REQUEST, stop.signal), endless(calls, 'ada', REQUEST, stop.signal)];
    await calls.cancel(REQUEST, false, 'ada', NO_SESSIONS);
    for (const call of both) expect(await ended(call, stop)).toBe('ended by the test');
  });

  it('ends none when one matching call runs here and another in a session', async () => {
    const calls = new RunningCalls();
    const stop = new AbortController();
    const here = endless(calls, 'ada', REQUEST, stop.signal);
    const there = sessionsWith(() => [{ session: 'work', id: 'call' }]);
    await calls.cancel(REQUEST, false, 'ada', there);
    expect(await ended(here, stop)).toBe('ended by the test');
    expect(there.cancelled).toEqual([]);
  });

  it('ends the call that runs here without asking the sessions, when its session id identifies the client', async () => {
    const calls = new RunningCalls();
    const call = endless(calls, 'ada', REQUEST);
    const there = sessionsWith(() => {
      throw new Error('asked');
    });
    await calls.cancel(REQUEST, true, 'ada', there);
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('ends a call of another isolate through its session', async () => {
    const there = sessionsWith(() => [{ session: 'work', id: 'call' }]);
    await new RunningCalls().cancel(REQUEST, false, 'ada', there);
    expect(there.cancelled).toEqual([{ session: 'work', id: 'call' }]);
  });

  it('ends a call that arrives after it', async () => {
    const there = sessionsWith((looks) => (looks === 1 ? [] : [{ session: 'work', id: 'call' }]));
    await new RunningCalls().cancel(REQUEST, false, 'ada', there);
    expect(there.cancelled).toEqual([{ session: 'work', id: 'call' }]);
  });

  it('is complete when its call has already ended', async () => {
    const calls = new RunningCalls();
    await calls.run({ subject: 'ada', request: REQUEST, signal: NEVER }, async () => 'done');
    const there = sessionsWith(() => []);
    await calls.cancel(REQUEST, false, 'ada', there);
    expect(there.cancelled).toEqual([]);
  });
});

describe('a tool call', () => {
  it('also ends when its connection ends', async () => {
    const connection = new AbortController();
    const call = endless(new RunningCalls(), 'ada', REQUEST, connection.signal);
    const unnamed = endless(new RunningCalls(), 'ada', null, connection.signal);
    connection.abort(new Error('closed'));
    await expect(call).rejects.toThrow('closed');
    await expect(unnamed).rejects.toThrow('closed');
  });
});

describe('the key of a request id', () => {
  const key = (id: string | number, session?: string, client = 'client') =>
    requestKey(
      { subject: 'ada', scopes: [], client },
      new Headers(session === undefined ? {} : { 'mcp-session-id': session }),
      id,
    );

  it('differs by id, type of id, session and client', () => {
    const keys = [key(1), key(2), key('1'), key(1, 'one'), key(1, 'two'), key(1, undefined, 'other')];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key(1, 'one')).toBe(key(1, 'one'));
  });

  it('is missing for an excessively long id', () => {
    expect(key('x'.repeat(10_000))).toBeNull();
  });
});

describe('the requests cancelled by a message', () => {
  const cancels = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });

  it('are those that it names, also in a batch', () => {
    expect(cancelledRequestIds(cancels(3))).toEqual([3]);
    expect(cancelledRequestIds([cancels('a'), { method: 'notifications/initialized' }, cancels(4)])).toEqual(['a', 4]);
  });

  it.each([undefined, null, 'text', {}, { method: 'notifications/cancelled' }, cancels(undefined), cancels({ id: 1 })])(
    'are missing in %j',
    (message) => {
      expect(cancelledRequestIds(message)).toEqual([]);
    },
  );
});
