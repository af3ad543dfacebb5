import { describe, expect, it } from 'vitest';
import { createBrowserPort } from '#browsing/port.ts';
import type { BrowserPortDeps } from '#browsing/port.ts';
import type { Caller, Reply } from '#browsing/session/replies.ts';
import { createClosedSessionState } from '#browsing/session/replies.ts';

type Session = ReturnType<BrowserPortDeps['object']>;

/** A session that notes what reaches it. */
function sessionWith(methods: Partial<Session>): Session {
  return new Proxy({} as Session, {
    get: (_, name) => {
      const method: unknown = Reflect.get(methods, name);
      if (method === undefined) throw new Error(`nothing asks for ${String(name)}`);
      return method;
    },
  });
}

function portTo(sessions: Record<string, Session>) {
  const behind: Promise<unknown>[] = [];
  const port = createBrowserPort({
    disabled: null,
    origin: 'https://periscope.example',
    subject: 'ada',
    ownHosts: [],
    sharing: true,
    object: (key) => sessions[key] ?? sessionWith({}),
    openSessions: async () => [],
    listedSessions: async () => Object.keys(sessions).map((key) => key.replace('private/ada/', '')),
    behind: (work) => void behind.push(work),
    onAsked: () => undefined,
  });
  return { port, behind };
}

const done: Reply<string> = { done: { state: createClosedSessionState('work'), result: 'done' } };

describe('a call in a session', () => {
  it('has its id and its request, by which it can be cancelled', async () => {
    const { port } = portTo({});
    const callers: Caller[] = [];
    const call = { id: 'call', request: 'request', signal: new AbortController().signal };
    await port.forCall(call).ask('work', async (_, caller) => {
      callers.push(caller);
      return done;
    });
    await port.ask('work', async (_, caller) => {
      callers.push(caller);
      return done;
    });
    const caller = { subject: 'ada', ownHosts: [], session: 'work' };
    expect(callers).toEqual([{ ...caller, call: { id: 'call', request: 'request' } }, caller]);
  });

  it('is cancelled in the session when its signal fires, also for a caller that has gone', async () => {
    const cancelled: string[] = [];
    const work = sessionWith({ cancelCall: async (id) => void cancelled.push(id) });
    const { port, behind } = portTo({ 'private/ada/work': work });
    const caller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Reply<string>>();
    const call = { id: 'call', request: null, signal: caller.signal };
    const answer = port.forCall(call).ask('work', () => promise);
    caller.abort();
    await Promise.all(behind);
    expect([behind.length, cancelled]).toEqual([1, ['call']]);
    resolve({ failure: { code: 'cancelled' } });
    await expect(answer).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  });

  it('is not cancelled once it has been answered', async () => {
    const caller = new AbortController();
    const { port, behind } = portTo({});
    await port.forCall({ id: 'call', request: null, signal: caller.signal }).ask('work', async () => done);
    caller.abort();
    expect(behind).toEqual([]);
  });

  it('is not made when its signal has fired before', async () => {
    const { port } = portTo({});
    let asked = 0;
    const call = { id: 'call', request: null, signal: AbortSignal.abort() };
    const answer = port.forCall(call).ask('work', async () => {
      asked += 1;
      return done;
    });
    await expect(answer).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(asked).toBe(0);
  });
});

describe('the calls of a request', () => {
  it('are looked for in every open session of the person, shared ones too', async () => {
    const running = (ids: string[]) =>
      sessionWith({ callsOf: async (subject, request) => (subject === 'ada' && request === 'request' ? ids : []) });
    const { port } = portTo({
      'private/ada/work': running(['one']),
      'private/ada/home': running([]),
      'shared/team': running(['two']),
    });
    expect(await port.callsOf('request')).toEqual([
      { session: 'work', id: 'one' },
      { session: 'shared/team', id: 'two' },
    ]);
    expect(await port.callsOf('other')).toEqual([]);
  });
});
