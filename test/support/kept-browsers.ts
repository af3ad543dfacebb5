import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import * as z from 'zod';

const ENDPOINT = 'https://browser/v1/devtools/browser';
/** A test file rarely has more at a time; each takes memory. */
const KEPT_MAX = 3;
/** A browser that a page keeps busy for longer is closed. */
const EMPTY_MS = 5_000;
/** Query of a request that really closes a browser, for tests of what happens then. */
export const FOR_GOOD = '?for-good';

const asking = z.object({ method: z.string().default('GET'), body: z.string().optional() });
const started = z.object({ sessionId: z.string() });
const answered = z.object({ id: z.number(), result: z.unknown().optional() });
const contexts = z.object({ browserContextIds: z.array(z.string()) });
const targets = z.object({
  targetInfos: z.array(z.object({ targetId: z.string(), type: z.string(), url: z.string() })),
});

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
type Running = { id: string; sockets: WebSocket[]; hasEnded: boolean };

declare global {
  /** Ids of running browsers that no session uses: one list for all test files of the runtime. */
  var idleBrowsers: string[] | undefined;
}

const idle = (globalThis.idleBrowsers ??= []);

/**
 * For test files in which many browsers start: each start takes a second of a core. When the file closes a browser, the
 * browser loses its connections and everything that was opened in it, and is reused as the next browser of this or a
 * later file of the same runtime. It gets a new id then, so that it cannot be mistaken for the earlier one.
 */
export function keepBrowsers(): void {
  const running = new Map<string, Running>();
  const binding: object = Object.getPrototypeOf(env.BROWSER);
  const original: (...args: unknown[]) => Promise<Response> = Reflect.get(binding, 'fetch');

  async function answer(fetch: Fetch, url: string, init: RequestInit | undefined): Promise<Response> {
    const { method, body } = asking.parse(init ?? {});
    const [, name = '', rest = ''] = /^\/([^/?]+)(.*)$/u.exec(url.slice(ENDPOINT.length)) ?? [];
    if (name === '') return method === 'POST' && body === undefined ? start(fetch, url, init) : fetch(url, init);
    const one = running.get(name);
    if (one === undefined) return fetch(url, init);
    if (method === 'DELETE' && rest === '') return end(fetch, name, one, init);
    one.hasEnded ||= method === 'DELETE' && rest === FOR_GOOD;
    const response = await fetch(`${ENDPOINT}/${one.id}${rest}`, init);
    if (response.webSocket !== null) one.sockets.push(response.webSocket);
    return response;
  }

  async function start(fetch: Fetch, url: string, init: RequestInit | undefined): Promise<Response> {
    const kept = await emptied(fetch);
    const response = kept === undefined ? await fetch(url, init) : Response.json({ sessionId: kept });
    if (!response.ok) return response;
    const { sessionId: id } = started.parse(await response.json());
    const name = crypto.randomUUID();
    running.set(name, { id, sockets: [], hasEnded: false });
    return Response.json({ sessionId: name });
  }

  /** Closing the connections closes what was opened in it; {@link start} checks that. */
  async function end(fetch: Fetch, name: string, { id, sockets, hasEnded }: Running, init: RequestInit | undefined) {
    running.delete(name);
    for (const socket of sockets) hangUp(socket);
    if (hasEnded || idle.length >= KEPT_MAX) return fetch(`${ENDPOINT}/${id}`, init);
    idle.push(id);
    return Response.json({ status: 'closed' });
  }

  Reflect.set(binding, 'fetch', function (this: unknown, ...args: unknown[]) {
    const [url, init] = args;
    if (typeof url !== 'string' || !url.startsWith(ENDPOINT)) return Reflect.apply(original, this, args);
    const fetch: Fetch = (...given) => Reflect.apply(original, this, given);
    return answer(fetch, url, Object(init));
  });
  // The next file begins with empty storage, which has no record of running browsers.
  afterAll(async () => {
    Reflect.set(binding, 'fetch', original);
    for (const { id } of running.values()) await (await endForGood(id)).body?.cancel();
  });
}

/** Closes a socket and drops later messages, because a closing browser loses them without an error. */
function hangUp(socket: WebSocket): void {
  socket.send = () => undefined;
  socket.close();
}

function endForGood(id: string): Promise<Response> {
  return env.BROWSER.fetch(`${ENDPOINT}/${id}`, { method: 'DELETE' });
}

/** An idle browser with nothing in it, or `undefined`. */
async function emptied(fetch: Fetch): Promise<string | undefined> {
  for (let id = idle.pop(); id !== undefined; id = idle.pop()) {
    if (await isEmptied(fetch, id)) return id;
    await (await fetch(`${ENDPOINT}/${id}`, { method: 'DELETE' })).body?.cancel();
  }
  return undefined;
}

async function isEmptied(fetch: Fetch, id: string): Promise<boolean> {
  const { webSocket } = await fetch(`${ENDPOINT}/${id}`, { headers: { Upgrade: 'websocket' } });
  if (webSocket === null) return false;
  webSocket.accept();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), EMPTY_MS)));
  const tried = empty(webSocket).then(
    () => true,
    () => false,
  );
  const isEmpty = await Promise.race([tried, late]);
  clearTimeout(timer);
  webSocket.close();
  return isEmpty;
}

/** Closes all contexts, and all pages except the one that a browser starts with. */
async function empty(socket: WebSocket): Promise<void> {
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const said = answered.safeParse(typeof data === 'string' ? JSON.parse(data) : null);
    if (said.success) waiting.get(said.data.id)?.(said.data.result);
  });
  const send = (method: string, params: object = {}) => {
    const id = waiting.size + 1;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise<unknown>((resolve) => waiting.set(id, resolve));
  };
  const { browserContextIds } = contexts.parse(await send('Target.getBrowserContexts'));
  await Promise.all(
    browserContextIds.map((browserContextId) => send('Target.disposeBrowserContext', { browserContextId })),
  );
  const { targetInfos } = targets.parse(await send('Target.getTargets'));
  const pages = targetInfos.filter(({ type }) => type === 'page');
  const first = pages.find(({ url }) => url === 'about:blank');
  const others = pages.filter((page) => page !== first);
  await Promise.all(others.map(({ targetId }) => send('Target.closeTarget', { targetId })));
}
