import { env } from 'cloudflare:workers';
import * as z from 'zod';
import { CdpConnection } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';

const ENDPOINT = 'https://browser/v1/devtools/browser';
/** The binding accepts any host. Requests to this one start and close real browsers, for tests of the binding itself. */
export const BINDING_ITSELF = 'https://binding/v1/devtools/browser';
/** A test file rarely has more at a time; each takes memory. */
const IDLE_MAX = 3;
/** A browser that a page keeps busy for longer is closed. */
const EMPTY_MS = 5_000;
const POLL_MS = 20;
/** Query of a request that really closes a browser, for tests of what happens then. */
export const FOR_GOOD = '?for-good';

const asking = z.object({ method: z.string().default('GET'), body: z.string().optional() });
const started = z.object({ sessionId: z.string() });
const version = z.object({ webSocketDebuggerUrl: z.string() });

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
/** Address of a browser's DevTools endpoint: http, because `fetch` opens the socket. */
type Address = string;
type Running = { address: Address; sockets: WebSocket[]; hasEnded: boolean };

declare global {
  /** The browsers of this runtime: one record for all its test files. */
  var reusedBrowsers: ReusedBrowsers | undefined;
}

/**
 * The browsers of all test files of a runtime. A start takes more than a second of a core, so a closed browser is
 * reused: it loses its connections and everything that was opened in it, and is the next browser that the runtime
 * starts. It gets a new id then, so that it cannot be mistaken for the earlier one. A browser with an allowlist is not
 * reused.
 *
 * The binding only starts these browsers. Its objects, which know where the browsers are, are deleted with everything
 * else that is stored before each file, so requests go to the browsers themselves.
 */
export class ReusedBrowsers {
  readonly #fetch: Fetch;
  readonly #running = new Map<string, Running>();
  /** Browsers that no session uses. */
  readonly #idle: Address[] = [];

  private constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Puts the reused browsers behind the binding of this runtime, once. */
  static ofRuntime(): ReusedBrowsers {
    return (globalThis.reusedBrowsers ??= ReusedBrowsers.#installed());
  }

  static #installed(): ReusedBrowsers {
    const binding: object = Object.getPrototypeOf(env.BROWSER);
    const original: (...args: unknown[]) => Promise<Response> = Reflect.get(binding, 'fetch');
    const browsers = new ReusedBrowsers((...args) => Reflect.apply(original, env.BROWSER, args));
    Reflect.set(binding, 'fetch', function (this: unknown, ...args: unknown[]) {
      const [url, init] = args;
      if (typeof url !== 'string' || !url.startsWith(ENDPOINT)) return Reflect.apply(original, this, args);
      return browsers.#answer(url, Object(init));
    });
    return browsers;
  }

  /** Closes the browsers that a test file has left open. */
  async closeAll(): Promise<void> {
    for (const [name, one] of this.#running) await (await this.#close(name, one)).body?.cancel();
  }

  async #answer(url: string, init: RequestInit): Promise<Response> {
    const { method, body } = asking.parse(init);
    const [, name = '', rest = ''] = /^\/([^/?]+)(.*)$/u.exec(url.slice(ENDPOINT.length)) ?? [];
    if (name === '' && method === 'POST' && body === undefined) return this.#start(url, init);
    const one = this.#running.get(name);
    if (one === undefined) return this.#fetch(url, init);
    if (method === 'DELETE' && rest === '') return this.#close(name, one);
    if (method === 'DELETE' && rest === FOR_GOOD) {
      one.hasEnded = true;
      return endBrowser(one.address);
    }
    const response = await ask(rest === '' ? one.address : `${new URL(one.address).origin}${rest}`, init);
    if (response.webSocket !== null) one.sockets.push(response.webSocket);
    return response;
  }

  async #start(url: string, init: RequestInit): Promise<Response> {
    const idle = await this.#takeIdle();
    const name = crypto.randomUUID();
    if (idle === undefined) {
      const response = await this.#fetch(url, init);
      if (!response.ok) return response;
      const { sessionId: id } = started.parse(await response.json());
      const { webSocketDebuggerUrl } = version.parse(
        await (await this.#fetch(`${ENDPOINT}/${id}/json/version`)).json(),
      );
      this.#running.set(name, { address: webSocketDebuggerUrl.replace('ws:', 'http:'), sockets: [], hasEnded: false });
    } else this.#running.set(name, { address: idle, sockets: [], hasEnded: false });
    return Response.json({ sessionId: name });
  }

  /** Closing the connections closes what was opened in the browser; {@link empty} checks that. */
  async #close(name: string, { address, sockets, hasEnded }: Running): Promise<Response> {
    this.#running.delete(name);
    const isFree = sockets.map(hangUp).every(Boolean);
    const isReusable = isFree && !hasEnded && this.#idle.length < IDLE_MAX;
    // Emptied now, because its pages would take processor time while it is idle.
    if (!isReusable || !(await isEmptied(address))) return endBrowser(address);
    this.#idle.push(address);
    return Response.json({ status: 'closed' });
  }

  /** An idle browser that is as empty as a new one, or `undefined`. */
  async #takeIdle(): Promise<Address | undefined> {
    for (let address = this.#idle.pop(); address !== undefined; address = this.#idle.pop()) {
      if (await isEmptied(address)) return address;
      await endBrowser(address);
    }
    return undefined;
  }
}

/** A request to a browser. One that has ended is answered as by the binding. */
async function ask(url: string, init?: RequestInit): Promise<Response> {
  return env.CHROMIUM.fetch(url, init).catch(() => Response.json({ error: 'Browser not found' }, { status: 404 }));
}

async function connect(address: Address): Promise<CdpConnection | null> {
  const { webSocket } = await ask(address, { headers: { Upgrade: 'websocket' } });
  if (webSocket === null) return null;
  webSocket.accept();
  return new CdpConnection(webSocket);
}

async function isEmptied(address: Address): Promise<boolean> {
  const connection = await connect(address);
  if (connection === null) return false;
  const timer = setTimeout(() => connection.close(), EMPTY_MS);
  const isEmpty = await empty(connection.browser).then(
    () => true,
    () => false,
  );
  clearTimeout(timer);
  connection.close();
  return isEmpty;
}

async function endBrowser(address: Address): Promise<Response> {
  const connection = await connect(address);
  // The browser may end before it answers.
  await connection?.browser.send('Browser.close').catch(() => undefined);
  return Response.json({ status: 'closed' });
}

/**
 * Closes a socket and drops later messages, because a closing browser loses them without an error.
 * @returns false if another Durable Object opened the socket: only its own object may close it
 */
function hangUp(socket: WebSocket): boolean {
  socket.send = () => undefined;
  try {
    socket.close();
    return true;
  } catch {
    return false;
  }
}

/** Closes everything except the page that a browser starts with, and waits until it is gone. */
async function empty(browser: CdpSession): Promise<void> {
  const { browserContextIds } = await browser.send('Target.getBrowserContexts');
  await Promise.all([
    ...browserContextIds.map((browserContextId) => browser.send('Target.disposeBrowserContext', { browserContextId })),
    // This clears the context that a browser starts with.
    browser.send('Storage.clearCookies'),
  ]);
  for (;;) {
    const { targetInfos } = await browser.send('Target.getTargets');
    const first = targetInfos.find(({ type, url }) => type === 'page' && url === 'about:blank');
    const others = targetInfos.filter((target) => target !== first);
    if (first !== undefined && others.length === 0) return;
    await Promise.allSettled(others.map(({ targetId }) => browser.send('Target.closeTarget', { targetId })));
    await scheduler.wait(POLL_MS);
  }
}
