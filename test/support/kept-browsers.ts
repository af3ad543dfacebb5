import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';
import * as z from 'zod';

const ENDPOINT = 'https://browser/v1/devtools/browser';
/** More at a time are rare; each takes memory. */
const KEPT_MAX = 3;
/** A page that keeps its browser busy is ended with it. */
const EMPTY_MS = 2_000;

const asking = z.object({ method: z.string().default('GET'), body: z.string().optional() });
const started = z.object({ sessionId: z.string() });
const answered = z.object({ id: z.number(), result: z.unknown() });
const opened = z.object({ browserContextIds: z.array(z.string()) });

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
type Running = { id: string; sockets: WebSocket[] };

/**
 * For a file of tests in which many browsers start, which takes most of its time: one that is ended loses its connections
 * and all that was opened in it, and is the next one that starts. Its id is another then, so that nobody can take it for the
 * one before.
 */
export function keepBrowsers(): void {
  const idle: string[] = [];
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
    const response = await fetch(`${ENDPOINT}/${one.id}${rest}`, init);
    if (response.webSocket !== null) one.sockets.push(response.webSocket);
    return response;
  }

  async function start(fetch: Fetch, url: string, init: RequestInit | undefined): Promise<Response> {
    const kept = idle.pop();
    const response = kept === undefined ? await fetch(url, init) : Response.json({ sessionId: kept });
    if (!response.ok) return response;
    const { sessionId: id } = started.parse(await response.json());
    const name = crypto.randomUUID();
    running.set(name, { id, sockets: [] });
    return Response.json({ sessionId: name });
  }

  async function end(fetch: Fetch, name: string, { id, sockets }: Running, init: RequestInit | undefined) {
    running.delete(name);
    const isEmpty = idle.length < KEPT_MAX && (await isEmptied(fetch, id));
    for (const socket of sockets) socket.close();
    if (!isEmpty) return fetch(`${ENDPOINT}/${id}`, init);
    idle.push(id);
    return Response.json({ status: 'closed' });
  }

  Reflect.set(binding, 'fetch', function (this: unknown, ...args: unknown[]) {
    const [url, init] = args;
    if (typeof url !== 'string' || !url.startsWith(ENDPOINT)) return Reflect.apply(original, this, args);
    const fetch: Fetch = (...given) => Reflect.apply(original, this, given);
    return answer(fetch, url, Object(init));
  });
  // The next file begins with empty storage, in which nobody knows them.
  afterAll(async () => {
    Reflect.set(binding, 'fetch', original);
    for (const id of idle) await env.BROWSER.fetch(`${ENDPOINT}/${id}`, { method: 'DELETE' });
  });
}

async function isEmptied(fetch: Fetch, id: string): Promise<boolean> {
  const { webSocket } = await fetch(`${ENDPOINT}/${id}`, { headers: { Upgrade: 'websocket' } });
  if (webSocket === null) return false;
  webSocket.accept();
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), EMPTY_MS));
  const isEmpty = await Promise.race([empty(webSocket).then(() => true), late]);
  webSocket.close();
  return isEmpty;
}

async function empty(socket: WebSocket): Promise<void> {
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const said = answered.safeParse(typeof data === 'string' ? JSON.parse(data) : null);
    if (said.success) waiting.get(said.data.id)?.(said.data.result);
  });
  const send = (id: number, method: string, params: object) => {
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise<unknown>((resolve) => waiting.set(id, resolve));
  };
  const { browserContextIds } = opened.parse(await send(0, 'Target.getBrowserContexts', {}));
  const disposed = browserContextIds.map((browserContextId, at) =>
    send(at + 1, 'Target.disposeBrowserContext', { browserContextId }),
  );
  await Promise.all(disposed);
}
