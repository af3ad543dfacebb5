import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { TokenBucket } from '#core/flow/rate-limits.ts';
import { fail } from '#core/failures/failure.ts';
import type { RuleDecision } from '#core/site-rules.ts';
import { CdpError, ignoreTargetGone } from '#browsing/cdp/connection.ts';
import { toDownloadResponse, isPausedAtResponse } from './file-response.ts';
import type { DownloadResponse } from './file-response.ts';
import type { SocketHosts } from '#browsing/in-page/script-types.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { setBounded } from '#core/flow/remember.ts';

/** Rate of checked requests per browser. Heavy pages send a thousand within seconds. */
const BROWSER_REQUEST_RATE = { burst: 2_000, everyMs: 5 } as const;

/** Returns `null` to allow a request, or the reason for refusing it, as a trusted text. */
export type DecideUrl = (url: string) => Promise<string | null>;

/** `at`: Unix time in ms when the page sent the request. A redirect has the time of the first request of its chain. */
export type GatedRequest = { url: string; method: string; frameId: string; resourceType: string; at: number };

export type SyntheticResponse = { status: number; headers: Readonly<Record<string, string>>; base64: string };

/**
 * Second check, of requests that {@link DecideUrl} allows. `null` allows the request, an `answer` is served instead of
 * the network's response, and a `reason` refuses the request.
 * @param sent the complete request, as the page wrote it
 */
export type SecondRequestCheck = (
  request: GatedRequest,
  sent: Protocol.Network.Request,
) => Promise<{ answer: SyntheticResponse } | Refusal | null>;

/** `rule`: the site rule of a user or the operator that refuses the request. */
type Refusal = { reason: string; rule?: RuleDecision };

/** Stores a download. Must not throw. The page's request waits for it, unless `failNow` ends the request earlier. */
type SaveAnswer = (answer: DownloadResponse) => Promise<void>;

export type RefusedRequest = GatedRequest & Refusal;

/**
 * Checks all requests of one browser. `targets`: the gate is enabled on each target, because the service refused it for
 * the browser.
 */
export type RequestGate = {
  readonly isOn: 'browser' | 'targets';
  /**
   * @param kind `worker`: belongs to one page, whose session also reports its requests; `shared`: belongs to several
   * pages, so no page reports its requests
   * @throws {PeriscopeError} `render_failed` if the target's requests cannot be checked; the target must not run in
   * this case
   */
  guard: (session: CdpSession, kind: 'page' | 'worker' | 'shared') => Promise<void>;
  whenDecided: (session: CdpSession) => Promise<void>;
  fulfillAll: (session: CdpSession, answer: SyntheticResponse) => Promise<() => Promise<void>>;
};

/**
 * Checks every request of the browser before it is sent: navigations, every hop of a redirect, frames, sub-resources,
 * workers, prefetches. The gate is enabled on the browser itself, so it covers all tabs. If a browser service refuses
 * that, the gate is enabled on each target. The gate fails closed: a request stays paused until it is decided, and a
 * request that cannot be decided is refused.
 * @param save receives documents that the browser would download instead of showing
 */
export async function installRequestGate(
  browser: CdpSession,
  decide: DecideUrl,
  refused: (request: RefusedRequest) => void,
  secondCheck: SecondRequestCheck = async () => null,
  save: SaveAnswer | null = null,
): Promise<RequestGate> {
  const requests = new TokenBucket(BROWSER_REQUEST_RATE);
  const gate: Gate = { decide, refused, secondCheck, save, requests, sentAt: new SendTimes() };
  const stop = listen(browser, gate, { answer: () => null, waiting: new Set() });
  try {
    await browser.send('Fetch.enable', watched(gate));
    return browserLevelGate;
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    stop();
    return gateOnTargets(gate);
  }
}

const EVERY_REQUEST = { urlPattern: '*', requestStage: 'Request' } as const;
const EVERY_DOCUMENT = { urlPattern: '*', requestStage: 'Response', resourceType: 'Document' } as const;

function watched({ save }: Gate) {
  return { patterns: save === null ? [EVERY_REQUEST] : [EVERY_REQUEST, EVERY_DOCUMENT], handleAuthRequests: true };
}

export const browserLevelGate: RequestGate = {
  isOn: 'browser',
  guard: async () => undefined,
  whenDecided: async () => undefined,
  fulfillAll: async (session, answer) => {
    const off = session.on('Fetch.requestPaused', ({ requestId }) => {
      fulfil(session, requestId, answer).catch(ignoreTargetGone);
    });
    await session.send('Fetch.enable', { patterns: [EVERY_REQUEST] });
    return async () => {
      await session.send('Fetch.disable').catch(ignoreTargetGone);
      off();
    };
  },
};

function gateOnTargets(gate: Gate): RequestGate {
  const answers = new WeakMap<CdpSession, SyntheticResponse>();
  const waiting = new WeakMap<CdpSession, Set<Promise<unknown>>>();
  return {
    isOn: 'targets',
    guard: async (session, kind) => {
      // Chromium reports the requests of a page's worker in the session of that page.
      if (kind === 'worker') return;
      if (kind === 'shared')
        fail({ code: 'render_failed', reason: 'the requests of a shared worker cannot be checked' });
      const own = new Set<Promise<unknown>>();
      waiting.set(session, own);
      listen(session, gate, { answer: () => answers.get(session) ?? null, waiting: own });
      try {
        await session.send('Fetch.enable', watched(gate));
      } catch (error) {
        if (!(error instanceof CdpError) || error.isGone) throw error;
        fail(
          { code: 'render_failed', reason: 'the browser service does not let its requests be checked' },
          { cause: error },
        );
      }
    },
    whenDecided: async (session) => {
      const own = waiting.get(session);
      if (own !== undefined) await Promise.all(own);
    },
    fulfillAll: async (session, answer) => {
      answers.set(session, answer);
      return async () => void answers.delete(session);
    },
  };
}

type Watch = {
  answer: () => SyntheticResponse | null;
  waiting: Set<Promise<unknown>>;
};

function listen(session: CdpSession, gate: Gate, { answer, waiting }: Watch): () => void {
  const stopRequests = session.on('Fetch.requestPaused', (event) => {
    if (isPausedAtResponse(event)) {
      passAnswer(session, event, gate).catch(ignoreTargetGone);
      return;
    }
    const own = answer();
    const decided = own === null ? passInTurn(session, event, gate) : fulfil(session, event.requestId, own);
    const passed = decided.catch(ignoreTargetGone).finally(() => waiting.delete(passed));
    waiting.add(passed);
  });
  // Cancels the dialog of HTTP authentication, which no operation can answer. The page then shows the site's 401 page.
  const stopPasswords = session.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignoreTargetGone);
  });
  return () => {
    stopRequests();
    stopPasswords();
  };
}

type Paused = Protocol.Fetch.RequestPausedEvent;

type Gate = {
  decide: DecideUrl;
  refused: (request: RefusedRequest) => void;
  secondCheck: SecondRequestCheck;
  save: SaveAnswer | null;
  requests: TokenBucket;
  sentAt: SendTimes;
};

/** Passes a response to the browser. A download is stored here instead, and its request fails in the browser. */
async function passAnswer(session: CdpSession, paused: Paused, { save }: Gate): Promise<void> {
  const file = save === null ? null : toDownloadResponse(session, paused);
  if (save === null || file === null) {
    await session.send('Fetch.continueRequest', { requestId: paused.requestId });
    return;
  }
  await save(file);
  await file.failNow();
}

async function passInTurn(session: CdpSession, paused: Paused, gate: Gate): Promise<void> {
  const at = gate.sentAt.note(paused);
  await gate.requests.taken();
  await passRequest(session, paused, gate, at);
}

async function passRequest(
  session: CdpSession,
  paused: Paused,
  { decide, refused, secondCheck }: Gate,
  at: number,
): Promise<void> {
  const { requestId, request, frameId, resourceType } = paused;
  const gated = { url: request.url, method: request.method, frameId, resourceType, at };
  const verdict = needsNoRequest(request.url) ? null : await judge(gated, decide, () => secondCheck(gated, request));
  if (verdict === null) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  if ('answer' in verdict) return fulfil(session, requestId, verdict.answer);
  refused({ ...gated, ...verdict });
  await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
}

async function fulfil(
  session: CdpSession,
  requestId: string,
  { status, headers, base64 }: SyntheticResponse,
): Promise<void> {
  const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
  await session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body: base64 });
}

async function judge(
  { url }: GatedRequest,
  decide: DecideUrl,
  secondCheck: () => ReturnType<SecondRequestCheck>,
): ReturnType<SecondRequestCheck> {
  try {
    const reason = await decide(url);
    return reason === null ? await secondCheck() : { reason };
  } catch {
    return { reason: 'it could not be checked' };
  }
}

/** True for a URL that the browser opens without a request. */
export function needsNoRequest(url: string): boolean {
  return /^(?:data|blob|about):/i.test(url);
}

/** Scripts that run first in a document or worker. They remove APIs that bypass the gate, such as WebRTC. */
export function documentGuardScript(sockets: SocketHosts | null): string {
  return `(${pageScripts.guardDocument})(${JSON.stringify(sockets)});`;
}
export const WORKER_GUARD_SCRIPT = `(${pageScripts.guardWorker})();`;

/** Maximum requests whose send time is stored for their redirects: as many as the gate passes in ten seconds. */
const REMEMBERED_MAX = 4_000;

/**
 * Send times of requests. A redirect gets the time of the page's original request, because a site may redirect late.
 */
class SendTimes {
  readonly #times = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns Unix time in ms; 0 for a redirect of a request that is no longer remembered */
  note({ requestId, redirectedRequestId }: { requestId: string; redirectedRequestId?: string }): number {
    const at = redirectedRequestId === undefined ? this.#now() : (this.#times.get(redirectedRequestId) ?? 0);
    setBounded(this.#times, requestId, at, REMEMBERED_MAX);
    return at;
  }
}
