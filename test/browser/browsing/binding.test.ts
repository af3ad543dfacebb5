import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BINDING_ITSELF as ENDPOINT } from '#support/reused-browsers.ts';

/** The binding as the platform offers it, without our own code over it: is there a browser, and which sites does it see? */
const POLL_MS = 20;

const started = z.object({ sessionId: z.string() });
const answer = z.object({ id: z.number(), result: z.record(z.string(), z.unknown()) });
const page = z.object({ title: z.string(), text: z.string(), ready: z.boolean() });

const open: string[] = [];

afterEach(async () => {
  for (const id of open.splice(0)) await (await env.BROWSER.fetch(`${ENDPOINT}/${id}`, { method: 'DELETE' })).text();
});

describe('the Browser Rendering binding of tests', () => {
  it('starts a browser that opens a page', async () => {
    const browser = await connect();
    const { title } = await browser.read('data:text/html,<title>A page of its own</title>');
    expect(title).toBe('A page of its own');
  });

  it('shows the sites of the Worker under their names', async () => {
    const browser = await connect();
    const { title, text } = await browser.read('http://site.example/');
    expect(title).toBe('Hello from site.example');
    expect(text).toContain('The browser of the tests sees this page.');
  });
});

async function connect() {
  const { sessionId } = started.parse(await (await env.BROWSER.fetch(ENDPOINT, { method: 'POST' })).json());
  open.push(sessionId);
  const { webSocket } = await env.BROWSER.fetch(`${ENDPOINT}/${sessionId}`, { headers: { Upgrade: 'websocket' } });
  if (webSocket === null) throw new Error('no socket');
  webSocket.accept();
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  webSocket.addEventListener('message', ({ data }) => {
    const parsed = answer.safeParse(JSON.parse(String(data)));
    if (parsed.success) waiting.get(parsed.data.id)?.(parsed.data.result);
  });
  const call = (method: string, params: object, session?: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      webSocket.send(JSON.stringify({ id, method, params, sessionId: session }));
    });
  return {
    read: async (url: string) => {
      const { targetId } = await call('Target.createTarget', { url });
      const attached = await call('Target.attachToTarget', { targetId, flatten: true });
      const session = String(attached['sessionId']);
      const expression = `({ title: document.title, text: document.body?.innerText ?? '', ready: location.href !== 'about:blank' && document.readyState === 'complete' })`;
      for (;;) {
        const { result } = await call('Runtime.evaluate', { expression, returnByValue: true }, session);
        const shown = page.parse(z.object({ value: z.unknown() }).parse(result).value);
        if (shown.ready) return shown;
        await scheduler.wait(POLL_MS);
      }
    },
  };
}
