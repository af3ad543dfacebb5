import type { CdpSession } from '#browsing/cdp/connection.ts';

/** Open connections of a page through which data arrives without a request: WebSockets, event streams and workers. */
export class LiveChannels {
  readonly #open = new Map<string | null, Set<string>>();

  get areOpen(): boolean {
    return [...this.#open.values()].some(({ size }) => size > 0);
  }

  follow(session: CdpSession): void {
    const open = new Set<string>();
    this.#open.set(session.id, open);
    session.on('Network.webSocketCreated', ({ requestId }) => open.add(requestId));
    session.on('Network.webSocketClosed', ({ requestId }) => open.delete(requestId));
    session.on('Network.webTransportCreated', ({ transportId }) => open.add(transportId));
    session.on('Network.webTransportClosed', ({ transportId }) => open.delete(transportId));
    session.on('Network.requestWillBeSent', ({ requestId, type }) => type === 'EventSource' && open.add(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => open.delete(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type } }) => {
      if (type !== 'page' && type !== 'iframe') open.add(sessionId);
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      open.delete(sessionId);
      this.#open.delete(sessionId);
    });
    // Chromium does not report that the channels of a document end with it.
    session.on('Runtime.executionContextsCleared', () => open.clear());
  }
}
