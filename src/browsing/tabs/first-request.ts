import type { CdpSession } from '#browsing/cdp/connection.ts';
import { POPUP_ASKS_MS } from './limits.ts';

/** When a target has asked for something, or has had its time for it. */
export async function firstRequest(session: CdpSession): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = session.on('Fetch.requestPaused', () => resolve());
  const timer = setTimeout(resolve, POPUP_ASKS_MS);
  await promise;
  clearTimeout(timer);
  stop();
}
