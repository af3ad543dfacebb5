import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { captureSession } from '#browsing/park/capture.ts';
import { restoreSession } from '#browsing/park/restore.ts';
import { RenderBrowser } from '#browsing/rendering/render-browser.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { openActiveSession } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { parseConfig } from '#core/config/config.ts';
import { cachedResolver } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { go, inPage } from '#support/page-calls.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';
import { refusingBinding } from '#support/refusing-browser.ts';

/** Users of the gate besides pages: a restored session, and the renderer. */

const LOGIN = 'http://login.acme.dev';
const FRAMED = 'http://docs.acme.dev/alarms';
const RENDER_MS = 20_000;

const passed: string[] = [];
let used: AcquiredBrowser | null = null;

afterEach(async () => {
  passed.length = 0;
  if (used !== null) await closeBrowserAndConnection(env.BROWSER, used);
});

async function refusingBrowser(): Promise<AcquiredBrowser> {
  used = await acquireBrowser(refusingBinding(env.BROWSER));
  return used;
}

const decided = createCachedUrlDecider({ policy: netPolicy(parseConfig({}), []), resolve: cachedResolver }, Date.now);
const decide: typeof decided = (url) => {
  passed.push(url);
  return decided(url);
};

const FRAME = `new Promise((loaded) => {
  const frame = document.createElement('iframe');
  frame.onload = () => loaded(true);
  frame.src = '${FRAMED}';
  document.body.append(frame);
})`;

/** The value of a script in the frame of the other site. */
async function inFrame(tab: OpenTab, expression: string): Promise<unknown> {
  const frame = tab.frames().find(({ url }) => url === FRAMED);
  if (frame === undefined) throw new Error('no such frame');
  const contextId = await tab.world(frame);
  const evaluated = await frame.session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  if (evaluated.exceptionDetails !== undefined) throw new Error(evaluated.exceptionDetails.exception?.description);
  return evaluated.result.value;
}

/** Restores a session in a separate context, as the session object does. */
async function bringBack(live: ActiveSession, tab: OpenTab): Promise<{ tab: OpenTab; couldNot: string[] }> {
  const root = live.browser.connection.browser;
  const parked = await captureSession(root, live.contextId, [tab], null);
  await live.tabs.closeContext(live.contextId);
  const context = await live.tabs.openContext();
  const opened: OpenTab[] = [];
  const open = async () => {
    const one = await live.tabs.open(context);
    opened.push(one);
    return one;
  };
  const door = { open, close: async () => undefined, fulfillAll: live.gate.fulfillAll };
  const { couldNot } = await restoreSession(parked, door, root, context, new AbortController().signal);
  const [again] = opened;
  if (again === undefined) throw new Error('no tab came back');
  return { tab: again, couldNot };
}

describe('behind a gate on the targets,', () => {
  it('a session is restored with its cookies and the storage of its pages and frames, and requests only its pages', async () => {
    const live = await openActiveSession(
      await refusingBrowser(),
      decide,
      { nextRef: 1, lastTab: 0 },
      testDownloads(),
      testSecrets(),
      new PageRules(),
    );
    expect(live.gate.isOn).toBe('targets');
    const first = await live.tabs.open(live.contextId);
    await go(first, `${LOGIN}/`);
    await go(first, `${LOGIN}/who`);
    await inPage(first, FRAME);
    await inFrame(first, `localStorage.setItem('of the frame', 'kept')`);

    passed.length = 0;
    const { tab, couldNot } = await bringBack(live, first);
    expect(couldNot).toEqual([]);
    expect(await inPage(tab, 'document.body.innerText')).toMatch(/Cookie: session=abc-of-the-test\.\s+Cart: 3 pens/);
    expect(passed.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([`${LOGIN}/who`]);
    await inPage(tab, FRAME);
    expect(await inFrame(tab, `localStorage.getItem('of the frame')`)).toBe('kept');
  });

  it('a page is rendered from the fetched body, and its requests pass the gate', async () => {
    const browser = await new RenderBrowser(await refusingBrowser(), async () => undefined).start(decide);
    const html = `<!doctype html><title>Held</title><p id="said">Loading</p><script>
      fetch('http://10.9.8.7/private').catch(() => { said.textContent = 'A script wrote this, and got nowhere else.' })
    </script>`;
    const page = { url: 'http://docs.acme.dev/held', html, maxBytes: 100_000 };
    const rendered = await browser.render(page, Date.now() + RENDER_MS, new AbortController().signal);
    expect(rendered).toMatchObject({ finalUrl: page.url, isCut: false });
    expect(rendered.html).toContain('A script wrote this, and got nowhere else.');
    expect(passed).toContain('http://10.9.8.7/private');
  });
});
