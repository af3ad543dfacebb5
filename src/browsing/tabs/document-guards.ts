import type { CdpSession } from '#browsing/cdp/connection.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import { documentGuardScript, FORBID_SHARED_WORKERS_SCRIPT } from '#browsing/gate/request-gate.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';
import type { PageRules } from '#browsing/rules/page-rules.ts';
import { SECOND_MS } from '#core/limits.ts';
import { WebSocketHold } from './socket-hold.ts';
import type { SocketTab } from './socket-hold.ts';

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
