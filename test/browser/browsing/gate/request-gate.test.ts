import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { documentGuardScript } from '#browsing/gate/request-gate.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { openActiveSession } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { cachedResolver } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { go, inPage } from '#support/page-calls.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';
import { refusingBinding } from '#support/refusing-browser.ts';

const PAGE = 'http://docs.acme.dev/alarms';
const POLICY = netPolicy(parseConfig({}), []);
const NOT_PUBLIC = 'the address is not public';
const NAME_NOT_PUBLIC = 'the host name is not public';

/** Elements that a page may contain, and the report to the caller. */
const REFUSED: readonly { html: string; url: string; reason: string }[] = [
  { html: '<img src="http://127.0.0.1/a">', url: 'http://127.0.0.1/a', reason: NOT_PUBLIC },
  { html: '<img src="http://2130706433/b">', url: 'http://127.0.0.1/b', reason: NOT_PUBLIC },
  { html: '<img src="http://0x7f.1/c">', url: 'http://127.0.0.1/c', reason: NOT_PUBLIC },
  { html: '<img src="http://0177.0.0.01/d">', url: 'http://127.0.0.1/d', reason: NOT_PUBLIC },
  { html: '<img src="http://[::1]/">', url: 'http://[::1]/', reason: NOT_PUBLIC },
  { html: '<img src="http://[::ffff:10.0.0.1]/">', url: 'http://[::ffff:a00:1]/', reason: NOT_PUBLIC },
  { html: '<img src="http://[fe80::1]/">', url: 'http://[fe80::1]/', reason: NOT_PUBLIC },
  { html: '<iframe src="http://192.168.0.1/"></iframe>', url: 'http://192.168.0.1/', reason: NOT_PUBLIC },
  { html: '<link rel="stylesheet" href="http://10.0.0.1:8080/">', url: 'http://10.0.0.1:8080/', reason: NOT_PUBLIC },
  { html: '<object data="http://0.0.0.0/"></object>', url: 'http://0.0.0.0/', reason: NOT_PUBLIC },
  { html: '<img src="http://localhost./">', url: 'http://localhost./', reason: NAME_NOT_PUBLIC },
  {
    html: '<img src="http://metadata.google.internal/">',
    url: 'http://metadata.google.internal/',
    reason: NAME_NOT_PUBLIC,
  },
  {
    html: '<img src="http://inside.acme.dev/">',
    url: 'http://inside.acme.dev/',
    reason: 'the host name leads to an address that is not public',
  },
  {
    html: '<img src="http://docs.acme.dev:22/">',
    url: 'http://docs.acme.dev:22/',
    reason: 'port 22 is not one that web sites use',
  },
  { html: '<img src="/to-private">', url: 'http://169.254.169.254/latest', reason: NOT_PUBLIC },
  {
    html: `<iframe srcdoc="<img src='http://169.254.169.254/srcdoc'>"></iframe>`,
    url: 'http://169.254.169.254/srcdoc',
    reason: NOT_PUBLIC,
  },
];

const ASKS = `fetch('http://10.9.8.7/from-a-worker', { mode: 'no-cors' })`;
const blobOf = (code: string) =>
  `URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' }))`;
const WORKER = `new Worker(${blobOf(ASKS)})`;

const WAYS = [
  { isOn: 'browser', binding: env.BROWSER },
  { isOn: 'targets', binding: refusingBinding(env.BROWSER) },
] as const;

describe.each(WAYS)('a page behind a gate on the $isOn', ({ isOn, binding }) => {
  let live: ActiveSession;
  let tab: OpenTab;

  beforeAll(async () => {
    const decide = createCachedUrlDecider({ policy: POLICY, resolve: cachedResolver }, Date.now);
    live = await openActiveSession(
      await acquireBrowser(binding),
      decide,
      { nextRef: 1, lastTab: 0 },
      testDownloads(),
      testSecrets(),
      new PageRules(),
    );
    tab = await live.tabs.open(live.contextId);
    await go(tab, PAGE);
  });

  afterAll(async () => {
    await closeBrowserAndConnection(env.BROWSER, live.browser);
  });

  it('is gated at the level that the browser service allows', () => {
    expect(live.gate.isOn).toBe(isOn);
  });

  it('is refused every private address, and the caller gets the address and the reason', async () => {
    const mark = tab.log.mark;
    await inPage(tab, `document.body.innerHTML = ${JSON.stringify(REFUSED.map(({ html }) => html).join(''))}`);
    const told = () =>
      tab.log.since(mark).flatMap((event) => {
        return event.kind === 'refused' ? [{ url: event.url, reason: event.reason }] : [];
      });
    const expected = inOrder(REFUSED.map(({ url, reason }) => ({ url, reason })));
    await vi.waitFor(() => expect(inOrder(told())).toEqual(expected), 20_000);
  });

  it.each(['window', `document.body.appendChild(document.createElement('iframe')).contentWindow`])(
    'can open a WebSocket to its own host and no other, under any name: %s',
    async (realm) => {
      const tried = `((realm) => ['ws://127.0.0.1/', 'ws://other.acme.dev/', 'ws://docs.acme.dev:22/', 'ws://docs.acme.dev/', '/own'].map((url) => {
        try {
          const socket = new realm.WebSocket.prototype.constructor(url);
          socket.close();
          return socket instanceof realm.WebSocket ? socket.url : 'something else';
        } catch ({ name }) {
          return name;
        }
      }))(${realm})`;
      expect(await inPage(tab, tried)).toEqual([
        'SecurityError',
        'SecurityError',
        'SecurityError',
        'ws://docs.acme.dev/',
        'ws://docs.acme.dev/own',
      ]);
    },
  );

  it('keeps its guard when the guard runs again, without a message', async () => {
    await inPage(tab, documentGuardScript(null));
    const tried = `(() => { try { return new WebSocket('ws://127.0.0.1/').url } catch ({ name }) { return name } })()`;
    expect(await inPage(tab, tried)).toBe('SecurityError');
  });

  it('gets the response for requests without a password, because no user can be asked for one', async () => {
    const guarded = await live.tabs.open(live.contextId);
    const { errorText } = await guarded.session.send('Page.navigate', { url: 'http://docs.acme.dev/guarded' });
    expect(errorText).toBeUndefined();
    await vi.waitFor(
      async () => expect(await inPage(guarded, 'document.body.innerText')).toBe('For members only.'),
      60_000,
    );
    await live.tabs.close(guarded);
  });

  it('keeps its own URL when an error page replaces it', async () => {
    const refused = await live.tabs.open(live.contextId);
    await refused.session.send('Page.navigate', { url: 'http://127.0.0.1/inside' });
    await vi.waitFor(() => expect(refused.main().url).toBe('http://127.0.0.1/inside'), 60_000);
    await live.tabs.close(refused);
  });

  it.each([
    ['a worker', WORKER],
    [
      'a worker of a frame',
      `document.body.appendChild(document.createElement('iframe')).contentWindow.eval(${JSON.stringify(WORKER)})`,
    ],
    ['a worker of a worker', `new Worker(${blobOf(WORKER)})`],
    ...(isOn === 'browser' ? [['a shared worker', `new SharedWorker(${blobOf(ASKS)})`]] : []),
  ])('reaches no private address through %s, and the caller is told', async (_, expression) => {
    const mark = tab.log.mark;
    await inPage(tab, `void (${expression})`);
    await vi.waitFor(() => {
      const told = tab.log.since(mark).flatMap((event) => (event.kind === 'refused' ? [event.url] : []));
      expect(told).toEqual(['http://10.9.8.7/from-a-worker']);
    }, 60_000);
  });

  it('has shared workers only if their requests are watched', async () => {
    expect(await inPage(tab, 'typeof SharedWorker')).toBe(isOn === 'browser' ? 'function' : 'undefined');
  });

  it('has no sockets of any kind in a worker', async () => {
    const script = `postMessage(['WebSocket', 'WebSocketStream', 'WebTransport', 'RTCPeerConnection'].map((name) => typeof self[name]))`;
    const worker = `new Promise((resolve) => {
      new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}], { type: 'text/javascript' }))).onmessage = ({ data }) => resolve(data);
    })`;
    expect(await inPage(tab, worker)).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  });
});

describe('a browser that does not allow its requests to be watched', () => {
  it('shows no page, and reports the reason', async () => {
    const browser = await acquireBrowser(refusingBinding(env.BROWSER, 'everywhere'));
    try {
      const { tabs, contextId } = await openActiveSession(
        browser,
        async () => null,
        { nextRef: 1, lastTab: 0 },
        testDownloads(),
        testSecrets(),
        new PageRules(),
      );
      await expect(tabs.open(contextId)).rejects.toMatchObject({
        failure: { code: 'render_failed', reason: 'the browser service does not let its requests be checked' },
      });
      expect(tabs.all()).toEqual([]);
    } finally {
      await closeBrowserAndConnection(env.BROWSER, browser);
    }
  });
});

function inOrder(told: { url: string; reason: string }[]) {
  return told.sort((one, other) => one.url.localeCompare(other.url));
}
