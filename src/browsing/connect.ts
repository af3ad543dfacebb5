import { fail } from '#core/errors.ts';
import {
  BROWSER_CLOSE_MS_MAX,
  BROWSER_KEEP_ALIVE_MS,
  BROWSER_START_MS_MAX,
  BROWSER_START_PAUSE_MS,
} from '#core/limits.ts';
import { CdpConnection } from './cdp/connection.ts';

/** The Browser Rendering binding, as far as it is used: `/v1/devtools/browser` of Cloudflare's Browser Run. */
export type BrowserBinding = { fetch: (url: string, init?: RequestInit) => Promise<Response> };

/** A browser of our own: nobody else is connected to it. */
export type Acquired = { id: string; connection: CdpConnection };

const ENDPOINT = 'https://browser/v1/devtools/browser';

/**
 * Starts a browser and connects to it.
 * @throws {PeriscopeError} `render_failed` when there is none to be had, or the account may start no more now
 */
export async function acquireBrowser(binding: BrowserBinding): Promise<Acquired> {
  const id = await start(binding);
  const init = { headers: { Upgrade: 'websocket' } };
  const response = await inTime(binding, `${ENDPOINT}/${id}`, init, BROWSER_START_MS_MAX).catch(() => null);
  const socket = response?.webSocket;
  if (socket === null || socket === undefined) {
    await closeBrowser(binding, id);
    fail({ code: 'render_failed', reason: 'the browser started, but cannot be connected to' });
  }
  socket.accept();
  return { id, connection: new CdpConnection(socket) };
}

/**
 * Ends a browser, also one that this object is not connected to any more. One that cannot be ended is left to the platform,
 * which ends those that nobody speaks to.
 */
export async function closeBrowser(binding: BrowserBinding, id: string): Promise<void> {
  const init = { method: 'DELETE' };
  const response = await inTime(binding, `${ENDPOINT}/${id}`, init, BROWSER_CLOSE_MS_MAX).catch(() => null);
  await response?.body?.cancel();
}

/** Ends a browser and the connection to it: in this order, as it may have something to say until it has ended. */
export async function endBrowser(binding: BrowserBinding, { id, connection }: Acquired): Promise<void> {
  await closeBrowser(binding, id);
  connection.close();
}

async function start(binding: BrowserBinding): Promise<string> {
  const response = await startOrTryAgain(binding);
  if (response.status === TOO_MANY_REQUESTS) {
    await response.body?.cancel();
    const reason = `the account may start no further browser now; it may again in ${retryAfter(response)} s`;
    fail({ code: 'render_failed', reason });
  }
  if (!response.ok) {
    await response.body?.cancel();
    fail({ code: 'render_failed', reason: `the browser could not be started (HTTP ${response.status})` });
  }
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'sessionId' in body && typeof body.sessionId === 'string') {
    return body.sessionId;
  }
  return fail({ code: 'render_failed', reason: 'the browser service answered in a way that cannot be read' });
}

/** A browser that fails to come up mostly does at the second try; too many of them is no matter of trying. */
async function startOrTryAgain(binding: BrowserBinding): Promise<Response> {
  const first = await ask(binding).catch(() => null);
  if (first !== null && (first.ok || first.status === TOO_MANY_REQUESTS)) return first;
  await first?.body?.cancel();
  await new Promise((resolve) => setTimeout(resolve, BROWSER_START_PAUSE_MS));
  return ask(binding).catch((error: unknown) =>
    fail({ code: 'render_failed', reason: 'the browser could not be started' }, { cause: error }),
  );
}

function ask(binding: BrowserBinding): Promise<Response> {
  const url = `${ENDPOINT}?keep_alive=${BROWSER_KEEP_ALIVE_MS}`;
  return inTime(binding, url, { method: 'POST' }, BROWSER_START_MS_MAX);
}

/** A signal that fires later would end the WebSocket that came of the request, so this one does not. */
async function inTime(binding: BrowserBinding, url: string, init: RequestInit, ms: number): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    return await binding.fetch(url, { ...init, signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}

const TOO_MANY_REQUESTS = 429;
/** One new browser every 20 s on the free plan, faster on the paid one. */
const RETRY_AFTER_DEFAULT_SECONDS = 20;

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : RETRY_AFTER_DEFAULT_SECONDS;
}
