import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { prepareBrowser } from '#scripts/local/chromium.ts';
import { chromePlace } from '#scripts/local/miniflare-chrome.ts';

/** A page in a separate browser, to take pictures of. */
export type Page = {
  /** @param until an expression that is true once the page is ready */
  open: (url: string, until: string) => Promise<void>;
  run: (expression: string) => Promise<unknown>;
  waitFor: (expression: string) => Promise<void>;
  view: (scheme: 'light' | 'dark') => Promise<void>;
  /** Makes the background transparent instead of white. */
  makeTransparent: () => Promise<void>;
  picture: (as: { format: 'png' } | { format: 'webp'; quality: number }) => Promise<Buffer>;
  close: () => Promise<void>;
};

const WAIT_MS = 60_000;
const POLL_MS = 100;

const message = z.looseObject({ id: z.number().optional(), result: z.looseObject({}).optional() });

/** @param size of the viewport, in CSS pixels */
export async function startPage(size: { width: number; height: number }): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'periscope-pictures-'));
  const child = await launch(profile);
  const socket = new WebSocket(await debuggerUrl(child));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  let calls = 0;
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = message.parse(JSON.parse(String(data)));
    if (id !== undefined) waiting.get(id)?.(result ?? {});
  });
  const send = (method: string, params: object, sessionId?: unknown): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      socket.send(JSON.stringify({ id: calls, method, params, sessionId }));
    });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params: object) => send(method, params, sessionId);
  const run = async (expression: string) => {
    const { result } = await page('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    // There is no result during a navigation.
    return z.looseObject({ value: z.unknown() }).partial().optional().parse(result)?.value;
  };
  const waitFor = async (expression: string) => {
    for (const end = Date.now() + WAIT_MS; (await run(`Boolean(${expression})`)) !== true; await sleep(POLL_MS)) {
      if (Date.now() > end) throw new Error(`Not in time: ${expression}`);
    }
  };
  await page('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
  return {
    run,
    waitFor,
    open: async (url, until) => {
      await page('Page.navigate', { url });
      await waitFor(`location.href !== 'about:blank' && document.readyState === 'complete' && (${until})`);
    },
    view: async (scheme) => {
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      await page('Emulation.setEmulatedMedia', { features });
    },
    makeTransparent: async () => {
      await page('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
    },
    picture: async (as) => {
      const { data } = await page('Page.captureScreenshot', as);
      return Buffer.from(z.string().parse(data), 'base64');
    },
    close: async () => {
      socket.close();
      child.kill('SIGTERM');
      await new Promise((done) => child.once('exit', done));
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function launch(profile: string): Promise<ChildProcess> {
  const folder = join(import.meta.dirname, '../../.wrangler/chromium');
  const browser = await prepareBrowser(folder, process.env);
  const place = browser.kind === 'ready' ? chromePlace(browser.cacheHome) : null;
  if (place === null) throw new Error(`There is no browser to take pictures with: ${JSON.stringify(browser)}`);
  const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--hide-scrollbars'];
  return spawn(place.executable, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function debuggerUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /ws:\/\/\S+/.exec(said)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`The browser ended: ${said}`)));
  });
}
