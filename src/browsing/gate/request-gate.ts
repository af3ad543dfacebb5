import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';

/** `null`: let it pass. Otherwise why not, in our own words. */
export type Decide = (url: string) => Promise<string | null>;

/** A request that was not let through. */
export type Refused = { url: string; reason: string; frameId: string; resourceType: string };

/**
 * Puts one gate before everything the browser asks the network for: navigations, every hop of a redirect, frames,
 * sub-resources, workers, prefetches – in all its tabs, since it stands on the browser itself and not on a page. It
 * fails closed: what is not decided stays paused, and what cannot be decided is refused.
 *
 * @param refused is told of every refusal
 */
export async function guardRequests(
  browser: CdpSession,
  decide: Decide,
  refused: (request: Refused) => void,
): Promise<void> {
  browser.on('Fetch.requestPaused', (event) => {
    passRequest(browser, event, decide, refused).catch(ignoreGone);
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
}

type Paused = Protocol.Fetch.RequestPausedEvent;

async function passRequest(
  browser: CdpSession,
  { requestId, request, frameId, resourceType }: Paused,
  decide: Decide,
  refused: (request: Refused) => void,
): Promise<void> {
  const reason = isInner(request.url) ? null : await decideOrRefuse(request.url, decide);
  if (reason === null) {
    await browser.send('Fetch.continueRequest', { requestId });
    return;
  }
  refused({ url: request.url, reason, frameId, resourceType });
  await browser.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
}

async function decideOrRefuse(url: string, decide: Decide): Promise<string | null> {
  try {
    return await decide(url);
  } catch {
    return 'it could not be checked';
  }
}

/** What never leaves the browser. */
function isInner(url: string): boolean {
  return /^(?:data|blob|about):/i.test(url);
}

/** A page that closed, or cancelled the request, has nothing left to pass. */
function ignoreGone(error: unknown): void {
  if (error instanceof CdpError || error instanceof BrowserGone) return;
  throw error;
}
