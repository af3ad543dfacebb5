import { sleep } from '#core/flow/abort.ts';
import { fail } from '#core/failures/failure.ts';
import { readBodyText } from '#core/flow/read-capped.ts';
import { CdpConnection } from './connection.ts';
import { SECOND_MS, MINUTE_MS } from '#core/limits.ts';

/**
 * Idle time after which Browser Run ends a browser that gets no commands. Idle time costs money, so a browser without a
 * session should end soon. A session sends a command every minute.
 */
const BROWSER_KEEP_ALIVE_MS = 3 * MINUTE_MS;
/** Total wait for a browser. Workers Paid starts one browser per second, so this covers a queue of a few callers. */
const BROWSER_START_WAIT_MS_MAX = 6 * SECOND_MS;
/** Maximum random addition to each wait, so that waiting callers do not all retry at the same time. */
const BROWSER_START_JITTER_MS = 250;
/** Maximum bytes read of Browser Run's reason for refusing a browser, which is one sentence. */
const BROWSER_DENIAL_BYTES_MAX = 4_000;
/** Maximum host patterns in the allowlist of a browser; Browser Run refuses longer lists. */
const ALLOWED_HOSTS_MAX = 50;
const BROWSER_START_MS_MAX = 15 * SECOND_MS;
const BROWSER_CLOSE_MS_MAX = 3 * SECOND_MS;
/** Pause before the second attempt to start a browser. Most failures last less than this. */
const BROWSER_START_PAUSE_MS = 300;

/**
 * The methods of Cloudflare's Browser Rendering binding that this server uses, for its endpoint `/v1/devtools/browser`.
 */
export type BrowserBinding = { fetch: (url: string, init?: RequestInit) => Promise<Response> };

export type AcquiredBrowser = { id: string; connection: CdpConnection };

const ENDPOINT = 'https://browser/v1/devtools/browser';

/**
 * @param allowDomains the only allowed domains, with their subdomains; empty for no restriction
 * @throws {PeriscopeError} `render_failed` if no browser could be started, or if the account has reached its limit
 */
export async function acquireBrowser(
  binding: BrowserBinding,
  allowDomains: readonly string[] = [],
): Promise<AcquiredBrowser> {
  const id = await start(binding, toAllowedHostPatterns(allowDomains));
  const init = { headers: { Upgrade: 'websocket' } };
  const response = await inTime(binding, `${ENDPOINT}/${id}`, init, BROWSER_START_MS_MAX).catch(() => null);
  const socket = response?.webSocket;
  if (socket === null || socket === undefined) {
    await closeBrowser(binding, id);
    fail({ code: 'render_failed', reason: 'the browser started, but no connection to it could be made' });
  }
  socket.accept();
  return { id, connection: new CdpConnection(socket) };
}

/**
 * Ends a browser. If this request fails, Browser Run ends the browser after its idle time.
 * @returns true if Browser Run confirmed the end
 */
export async function closeBrowser(binding: BrowserBinding, id: string): Promise<boolean> {
  const init = { method: 'DELETE' };
  const response = await inTime(binding, `${ENDPOINT}/${id}`, init, BROWSER_CLOSE_MS_MAX).catch(() => null);
  await response?.body?.cancel();
  return response?.ok === true;
}

/** Ends a browser and then closes its connection, because the browser may send messages until it has ended. */
export async function closeBrowserAndConnection(
  binding: BrowserBinding,
  { id, connection }: AcquiredBrowser,
): Promise<boolean> {
  const isConfirmed = await closeBrowser(binding, id);
  connection.close();
  return isConfirmed;
}

type AllowedHosts = readonly string[] | null;

/**
 * @returns `null` for an empty list, or one that is too long for Browser Run, so that only the request gate enforces it
 */
export function toAllowedHostPatterns(allowDomains: readonly string[]): AllowedHosts {
  const patterns = allowDomains.flatMap((domain) => [domain, `*.${domain}`]);
  return patterns.length === 0 || patterns.length > ALLOWED_HOSTS_MAX ? null : patterns;
}

async function start(binding: BrowserBinding, allowedHosts: AllowedHosts): Promise<string> {
  const response = await startInTime(binding, allowedHosts);
  if (!response.ok) {
    await response.body?.cancel();
    const reason =
      response.status === BAD_REQUEST && allowedHosts !== null
        ? 'the browser service refuses the list in ALLOWLIST_DOMAINS (HTTP 400)'
        : `the browser could not be started (HTTP ${response.status})`;
    fail({ code: 'render_failed', reason });
  }
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'sessionId' in body && typeof body.sessionId === 'string') {
    return body.sessionId;
  }
  return fail({ code: 'render_failed', reason: 'the browser service gave an answer that cannot be read' });
}

/**
 * Retries within a time limit, because Browser Run lets an account start one browser per second, or one per 20 seconds.
 * @throws {PeriscopeError} `render_failed` if a longer wait is necessary, or the browser time of the day is used up
 */
async function startInTime(binding: BrowserBinding, allowedHosts: AllowedHosts): Promise<Response> {
  const until = Date.now() + BROWSER_START_WAIT_MS_MAX;
  for (;;) {
    const response = await startOrTryAgain(binding, allowedHosts);
    if (response.status !== TOO_MANY_REQUESTS) return response;
    const words = await readBodyText(response.body, BROWSER_DENIAL_BYTES_MAX);
    if (words !== null && TIME_IS_UP.test(words)) fail({ code: 'render_failed', reason: NO_TIME_TODAY });
    const seconds = retryAfter(response);
    const waitMs = (seconds ?? 1) * SECOND_MS + Math.random() * BROWSER_START_JITTER_MS;
    if (Date.now() + waitMs > until) fail({ code: 'render_failed', reason: tooMany(seconds) });
    await sleep(waitMs);
  }
}

/** Tries twice, because most failures do not repeat. A rejected request or a rate limit is not tried again. */
async function startOrTryAgain(binding: BrowserBinding, allowedHosts: AllowedHosts): Promise<Response> {
  const first = await ask(binding, allowedHosts).catch(() => null);
  if (first !== null && (first.ok || first.status === TOO_MANY_REQUESTS || first.status === BAD_REQUEST)) return first;
  await first?.body?.cancel();
  await sleep(BROWSER_START_PAUSE_MS);
  return ask(binding, allowedHosts).catch((error: unknown) =>
    fail({ code: 'render_failed', reason: 'the browser could not be started' }, { cause: error }),
  );
}

function ask(binding: BrowserBinding, allowedHosts: AllowedHosts): Promise<Response> {
  const url = `${ENDPOINT}?keep_alive=${BROWSER_KEEP_ALIVE_MS}`;
  const policy = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ guardrails: { allowedDomains: allowedHosts } }),
  };
  return inTime(binding, url, { method: 'POST', ...(allowedHosts === null ? {} : policy) }, BROWSER_START_MS_MAX);
}

/**
 * Sends a request with a time limit. Clears the timer after the response, because an `AbortSignal.timeout` would fire
 * later and close the WebSocket.
 */
async function inTime(binding: BrowserBinding, url: string, init: RequestInit, ms: number): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    return await binding.fetch(url, { ...init, signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}

const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
const TIME_IS_UP = /time limit exceeded for today/i;
const NO_TIME_TODAY =
  'the Cloudflare account has used up its browser time for today; more is available from 00:00 UTC (the Workers Free plan has 10 minutes a day, Workers Paid has no such limit)';

function tooMany(seconds: number | null): string {
  const when = seconds === null ? 'later' : `in ${seconds} s`;
  return `the Cloudflare account cannot start another browser now; try again ${when}`;
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}
