import type { CdpSession } from '#browsing/cdp/connection.ts';
import { ignoreTargetGone, CdpError } from '#browsing/cdp/connection.ts';
import { documentGuardScript } from '#browsing/gate/request-gate.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';
import type { PageRules } from '#browsing/rules/page-rules.ts';
import { SECOND_MS } from '#core/limits.ts';
import * as pageScripts from '#generated/page-scripts.js';

const FORBID_SHARED_WORKERS_SCRIPT = `(${pageScripts.forbidSharedWorkers})();`;

/** Installs guard scripts that run before the scripts of each document. They contain the site rules for WebSockets. */
export class DocumentGuards {
  readonly #driver: { readonly isDriving: boolean };
  readonly #rules: Pick<PageRules, 'socketHosts'> | undefined;
  readonly #added = new Map<
    CdpSession,
    { source: string; identifier: Promise<string | null>; isOn: RequestGate['isOn'] }
  >();
  /** True if sockets cannot be refused temporarily. Pages under an `ask` rule then cannot open any. */
  #cannotHold = false;
  readonly sockets = new WebSocketHold(() => {
    this.#cannotHold = true;
    void this.renew();
  });

  constructor(driver: { readonly isDriving: boolean }, rules?: Pick<PageRules, 'socketHosts'>) {
    this.#driver = driver;
    this.#rules = rules;
  }

  #source(isOn: RequestGate['isOn']): string {
    const sockets = this.#driver.isDriving ? null : (this.#rules?.socketHosts(this.#cannotHold) ?? null);
    return documentGuardScript(sockets) + (isOn === 'targets' ? FORBID_SHARED_WORKERS_SCRIPT : '');
  }

  add(session: CdpSession, { isOn }: Pick<RequestGate, 'isOn'>): Promise<unknown> {
    const source = this.#source(isOn);
    const sent = session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true });
    const identifier = sent.then(
      (answer) => answer.identifier,
      () => null,
    );
    this.#added.set(session, { source, identifier, isOn });
    return sent;
  }

  /**
   * Replaces the scripts for future documents. New scripts also run in the open documents. They are added before old
   * ones are removed, so that no document is without a guard.
   */
  async renew(): Promise<void> {
    if (this.#driver.isDriving) this.sockets.freeAll();
    await Promise.all(
      [...this.#added].map(async ([session, old]) => {
        const source = this.#source(old.isOn);
        if (source === old.source) return;
        await this.add(session, old).catch(ignoreTargetGone);
        const identifier = await old.identifier;
        if (identifier === null) return;
        await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(ignoreTargetGone);
      }),
    );
  }

  forget(session: CdpSession): void {
    this.#added.delete(session);
    this.sockets.forget(session);
  }
}

/** Time to wait for the first request of a blocked pop-up that has its own request gate. */
const POPUP_ASKS_MS = 2 * SECOND_MS;

export const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Installs the guards of a target and pauses each new target that the page opens. */
export function guardTarget(session: CdpSession, gate: RequestGate, guards: DocumentGuards): Promise<unknown>[] {
  return [session.send('Target.setAutoAttach', AUTO_ATTACH), session.send('Page.enable'), guards.add(session, gate)];
}

/** Prepares a target of a tab before it runs, because Chromium executes commands in order. */
export function prepareTarget(
  session: CdpSession,
  gate: RequestGate,
  guards: DocumentGuards,
  ...[tab, opener]: [tab: SocketTab, opener?: SocketTab]
): Promise<unknown>[] {
  return [
    ...guardTarget(session, gate, guards),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    session.send('Network.enable', { maxPostDataSize: 0 }),
    ...guards.sockets.prepare(session, tab, opener),
    session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
    session.send('Network.setBypassServiceWorker', { bypass: true }),
    session.send('Runtime.enable'),
    session.send('Inspector.enable'),
  ];
}

export async function waitForFirstRequest(session: CdpSession): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = session.on('Fetch.requestPaused', () => resolve());
  const timer = setTimeout(resolve, POPUP_ASKS_MS);
  await promise;
  clearTimeout(timer);
  stop();
}

const UNLIMITED = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Blocks the network for WebSockets only. The network service applies this, so scripts cannot bypass it. */
const STOPPED = {
  offline: true,
  matchedNetworkConditions: ['ws://*:*/*', 'wss://*:*/*'].map((urlPattern) => ({ urlPattern, ...UNLIMITED })),
};
const FREE = { offline: false, matchedNetworkConditions: [] };

/** The parts of a tab that the hold needs. Its frames may have sessions of their own. */
type SocketTab = {
  readonly session: CdpSession;
  frames: () => readonly { readonly session: CdpSession }[];
};

/**
 * Refuses new WebSockets of some tabs for a while, target by target. A target with an open socket is not blocked,
 * because the messages of that socket would also be blocked, and with them the whole application.
 */
export class WebSocketHold {
  /** The held tabs, and the time in ms left for each. */
  readonly #held = new Map<SocketTab, () => number>();
  readonly #stopped = new Set<CdpSession>();
  readonly #open = new Map<CdpSession, Set<string>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isUnsupported = false;
  readonly #onUnsupported: () => void;

  /** @param onUnsupported called once if the browser does not know the command (Chromium before version 142) */
  constructor(onUnsupported: () => void) {
    this.#onUnsupported = onUnsupported;
  }

  /**
   * Commands for a target that does not run yet.
   * @param tab the tab of the target
   * @param opener the tab that opened it. A window that a held tab opens is held, too
   */
  prepare(session: CdpSession, tab: SocketTab, opener?: SocketTab): Promise<unknown>[] {
    const open = new Set<string>();
    this.#open.set(session, open);
    session.on('Network.webSocketCreated', ({ requestId }) => open.add(requestId));
    session.on('Network.webSocketClosed', ({ requestId }) => open.delete(requestId));
    // Chromium does not report that the sockets of a document end with it.
    session.on('Runtime.executionContextsCleared', () => open.clear());
    const msLeft = opener === undefined ? undefined : this.#held.get(opener);
    if (msLeft !== undefined) this.#held.set(tab, msLeft);
    return this.#held.has(tab) ? [this.#stop(session)] : [];
  }

  forget(session: CdpSession): void {
    this.#open.delete(session);
    this.#stopped.delete(session);
  }

  isStopped(session: CdpSession): boolean {
    return this.#stopped.has(session);
  }

  /**
   * Refuses the sockets that these tabs open from now on. Not awaited, because Chromium takes commands in order.
   * @param msLeft time left for a tab. The hold ends when it is 0 for all tabs, because tabs can tell each other
   */
  stop<Held extends SocketTab>(tabs: Iterable<Held>, msLeft: (tab: Held) => number): void {
    if (this.#isUnsupported) return;
    for (const tab of tabs) {
      this.#held.set(tab, () => msLeft(tab));
      for (const session of sessionsOf(tab)) {
        if (!this.#stopped.has(session) && (this.#open.get(session)?.size ?? 0) === 0) void this.#stop(session);
      }
    }
    if (this.#timer === null && this.#held.size > 0) this.#freeLater();
  }

  /** Ends the hold of one tab: for an approved act, and for a page that a call opens by its URL or in the history. */
  free(tab: SocketTab): void {
    this.#held.delete(tab);
    this.#freeSessions([...sessionsOf(tab)].filter((session) => this.#stopped.has(session)));
    this.#stopTimer();
    if (this.#held.size > 0) this.#freeLater();
  }

  /** Ends the hold of all tabs: when its time is over, and for a person. */
  freeAll(): void {
    this.#stopTimer();
    this.#held.clear();
    this.#freeSessions([...this.#stopped]);
  }

  #freeSessions(sessions: readonly CdpSession[]): void {
    for (const session of sessions) {
      this.#stopped.delete(session);
      session.send('Network.emulateNetworkConditionsByRule', FREE).catch(ignoreTargetGone);
    }
  }

  #freeLater(): void {
    const ms = Math.max(0, ...[...this.#held.values()].map((msLeft) => msLeft()));
    if (ms === 0) this.freeAll();
    else this.#timer = setTimeout(() => this.#freeLater(), ms);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
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
    this.#stopTimer();
    this.#held.clear();
    this.#stopped.clear();
    this.#onUnsupported();
  }
}

function sessionsOf(tab: SocketTab): ReadonlySet<CdpSession> {
  return new Set([tab.session, ...tab.frames().map(({ session }) => session)]);
}
