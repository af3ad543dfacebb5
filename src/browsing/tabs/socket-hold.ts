import { CdpError, ignoreGone } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';

const UNLIMITED = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Blocks the network for WebSockets only. The network service applies this, so scripts cannot bypass it. */
const STOPPED = {
  offline: true,
  matchedNetworkConditions: ['ws://*:*/*', 'wss://*:*/*'].map((urlPattern) => ({ urlPattern, ...UNLIMITED })),
};
const FREE = { offline: false, matchedNetworkConditions: [] };

/**
 * Refuses new WebSockets for a while, target by target. A target with an open socket is not blocked, because the
 * messages of that socket would also be blocked, and with them the whole application.
 */
export class SocketHold {
  readonly #stopped = new Set<CdpSession>();
  readonly #open = new Map<CdpSession, Set<string>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isUnsupported = false;
  readonly #onUnsupported: () => void;

  /** @param onUnsupported called once if the browser does not know the command (Chromium before version 142) */
  constructor(onUnsupported: () => void) {
    this.#onUnsupported = onUnsupported;
  }

  /** Returns the commands for a target that does not run yet. */
  prepare(session: CdpSession): Promise<unknown>[] {
    const open = new Set<string>();
    this.#open.set(session, open);
    session.on('Network.webSocketCreated', ({ requestId }) => open.add(requestId));
    session.on('Network.webSocketClosed', ({ requestId }) => open.delete(requestId));
    // Chromium does not report that the sockets of a document end with it.
    session.on('Runtime.executionContextsCleared', () => open.clear());
    return this.#stopped.size === 0 ? [] : [this.#stop(session)];
  }

  forget(session: CdpSession): void {
    this.#open.delete(session);
    this.#stopped.delete(session);
  }

  isStopped(session: CdpSession): boolean {
    return this.#stopped.has(session);
  }

  /**
   * Refuses the sockets that these targets open from now on. Not awaited, because Chromium takes commands in order.
   * @param msLeft returns the remaining time; 0 ends the refusal
   */
  stop(sessions: Iterable<CdpSession>, msLeft: () => number): void {
    if (this.#isUnsupported) return;
    for (const session of sessions) {
      if (!this.#stopped.has(session) && (this.#open.get(session)?.size ?? 0) === 0) void this.#stop(session);
    }
    if (this.#timer === null && this.#stopped.size > 0) this.#freeAfter(msLeft);
  }

  /** Ends the refusal: for an approved act, for a person, and for a page that a call opens by its URL. */
  free(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const session of this.#stopped) session.send('Network.emulateNetworkConditionsByRule', FREE).catch(ignoreGone);
    this.#stopped.clear();
  }

  #freeAfter(msLeft: () => number): void {
    const ms = msLeft();
    if (ms === 0) this.free();
    else this.#timer = setTimeout(() => this.#freeAfter(msLeft), ms);
  }

  async #stop(session: CdpSession): Promise<void> {
    this.#stopped.add(session);
    try {
      await session.send('Network.emulateNetworkConditionsByRule', STOPPED);
    } catch (error) {
      if (error instanceof CdpError && !error.isGone) this.#giveUp();
    }
  }

  /** After this call, no socket counts as refused, so that new sockets are reported as opened. */
  #giveUp(): void {
    if (this.#isUnsupported) return;
    this.#isUnsupported = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#stopped.clear();
    this.#onUnsupported();
  }
}
