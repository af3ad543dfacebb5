import { SECOND_MS } from '#core/limits.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { DocumentGuards } from './document-guards.ts';
import type { RequestGate } from '#browsing/gate/request-gate.ts';

/** Time for a blocked pop-up with its own gate to send its first request. */
const POPUP_ASKS_MS = 2 * SECOND_MS;

export const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Removes features whose traffic the gate cannot see, and pauses the targets that the page opens. */
export function guardTarget(session: CdpSession, gate: RequestGate, guards: DocumentGuards): Promise<unknown>[] {
  return [session.send('Target.setAutoAttach', AUTO_ATTACH), session.send('Page.enable'), guards.add(session, gate)];
}

/** Prepares a target before it runs: Chromium takes commands in order. */
export function prepareTarget(session: CdpSession, gate: RequestGate, guards: DocumentGuards): Promise<unknown>[] {
  return [
    ...guardTarget(session, gate, guards),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    session.send('Network.enable', { maxPostDataSize: 0 }),
    session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
    session.send('Network.setBypassServiceWorker', { bypass: true }),
    session.send('Runtime.enable'),
    session.send('Inspector.enable'),
  ];
}

export async function firstRequest(session: CdpSession): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = session.on('Fetch.requestPaused', () => resolve());
  const timer = setTimeout(resolve, POPUP_ASKS_MS);
  await promise;
  clearTimeout(timer);
  stop();
}
