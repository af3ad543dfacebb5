import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { Pace, turnOf } from '#browsing/cdp/pace.ts';
import { BROWSER_REQUEST_RATE } from '#core/limits.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';

/** `null`: let it pass. Otherwise why not, in our own words. */
export type Decide = (url: string) => Promise<string | null>;

/** What the gate is asked about. */
export type Asked = { url: string; method: string; frameId: string; resourceType: string };

/** An answer of our own, in place of the network's. */
export type OwnAnswer = { status: number; headers: Readonly<Record<string, string>>; base64: string };

/** A last look at what the gate lets pass: `null` lets it go, an answer is given in its place, a reason refuses it. */
export type LastLook = (request: Asked) => Promise<{ answer: OwnAnswer } | { reason: string } | null>;

/** A request that was not let through. */
export type Refused = Asked & { reason: string };

/**
 * Puts one gate before everything the browser asks the network for: navigations, every hop of a redirect, frames,
 * sub-resources, workers, prefetches – in all its tabs, since it stands on the browser itself and not on a page. It
 * fails closed: what is not decided stays paused, and what cannot be decided is refused.
 *
 * @param refused is told of every refusal
 * @param lastLook at what passes
 */
export async function guardRequests(
  browser: CdpSession,
  decide: Decide,
  refused: (request: Refused) => void,
  lastLook: LastLook = async () => null,
): Promise<void> {
  const pace = new Pace(BROWSER_REQUEST_RATE);
  browser.on('Fetch.requestPaused', (event) => {
    const passed = turnOf(pace).then(() => passRequest(browser, event, { decide, refused, lastLook }));
    passed.catch(ignoreGone);
  });
  // Nobody is there to type a password into the browser's own dialog: the page says what it says without one.
  browser.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'CancelAuth' as const };
    browser.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignoreGone);
  });
  await browser.send('Fetch.enable', {
    patterns: [{ urlPattern: '*', requestStage: 'Request' }],
    handleAuthRequests: true,
  });
}

type Paused = Protocol.Fetch.RequestPausedEvent;

type Gate = { decide: Decide; refused: (request: Refused) => void; lastLook: LastLook };

async function passRequest(browser: CdpSession, paused: Paused, { decide, refused, lastLook }: Gate): Promise<void> {
  const { requestId, request, frameId, resourceType } = paused;
  const asked = { url: request.url, method: request.method, frameId, resourceType };
  const verdict = isInner(request.url) ? null : await judge(asked, decide, lastLook);
  if (verdict === null) {
    await browser.send('Fetch.continueRequest', { requestId });
    return;
  }
  if ('answer' in verdict) {
    const { status, headers, base64 } = verdict.answer;
    const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
    await browser.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body: base64 });
    return;
  }
  refused({ ...asked, reason: verdict.reason });
  await browser.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
}

async function judge(asked: Asked, decide: Decide, lastLook: LastLook): ReturnType<LastLook> {
  try {
    const reason = await decide(asked.url);
    return reason === null ? await lastLook(asked) : { reason };
  } catch {
    return { reason: 'it could not be checked' };
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
