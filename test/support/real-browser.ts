import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumUrl, sharedServer } from './shared.ts';
import type { Person } from './shared.ts';

/** A user's real browser: a context with one page in this worker's Chromium, in which tests click and type. */
export type RealBrowser = {
  goTo: (url: string) => Promise<void>;
  /** Makes the user with this e-mail address sign in at the provider of the shared server from now on. */
  atProvider: (email: string) => Promise<void>;
  /** Types into the field with this name. */
  type: (field: string, text: string) => Promise<void>;
  /** Chooses this file of the machine in the field with this name. */
  choose: (field: string, path: string) => Promise<void>;
  /**
   * Waits until the selector finds an element that is not disabled, clicks it, and waits until the page that follows
   * has loaded.
   * @throws if the element does not appear
   */
  click: (selector: string) => Promise<void>;
  /** The value of an expression in the page. */
  see: <T>(expression: string) => Promise<T>;
  /** The address that failed to load, or the current one. */
  address: () => Promise<string>;
  view: (width: number, scheme: 'light' | 'dark') => Promise<void>;
  /** Turns touch input on or off. */
  touch: (isOn: boolean) => Promise<void>;
  /** Real input of the DevTools protocol, such as `Input.dispatchMouseEvent`. */
  input: (method: string, params: object) => Promise<void>;
  /** A screenshot, as a PNG in base64. */
  picture: () => Promise<string>;
  /** Errors that the browser reported: a blocked style, script, form or frame. */
  complaints: string[];
  close: () => Promise<void>;
};

const POLL_MS = 50;
/** Ends a wait for something that never appears. */
const APPEARS_MS = 60_000;

/** @param as the user who is signed in from the start */
export async function startRealBrowser(as?: Person): Promise<RealBrowser> {
  const { send, on, hangUp } = await connect(await chromiumUrl());
  const { browserContextId } = await send('Target.createBrowserContext', { disposeOnDetach: true });
  const cookies = as === undefined ? [] : cookiesOf(as);
  await send('Storage.setCookies', { browserContextId, cookies });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params: object = {}) => send(method, params, String(sessionId));
  const complaints: string[] = [];
  on('Log.entryAdded', ({ entry }) => {
    if (entry?.source === 'security') complaints.push(String(entry.text));
  });
  const navigation = watchNavigation(on, String(targetId));
  await page('Page.enable');
  await page('Log.enable');
  // Each page behaves like the one in front, whatever other contexts show.
  await page('Emulation.setFocusEmulationEnabled', { enabled: true });

  const see = async <T>(expression: string): Promise<T> => {
    const { result } = await page('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    return (result as { value: T }).value;
  };
  /** Waits until the page has loaded, and every page that it continues to automatically. */
  const settle = async () => {
    do {
      await navigation.idle();
      // A form that was just submitted, or a redirect by the page, begins in its own task.
      const tasks = see('new Promise((done) => setTimeout(() => setTimeout(done)))').catch(() => undefined);
      await Promise.race([tasks, navigation.next()]);
    } while (navigation.isGoingOn());
  };
  return {
    complaints,
    see,
    atProvider: async (email) => {
      const { issuer: url } = await sharedServer();
      await send('Storage.setCookies', { browserContextId, cookies: [{ name: 'as', value: email, url }] });
    },
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
      // A single evaluation finds and clicks, so that nothing can disable the element in between.
      const click = `(() => { const found = ${element}; if (found === null || found.disabled) return false; found.click(); return true; })()`;
      const deadline = Date.now() + APPEARS_MS;
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
      await send('Target.disposeBrowserContext', { browserContextId });
      hangUp();
    },
  };
}

function cookiesOf({ browser }: Person) {
  return [...browser.cookies].map(([name, value]) => ({ name, value, url: browser.origin }));
}

/** Follows the navigations of a page's main frame, whose id is that of its target. */
function watchNavigation(on: Connection['on'], frame: string) {
  let isScheduled = false;
  let isLoading = false;
  let waiting: (() => void)[] = [];
  const isGoingOn = () => isScheduled || isLoading;
  const next = () => new Promise<void>((resolve) => waiting.push(resolve));
  const states = {
    'Page.frameScheduledNavigation': () => (isScheduled = true),
    'Page.frameRequestedNavigation': () => (isScheduled = true),
    'Page.frameClearedScheduledNavigation': () => (isScheduled = false),
    'Page.frameStartedLoading': () => (isLoading = true),
    'Page.frameNavigated': () => (isScheduled = false),
    'Page.frameStoppedLoading': () => (isScheduled = isLoading = false),
  };
  for (const [event, note] of Object.entries(states)) {
    on(event, ({ frameId, frame: navigated }) => {
      if ((frameId ?? navigated?.id) !== frame) return;
      note();
      const heard = waiting;
      waiting = [];
      for (const tell of heard) tell();
    });
  }
  return {
    isGoingOn,
    next,
    idle: async () => {
      while (isGoingOn()) await next();
    },
  };
}

type Message = {
  id?: number;
  method?: string;
  params?: { entry?: { source?: string; text?: string }; frameId?: string; frame?: { id?: string } };
  result?: object;
  error?: { message: string };
};
type Answer = Record<string, unknown>;

type Connection = Awaited<ReturnType<typeof connect>>;

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
