import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CdpConnection } from '#browsing/cdp/connection.ts';
import { watchDocumentArrival } from '#browsing/session/operations/document-arrival.ts';
import { PageActivity } from '#browsing/settle/page-activity.ts';

function connect() {
  const [ours, theirs] = Object.values(new WebSocketPair());
  if (ours === undefined || theirs === undefined) throw new Error('no sockets');
  ours.accept();
  theirs.accept();
  const connection = new CdpConnection(ours);
  const session = connection.session('s');
  const emit = (method: string, params: object) => theirs.send(JSON.stringify({ method, params, sessionId: 's' }));
  /** Resolves once every event sent so far has been handled. */
  const handled = async (): Promise<'handled'> => {
    const { promise, resolve } = Promise.withResolvers<'handled'>();
    const stop = session.on('Page.screencastVisibilityChanged', () => resolve('handled'));
    emit('Page.screencastVisibilityChanged', { visible: true });
    await promise;
    stop();
    return promise;
  };
  const failed = (canceled: boolean) => ({ requestId: 'a', timestamp: 1, type: 'Document', errorText: '', canceled });
  return { session, emit, handled, failed };
}

const lifecycle = (loaderId: string, name: string) => ({ frameId: 'main', loaderId, name, timestamp: 1 });

describe('a document that the browser cancels, because another one replaces it', () => {
  it('has not arrived: the next document is awaited', async () => {
    const { session, emit, handled, failed } = connect();
    const arrival = watchDocumentArrival({ session, targetId: 'main', isOpen: true }, 'DOMContentLoaded').of('a');
    emit('Page.lifecycleEvent', lifecycle('a', 'init'));
    emit('Network.loadingFailed', failed(true));
    expect(await Promise.race([arrival, handled()])).toBe('handled');
    emit('Page.lifecycleEvent', lifecycle('b', 'DOMContentLoaded'));
    expect(await arrival).toBe(true);
  });

  it.each([
    [true, false],
    [false, true],
  ])('is not broken, as a document is whose connection breaks: cancelled %s, broken %s', async (canceled, isBroken) => {
    const { session, emit, handled, failed } = connect();
    const main = { id: 'main', parentId: null, loaderId: 'a', url: 'http://site.example/', session };
    const activity = new PageActivity({ session, main: () => main, frames: () => [main] });
    emit('Network.loadingFailed', failed(canceled));
    await handled();
    expect(activity.isBroken).toBe(isBroken);
  });
});

describe('a document that stops its own loading', () => {
  const stopped = { frameId: 'main' };
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
  );
  afterEach(() => void vi.useRealTimers());

  it('has not arrived if it then goes to another page', async () => {
    const { session, emit, handled } = connect();
    const watch = watchDocumentArrival({ session, targetId: 'main', isOpen: true }, 'DOMContentLoaded');
    let hasArrived = false;
    const arrival = watch.of('a').then(() => (hasArrived = true));
    emit('Page.lifecycleEvent', lifecycle('a', 'init'));
    emit('Page.frameStoppedLoading', stopped);
    emit('Page.frameStartedNavigating', {
      frameId: 'main',
      url: '/b',
      loaderId: 'b',
      navigationType: 'differentDocument',
    });
    await handled();
    await vi.advanceTimersByTimeAsync(600);
    expect(hasArrived).toBe(false);
    emit('Page.lifecycleEvent', lifecycle('b', 'DOMContentLoaded'));
    await arrival;
    watch.stop();
  });

  it('is idle once it has made no request for a while', async () => {
    const { session, emit, handled } = connect();
    const watch = watchDocumentArrival({ session, targetId: 'main', isOpen: true }, 'networkIdle');
    let hasArrived = false;
    const arrival = watch.of('a').then(() => (hasArrived = true));
    emit('Page.lifecycleEvent', lifecycle('a', 'init'));
    for (const requestId of ['a', 'r']) emit('Network.requestWillBeSent', { requestId, type: 'Fetch' });
    emit('Page.frameStoppedLoading', stopped);
    await handled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(hasArrived).toBe(false);
    emit('Network.loadingFinished', { requestId: 'r' });
    await handled();
    await vi.advanceTimersByTimeAsync(1_000);
    await arrival;
    watch.stop();
  });
});
