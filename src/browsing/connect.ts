import { fail } from '#core/errors.ts';
import { BROWSER_KEEP_ALIVE_MS, BROWSER_START_PAUSE_MS } from '#core/limits.ts';
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
  const response = await binding.fetch(`${ENDPOINT}/${id}`, { headers: { Upgrade: 'websocket' } });
  const socket = response.webSocket;
  if (socket === null || socket === undefined) {
    fail({ code: 'render_failed', reason: 'the browser started, but cannot be connected to' });
  }
  socket.accept();
  return { id, connection: new CdpConnection(socket) };
}

/** Ends a browser, also one that this object is not connected to any more. */
export async function closeBrowser(binding: BrowserBinding, id: string): Promise<void> {
  const response = await binding.fetch(`${ENDPOINT}/${id}`, { method: 'DELETE' });
  await response.body?.cancel();
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
  return binding.fetch(`${ENDPOINT}?keep_alive=${BROWSER_KEEP_ALIVE_MS}`, { method: 'POST' });
}

const TOO_MANY_REQUESTS = 429;
/** One new browser every 20 s on the free plan, faster on the paid one. */
const RETRY_AFTER_DEFAULT_SECONDS = 20;

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : RETRY_AFTER_DEFAULT_SECONDS;
}
