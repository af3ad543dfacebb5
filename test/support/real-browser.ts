import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareBrowser } from '#scripts/local/chromium.ts';
import { chromePlace } from '#scripts/local/miniflare-chrome.ts';
import { TEST_BROWSER } from './chromium.ts';

/** A person's browser for real: Chromium, in which they click and type, for the pages that people see. */
export type RealBrowser = {
  goTo: (url: string) => Promise<void>;
  /** Types into the field with this name. */
  type: (field: string, text: string) => Promise<void>;
  /** Chooses this file of the machine in the field with this name. */
  choose: (field: string, path: string) => Promise<void>;
  /**
   * Waits for what the selector finds to be there and not disabled, clicks it, and waits until the page it leads to
   * stands still. @throws when it does not come
   */
  click: (selector: string) => Promise<void>;
  /** The value of an expression in the page. */
  see: <T>(expression: string) => Promise<T>;
  /** Where it was going when nobody answered, or where it is. */
  address: () => Promise<string>;
  view: (width: number, scheme: 'light' | 'dark') => Promise<void>;
  /** Whether its screen is one for fingers. */
  touch: (isOn: boolean) => Promise<void>;
  /** Real input, as the DevTools protocol names it: `Input.dispatchMouseEvent` and its like. */
  input: (method: string, params: object) => Promise<void>;
  /** What the page looks like now, as a PNG in base64. */
  picture: () => Promise<string>;
  /** What the browser complained about: a blocked style, script, form or frame. */
  complaints: string[];
  close: () => Promise<void>;
};

const POLL_MS = 50;
const STILL_MS = 300;
const LOAD_MS = 15_000;

export async function startRealBrowser(): Promise<RealBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'periscope-person-'));
  const child = await launch(profile);
  const { send, on, hangUp } = await connect(await debuggerUrl(child));
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params: object = {}) => send(method, params, String(sessionId));
  const complaints: string[] = [];
  on('Log.entryAdded', ({ entry }) => {
    if (entry?.source === 'security') complaints.push(String(entry.text));
  });
  await page('Page.enable');
  await page('Log.enable');

  const see = async <T>(expression: string): Promise<T> => {
    const { result } = await page('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    return (result as { value: T }).value;
  };
  /** Pages here go on by themselves, so one page loaded is not yet the last. */
  const settle = async () => {
    const deadline = Date.now() + LOAD_MS;
    let before = '';
    for (let still = 0; still < STILL_MS && Date.now() < deadline; still += POLL_MS) {
      await sleep(POLL_MS);
      const now = await see<string>('document.readyState + location.href + document.title').catch(() => '');
      const isGoingOn = await see<boolean>(`document.querySelector('meta[http-equiv=refresh]') !== null`).catch(
        () => true,
      );
      if (now !== before || !now.startsWith('complete') || isGoingOn) still = 0;
      before = now;
    }
  };
  return {
    complaints,
    see,
    goTo: async (url) => {
      await page('Page.navigate', { url });
      await settle();
    },
    type: async (field, text) => {
      await see(`document.querySelector('[name="${field}"]:not([type=hidden])').focus()`);
      await page('Input.insertText', { text });
    },
    choose: async (field, path) => {
      const expression = `document.querySelector('[name="${field}"]')`;
      const { result } = await page('Runtime.evaluate', { expression });
      const { objectId } = result as { objectId: string };
      await page('DOM.setFileInputFiles', { files: [path], objectId });
    },
    click: async (selector) => {
      const element = `document.querySelector(${JSON.stringify(selector)})`;
      // One evaluation looks and clicks, so that nothing disables it in between.
      const click = `(() => { const found = ${element}; if (found === null || found.disabled) return false; found.click(); return true; })()`;
      const deadline = Date.now() + LOAD_MS;
      while (!(await see<boolean>(click))) {
        if (Date.now() > deadline) throw new Error(`${selector}: not there, or disabled.`);
        await sleep(POLL_MS);
      }
      await settle();
    },
    address: async () => {
      const { entries, currentIndex } = await page('Page.getNavigationHistory');
      return String((entries as { url: string }[])[Number(currentIndex)]?.url);
    },
    view: async (width, scheme) => {
      const size = { width, height: 844, deviceScaleFactor: 1, mobile: width < 500 };
      await page('Emulation.setDeviceMetricsOverride', size);
      await page('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    },
    touch: async (enabled) => {
      await page('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 5 });
    },
    input: async (method, params) => {
      await page(`Input.${method}`, params);
    },
    picture: async () => String((await page('Page.captureScreenshot', { format: 'png' }))['data']),
    close: async () => {
      hangUp();
      child.kill('SIGTERM');
      await new Promise((done) => child.once('exit', done));
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function launch(profile: string): Promise<ChildProcess> {
  const folder = join(import.meta.dirname, '../../.wrangler/chromium');
  const browser = await prepareBrowser(folder, { ...process.env, ...TEST_BROWSER });
  const place = browser.kind === 'ready' ? chromePlace(browser.cacheHome) : null;
  if (place === null) throw new Error(`no browser works here: ${JSON.stringify(browser)}`);
  const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-proxy-server'];
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
    child.once('exit', () => reject(new Error(`the browser ended: ${said}`)));
  });
}

type Message = {
  id?: number;
  method?: string;
  params?: { entry?: { source?: string; text?: string } };
  result?: object;
  error?: { message: string };
};
type Answer = Record<string, unknown>;

/** The DevTools protocol over one socket. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  await new Promise((open, fail) => {
    socket.addEventListener('open', open);
    socket.addEventListener('error', fail);
  });
  let calls = 0;
  const waiting = new Map<number, (message: Message) => void>();
  const listeners = new Map<string, (params: NonNullable<Message['params']>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else listeners.get(message.method ?? '')?.(message.params ?? {});
  });
  return {
    send: (method: string, params: object, sessionId?: string) =>
      new Promise<Answer>((resolve, reject) => {
        const id = (calls += 1);
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error === undefined) resolve((result ?? {}) as Answer);
          else reject(new Error(`${method}: ${error.message}`));
        });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
      }),
    on: (method: string, listener: (params: NonNullable<Message['params']>) => void) =>
      void listeners.set(method, listener),
    hangUp: () => socket.close(),
  };
}
