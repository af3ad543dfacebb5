import { sleep } from '#core/flow/abort.ts';
import { fail } from '#core/failures/failure.ts';
import {
  BROWSER_CLOSE_MS_MAX,
  BROWSER_DENIAL_BYTES_MAX,
  BROWSER_KEEP_ALIVE_MS,
  BROWSER_START_JITTER_MS,
  BROWSER_START_MS_MAX,
  BROWSER_START_PAUSE_MS,
  BROWSER_START_WAIT_MS_MAX,
  BROWSER_WALL_ENTRIES_MAX,
} from './limits.ts';
import { readCapped } from '#core/flow/read-capped.ts';
import { CdpConnection } from './connection.ts';
import { SECOND_MS } from '#core/limits.ts';

/** The part of the Browser Rendering binding that is used: `/v1/devtools/browser` of Cloudflare's Browser Run. */
export type BrowserBinding = { fetch: (url: string, init?: RequestInit) => Promise<Response> };

/** A browser to which nobody else is connected. */
export type Acquired = { id: string; connection: CdpConnection };

const ENDPOINT = 'https://browser/v1/devtools/browser';

/**
 * Starts a browser and connects to it.
 * @param allowDomains the only domains it may reach, with their subdomains; empty for no such restriction
 * @throws {PeriscopeError} `render_failed` when there is no browser, or the account may start no more now
 */
export async function acquireBrowser(binding: BrowserBinding, allowDomains: readonly string[] = []): Promise<Acquired> {
  const id = await start(binding, wallOf(allowDomains));
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
 * Ends a browser, even one that this object is no longer connected to. If that fails, the platform ends it after a
 * while, because nobody sends it commands.
 * @returns whether the platform confirmed it
 */
export async function closeBrowser(binding: BrowserBinding, id: string): Promise<boolean> {
  const init = { method: 'DELETE' };
  const response = await inTime(binding, `${ENDPOINT}/${id}`, init, BROWSER_CLOSE_MS_MAX).catch(() => null);
  await response?.body?.cancel();
  return response?.ok === true;
}

/**
 * Ends a browser, and then the connection to it, because it may send messages until it has ended.
 * @returns whether the platform confirmed it
 */
export async function endBrowser(binding: BrowserBinding, { id, connection }: Acquired): Promise<boolean> {
  const isConfirmed = await closeBrowser(binding, id);
  connection.close();
  return isConfirmed;
}

/** Host patterns to which the platform itself restricts a browser; `null` for no restriction. */
export type Wall = readonly string[] | null;

/** The platform does not accept a longer list. Then only the request gate enforces it. */
export function wallOf(allowDomains: readonly string[]): Wall {
  const patterns = allowDomains.flatMap((domain) => [domain, `*.${domain}`]);
  return patterns.length === 0 || patterns.length > BROWSER_WALL_ENTRIES_MAX ? null : patterns;
}

async function start(binding: BrowserBinding, wall: Wall): Promise<string> {
  const response = await startInTime(binding, wall);
  if (!response.ok) {
    await response.body?.cancel();
    const reason =
      response.status === BAD_REQUEST && wall !== null
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
 * Accounts may start one browser a second, or one in twenty seconds. A short wait is waited out; a long one is
 * reported.
 */
async function startInTime(binding: BrowserBinding, wall: Wall): Promise<Response> {
  const until = Date.now() + BROWSER_START_WAIT_MS_MAX;
  for (;;) {
    const response = await startOrTryAgain(binding, wall);
    if (response.status !== TOO_MANY_REQUESTS) return response;
    const words = await readCapped(response.body, BROWSER_DENIAL_BYTES_MAX);
    if (words !== null && TIME_IS_UP.test(words)) fail({ code: 'render_failed', reason: NO_TIME_TODAY });
    const seconds = retryAfter(response);
    const waitMs = (seconds ?? 1) * SECOND_MS + Math.random() * BROWSER_START_JITTER_MS;
    if (Date.now() + waitMs > until) fail({ code: 'render_failed', reason: tooMany(seconds) });
    await sleep(waitMs);
  }
}

/**
 * A browser that fails to start mostly starts at the second try. Trying again does not help when too many are running.
 */
async function startOrTryAgain(binding: BrowserBinding, wall: Wall): Promise<Response> {
  const first = await ask(binding, wall).catch(() => null);
  if (first !== null && (first.ok || first.status === TOO_MANY_REQUESTS || first.status === BAD_REQUEST)) return first;
  await first?.body?.cancel();
  await sleep(BROWSER_START_PAUSE_MS);
  return ask(binding, wall).catch((error: unknown) =>
    fail({ code: 'render_failed', reason: 'the browser could not be started' }, { cause: error }),
  );
}

function ask(binding: BrowserBinding, wall: Wall): Promise<Response> {
  const url = `${ENDPOINT}?keep_alive=${BROWSER_KEEP_ALIVE_MS}`;
  const policy = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ guardrails: { allowedDomains: wall } }),
  };
  return inTime(binding, url, { method: 'POST', ...(wall === null ? {} : policy) }, BROWSER_START_MS_MAX);
}

/** An `AbortSignal.timeout` that fires later would close the WebSocket, so the timer is ended here. */
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
/** What Browser Run says when the minutes of the day are used up. */
const TIME_IS_UP = /time limit exceeded for today/i;
const NO_TIME_TODAY =
  'the Cloudflare account has used up its browser time for today; more is available from 00:00 UTC (the Workers Free plan has 10 minutes a day, Workers Paid has no such limit)';

function tooMany(seconds: number | null): string {
  const when = seconds === null ? 'later' : `in ${seconds} s`;
  return `the Cloudflare account cannot start another browser now; try again ${when}`;
}

/** `null` when the service does not say. */
function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}
