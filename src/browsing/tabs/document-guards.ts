import type { CdpSession } from '#browsing/cdp/connection.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import { documentGuard, NO_SHARED_WORKER } from '#browsing/gate/request-gate.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';
import type { PageRules } from '#browsing/rules/page-rules.ts';

/** Scripts that run before the scripts of each document. They contain the rules for its sockets. */
export class DocumentGuards {
  readonly #driver: { readonly isDriving: boolean };
  readonly #rules: Pick<PageRules, 'socketHosts'> | undefined;
  readonly #added = new Map<
    CdpSession,
    { source: string; identifier: Promise<string | null>; isOn: RequestGate['isOn'] }
  >();

  constructor(driver: { readonly isDriving: boolean }, rules?: Pick<PageRules, 'socketHosts'>) {
    this.#driver = driver;
    this.#rules = rules;
  }

  #source(isOn: RequestGate['isOn']): string {
    const sockets = this.#driver.isDriving ? null : (this.#rules?.socketHosts() ?? null);
    return documentGuard(sockets) + (isOn === 'targets' ? NO_SHARED_WORKER : '');
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

  /** Replaces the scripts for future documents. Adds the new one first, so that each document has one. */
  async renew(): Promise<void> {
    await Promise.all(
      [...this.#added].map(async ([session, old]) => {
        const source = this.#source(old.isOn);
        if (source === old.source) return;
        await this.add(session, old).catch(ignoreGone);
        const identifier = await old.identifier;
        if (identifier === null) return;
        await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(ignoreGone);
      }),
    );
  }

  forget(session: CdpSession): void {
    this.#added.delete(session);
  }
}
