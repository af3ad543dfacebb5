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

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
type Running = { id: string; sockets: WebSocket[]; hasEnded: boolean };

declare global {
  /** The browsers of this runtime: one record for all its test files. */
  var reusedBrowsers: ReusedBrowsers | undefined;
}

/**
 * The browsers of all test files of a runtime. A start takes more than a second of a core, so a closed browser is
 * reused: it loses its connections and everything that was opened in it, and is the next browser that the runtime
 * starts. It gets a new id then, so that it cannot be mistaken for the earlier one. A browser with an allowlist is not
 * reused.
 */
export class ReusedBrowsers {
  readonly #fetch: Fetch;
  readonly #running = new Map<string, Running>();
  /** Ids of browsers that no session uses. */
  readonly #idle: string[] = [];

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
    one.hasEnded ||= method === 'DELETE' && rest === FOR_GOOD;
    const response = await this.#fetch(`${ENDPOINT}/${one.id}${rest}`, init);
    if (response.webSocket !== null) one.sockets.push(response.webSocket);
    return response;
  }

  async #start(url: string, init: RequestInit): Promise<Response> {
    const idle = await this.#takeIdle();
    const response = idle === undefined ? await this.#fetch(url, init) : Response.json({ sessionId: idle });
    if (!response.ok) return response;
    const { sessionId: id } = started.parse(await response.json());
    const name = crypto.randomUUID();
    this.#running.set(name, { id, sockets: [], hasEnded: false });
    return Response.json({ sessionId: name });
  }

  /** Closing the connections closes what was opened in the browser; {@link empty} checks that. */
  async #close(name: string, { id, sockets, hasEnded }: Running): Promise<Response> {
    this.#running.delete(name);
    const isFree = sockets.map(hangUp).every(Boolean);
    const isReusable = isFree && !hasEnded && this.#idle.length < IDLE_MAX;
    // Emptied now, because its pages would take processor time while it is idle.
    if (!isReusable || !(await this.#isEmptied(id))) return this.#end(id);
    this.#idle.push(id);
    return Response.json({ status: 'closed' });
  }

  /** An idle browser that is as empty as a new one, or `undefined`. */
  async #takeIdle(): Promise<string | undefined> {
    for (let id = this.#idle.pop(); id !== undefined; id = this.#idle.pop()) {
      if (await this.#isEmptied(id)) return id;
      await (await this.#end(id)).body?.cancel();
    }
    return undefined;
  }

  #end(id: string): Promise<Response> {
    return this.#fetch(`${ENDPOINT}/${id}`, { method: 'DELETE' });
  }

  async #isEmptied(id: string): Promise<boolean> {
    const { webSocket } = await this.#fetch(`${ENDPOINT}/${id}`, { headers: { Upgrade: 'websocket' } });
    if (webSocket === null) return false;
    webSocket.accept();
    const connection = new CdpConnection(webSocket);
    const timer = setTimeout(() => connection.close(), EMPTY_MS);
    const isEmpty = await empty(connection.browser).then(
      () => true,
      () => false,
    );
    clearTimeout(timer);
    connection.close();
    return isEmpty;
  }
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
