import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { Pace } from '#browsing/cdp/pace.ts';
import { fail } from '#core/failures/failure.ts';
import { BROWSER_REQUEST_RATE } from './limits.ts';
import { CdpError, ignoreGone } from '#browsing/cdp/connection.ts';
import { fileAnswer, isAnswer } from './file-answer.ts';
import type { FileAnswer } from './file-answer.ts';
import * as pageScripts from '#generated/page-scripts.js';

/** `null` allows the request. Otherwise the reason for refusing it, in our own words. */
export type Decide = (url: string) => Promise<string | null>;

/** The request that the gate decides about. */
export type Asked = { url: string; method: string; frameId: string; resourceType: string };

/** An answer of our own that replaces the network's. */
export type OwnAnswer = { status: number; headers: Readonly<Record<string, string>>; base64: string };

/**
 * A second check of requests that the gate allows. `null` allows the request, an answer replaces the network's, a
 * reason refuses it. `sent` is all of it, as the page wrote it.
 */
export type LastLook = (
  request: Asked,
  sent: Protocol.Network.Request,
) => Promise<{ answer: OwnAnswer } | { reason: string } | null>;

/** Takes what the browser would save. It never throws, and takes no longer than it must: the page waits for it. */
export type SaveAnswer = (answer: FileAnswer) => Promise<void>;

/** A request that was refused. */
export type Refused = Asked & { reason: string };

/**
 * Checks the requests of one browser. If the browser as a whole cannot be guarded, the gate is put on each target
 * before the target may run.
 */
export type RequestGate = {
  /** Whether the gate is on the browser as a whole or on each of its targets. */
  readonly isOn: 'browser' | 'targets';
  /**
   * Puts the gate on a page, frame or worker that is paused.
   * @param kind `worker`: belongs to one page, whose session also reports its requests; `shared`: belongs to several,
   *   so no page reports them
   * @throws {PeriscopeError} `render_failed` when that fails; the target must then not run
   */
  guard: (session: CdpSession, kind: 'page' | 'worker' | 'shared') => Promise<void>;
  /** Resolves when no request of a target waits for a decision. */
  settled: (session: CdpSession) => Promise<void>;
  /** Gives every request of a target the same answer, without the network. @returns a function that ends this */
  answerAll: (session: CdpSession, answer: OwnAnswer) => Promise<() => Promise<void>>;
};

/**
 * Puts one gate before everything that the browser requests: navigations, every hop of a redirect, frames,
 * sub-resources, workers, prefetches. It is enabled on the browser itself, so it sees all tabs; if a browser service
 * refuses that, it is enabled on each target. It fails closed: an undecided request stays paused, and a request that
 * cannot be decided is refused.
 *
 * @param refused called for every refusal
 * @param lastLook second check of what passes
 * @param save gets documents that the browser would save instead of showing; the page stays where it is
 */
export async function guardRequests(
  browser: CdpSession,
  decide: Decide,
  refused: (request: Refused) => void,
  lastLook: LastLook = async () => null,
  save: SaveAnswer | null = null,
): Promise<RequestGate> {
  const gate: Gate = { decide, refused, lastLook, save, pace: new Pace(BROWSER_REQUEST_RATE) };
  const stop = listen(browser, gate, { answer: () => null, waiting: new Set() });
  try {
    await browser.send('Fetch.enable', watched(gate));
    return onBrowser;
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    stop();
    return onTargets(gate);
  }
}

const EVERY_REQUEST = { urlPattern: '*', requestStage: 'Request' } as const;
const EVERY_DOCUMENT = { urlPattern: '*', requestStage: 'Response', resourceType: 'Document' } as const;

function watched({ save }: Gate) {
  return { patterns: save === null ? [EVERY_REQUEST] : [EVERY_REQUEST, EVERY_DOCUMENT], handleAuthRequests: true };
}

/** With the gate on the browser, a target needs nothing of its own. */
export const onBrowser: RequestGate = {
  isOn: 'browser',
  guard: async () => undefined,
  settled: async () => undefined,
  answerAll: async (session, answer) => {
    const off = session.on('Fetch.requestPaused', ({ requestId }) => {
      fulfil(session, requestId, answer).catch(ignoreGone);
    });
    await session.send('Fetch.enable', { patterns: [EVERY_REQUEST] });
    return async () => {
      await session.send('Fetch.disable').catch(ignoreGone);
      off();
    };
  },
};

function onTargets(gate: Gate): RequestGate {
  const answers = new WeakMap<CdpSession, OwnAnswer>();
  const waiting = new WeakMap<CdpSession, Set<Promise<unknown>>>();
  return {
    isOn: 'targets',
    guard: async (session, kind) => {
      // Chromium reports the requests of such a worker in the session of its page.
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
    settled: async (session) => {
      const own = waiting.get(session);
      if (own !== undefined) await Promise.all(own);
    },
    answerAll: async (session, answer) => {
      answers.set(session, answer);
      return async () => void answers.delete(session);
    },
  };
}

type Watch = {
  /** The answer that every request gets at the moment, without a decision. */
  answer: () => OwnAnswer | null;
  /** Decisions that are under way. */
  waiting: Set<Promise<unknown>>;
};

/** @returns a function that stops listening */
function listen(session: CdpSession, gate: Gate, { answer, waiting }: Watch): () => void {
  const stopRequests = session.on('Fetch.requestPaused', (event) => {
    if (isAnswer(event)) {
      passAnswer(session, event, gate).catch(ignoreGone);
      return;
    }
    const own = answer();
    const decided =
      own === null
        ? gate.pace.turn().then(() => passRequest(session, event, gate))
        : fulfil(session, event.requestId, own);
    const passed = decided.catch(ignoreGone).finally(() => waiting.delete(passed));
    waiting.add(passed);
  });
  // Nobody can type a password into the browser's own dialog. Without one, the page shows what it shows to anybody.
  const stopPasswords = session.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'CancelAuth' as const };
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignoreGone);
  });
  return () => {
    stopRequests();
    stopPasswords();
  };
}

type Paused = Protocol.Fetch.RequestPausedEvent;

type Gate = {
  decide: Decide;
  refused: (request: Refused) => void;
  lastLook: LastLook;
  save: SaveAnswer | null;
  pace: Pace;
};

/** What the browser would save is read here, and the browser is told that nothing came. */
async function passAnswer(session: CdpSession, paused: Paused, { save }: Gate): Promise<void> {
  const { requestId } = paused;
  const file = save === null ? null : fileAnswer(session, paused);
  if (save === null || file === null) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  await save(file);
  await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
}

async function passRequest(session: CdpSession, paused: Paused, { decide, refused, lastLook }: Gate): Promise<void> {
  const { requestId, request, frameId, resourceType } = paused;
  const asked = { url: request.url, method: request.method, frameId, resourceType };
  const verdict = isInner(request.url) ? null : await judge(asked, decide, () => lastLook(asked, request));
  if (verdict === null) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  if ('answer' in verdict) return fulfil(session, requestId, verdict.answer);
  refused({ ...asked, reason: verdict.reason });
  await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
}

async function fulfil(session: CdpSession, requestId: string, { status, headers, base64 }: OwnAnswer): Promise<void> {
  const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
  await session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body: base64 });
}

async function judge({ url }: Asked, decide: Decide, lastLook: () => ReturnType<LastLook>): ReturnType<LastLook> {
  try {
    const reason = await decide(url);
    return reason === null ? await lastLook() : { reason };
  } catch {
    return { reason: 'it could not be checked' };
  }
}

/** Addresses that never leave the browser. */
function isInner(url: string): boolean {
  return /^(?:data|blob|about):/i.test(url);
}

/**
 * Run before any other script of a document or worker. They remove features whose traffic the request gate cannot see.
 */
export const DOCUMENT_GUARD = `(${pageScripts.guardDocument})();`;
export const NO_SHARED_WORKER = `(${pageScripts.forbidSharedWorkers})();`;
export const WORKER_GUARD = `(${pageScripts.guardWorker})();`;
