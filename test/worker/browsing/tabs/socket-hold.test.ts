import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CdpConnection } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { WebSocketHold } from '#browsing/tabs/document-guards.ts';

/** A browser that notes which targets have no sockets. `refuses`: it does not know the command. */
function browser(refuses = false) {
  const [ours, theirs] = Object.values(new WebSocketPair());
  if (ours === undefined || theirs === undefined) throw new Error('no sockets');
  theirs.accept();
  ours.accept();
  const stopped = new Set<string>();
  const received: string[] = [];
  theirs.addEventListener('message', ({ data }) => {
    const { id, sessionId, params } = JSON.parse(String(data));
    received.push(sessionId);
    if (params.offline === true) stopped.add(sessionId);
    else stopped.delete(sessionId);
    theirs.send(
      JSON.stringify(
        refuses ? { id, sessionId, error: { code: -32601, message: 'unknown' } } : { id, sessionId, result: {} },
      ),
    );
  });
  const connection = new CdpConnection(ours);
  const emit = (sessionId: string, method: string, params: object) =>
    theirs.send(JSON.stringify({ sessionId, method, params }));
  let reports = 0;
  const hold = new WebSocketHold(() => (reports += 1));
  /** A target of a tab, by default of a new one. @param opener the tab that opens this one */
  const target = (id: string, tab = tabOf(connection.session(id)), opener?: TestTab) => {
    const session = connection.session(id);
    if (session !== tab.session) tab.inner.push({ session });
    void Promise.all(hold.prepare(session, tab, opener));
    return tab;
  };
  return { hold, target, emit, stopped: () => [...stopped], received, reports: () => reports };
}

type TestTab = ReturnType<typeof tabOf>;

function tabOf(session: CdpSession) {
  const inner: { session: CdpSession }[] = [];
  return { session, inner, frames: () => inner };
}

/** Messages of a pair of sockets take a few turns of the event loop. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};
const opened = { requestId: 'r1', url: 'wss://site.example/' };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('new sockets', () => {
  it('are refused until the time is over, also in targets that come meanwhile', async () => {
    const { hold, target, stopped } = browser();
    const main = target('main');
    let left = 5_000;
    hold.stop([main], () => left);
    target('frame', main);
    target('window', undefined, main);
    target('other');
    await settled();
    expect(stopped()).toEqual(['main', 'frame', 'window']);
    expect(hold.isStopped(main.session)).toBe(true);
    left = 1_000;
    vi.advanceTimersByTime(5_000);
    await settled();
    expect(stopped()).toEqual(['main', 'frame', 'window']);
    left = 0;
    vi.advanceTimersByTime(1_000);
    await settled();
    expect(stopped()).toEqual([]);
    expect(hold.isStopped(main.session)).toBe(false);
  });

  it('are free again at once if the hold ends', async () => {
    const { hold, target, stopped } = browser();
    const main = target('main');
    hold.stop([main], () => 5_000);
    hold.freeAll();
    target('frame', main);
    await settled();
    expect(stopped()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of one tab are free, and those of other tabs stay refused until their time is over', async () => {
    const { hold, target, stopped } = browser();
    const [shown, other] = [target('shown'), target('other')];
    target('frame', shown);
    hold.stop([shown, other], (tab) => (tab === other ? 5_000 : 9_000));
    hold.free(shown);
    target('frame 2', shown);
    target('window', undefined, shown);
    target('frame 3', other);
    await settled();
    expect(stopped()).toEqual(['other', 'frame 3']);
    hold.stop([other], () => 0);
    vi.advanceTimersByTime(5_000);
    await settled();
    expect(stopped()).toEqual([]);
    hold.stop([other], () => 5_000);
    hold.free(other);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are not refused in a target with an open one, whose messages would wait', async () => {
    const { hold, target, emit, stopped } = browser();
    const main = target('main');
    emit('main', 'Network.webSocketCreated', opened);
    await settled();
    hold.stop([main], () => 5_000);
    await settled();
    expect(stopped()).toEqual([]);
    for (const [method, params] of [
      ['Network.webSocketClosed', { requestId: 'r1' }],
      ['Runtime.executionContextsCleared', {}],
    ] as const) {
      emit('main', 'Network.webSocketCreated', opened);
      emit('main', method, params);
      await settled();
      hold.stop([main], () => 5_000);
      await settled();
      expect(stopped()).toEqual(['main']);
      hold.freeAll();
    }
  });

  it('of a browser that cannot refuse them are reported once, and not said to be refused', async () => {
    const { hold, target, received, reports } = browser(true);
    const [main, frame] = [target('main'), target('frame')];
    hold.stop([main, frame], () => 5_000);
    await settled();
    expect(reports()).toBe(1);
    expect([main, frame].map(({ session }) => hold.isStopped(session))).toEqual([false, false]);
    expect(vi.getTimerCount()).toBe(0);
    const before = received.length;
    hold.stop([main, frame], () => 5_000);
    target('later');
    await settled();
    expect(received.length).toBe(before);
    expect(hold.isStopped(main.session)).toBe(false);
  });
});
