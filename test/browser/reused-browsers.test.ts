import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireBrowser, closeBrowser } from '#browsing/cdp/connect.ts';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import type { CdpConnection, CdpSession } from '#browsing/cdp/connection.ts';
import { endBrowser, isGone } from '#support/ended-browser.ts';

const ORIGIN = 'https://site.example';
const COOKIE = { name: 'left', value: 'over', url: ORIGIN };

let open: string[] = [];

afterEach(async () => {
  for (const id of open) await closeBrowser(env.BROWSER, id);
  open = [];
});

async function start(): Promise<AcquiredBrowser> {
  const browser = await acquireBrowser(env.BROWSER);
  open.push(browser.id);
  return browser;
}

/** The page that a browser starts with: a different one in each browser. */
async function firstPage(browser: CdpSession): Promise<string> {
  const { targetInfos } = await browser.send('Target.getTargets');
  return targetInfos.map(({ targetId }) => targetId).join();
}

describe('a browser that a test closed', () => {
  it('is the next browser, under another id', async () => {
    const first = await start();
    const page = await firstPage(first.connection.browser);
    await closeBrowser(env.BROWSER, first.id);
    expect(await isGone(first.id)).toBe(true);
    const second = await start();
    expect(second.id).not.toBe(first.id);
    expect(await firstPage(second.connection.browser)).toBe(page);
  });

  it('is not reused if it has ended', async () => {
    const first = await start();
    const page = await firstPage(first.connection.browser);
    await endBrowser(first.id);
    await closeBrowser(env.BROWSER, first.id);
    expect(await firstPage((await start()).connection.browser)).not.toBe(page);
  });

  it('is as empty as a new one: contexts, pages, cookies and permissions', async () => {
    const first = await start();
    const page = await firstPage(first.connection.browser);
    const before = await contentOf(first.connection);
    const { browser } = first.connection;
    const { browserContextId } = await browser.send('Target.createBrowserContext', {});
    await browser.send('Target.createTarget', { url: `${ORIGIN}/`, browserContextId });
    await browser.send('Target.createTarget', { url: `${ORIGIN}/` });
    await browser.send('Storage.setCookies', { cookies: [COOKIE] });
    await browser.send('Browser.grantPermissions', { origin: ORIGIN, permissions: ['geolocation'] });
    expect(before).toMatchObject({ contexts: [], pages: [{ type: 'page', url: 'about:blank' }], cookies: [] });
    const used = { contexts: [browserContextId], cookies: [{ name: 'left', value: 'over' }], permission: 'granted' };
    expect(await contentOf(first.connection)).toMatchObject(used);
    await closeBrowser(env.BROWSER, first.id);
    const second = await start();
    expect(await firstPage(second.connection.browser)).toBe(page);
    expect(await contentOf(second.connection)).toEqual(before);
  });
});

/** Everything that a browser holds: its contexts and pages, and what is stored for the context that it starts with. */
async function contentOf(connection: CdpConnection) {
  const { browser } = connection;
  const { browserContextIds } = await browser.send('Target.getBrowserContexts');
  const { targetInfos } = await browser.send('Target.getTargets');
  const { cookies } = await browser.send('Storage.getCookies');
  return {
    contexts: browserContextIds,
    pages: targetInfos.map(({ type, url }) => ({ type, url })),
    cookies: cookies.map(({ name, value }) => ({ name, value })),
    permission: await permissionOfPage(connection),
  };
}

async function permissionOfPage(connection: CdpConnection): Promise<unknown> {
  const { targetId } = await connection.browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await connection.browser.send('Target.attachToTarget', { targetId, flatten: true });
  const tab = connection.session(sessionId);
  tab.on('Fetch.requestPaused', ({ requestId }) => {
    void tab.send('Fetch.fulfillRequest', { requestId, responseCode: 200, body: btoa('<title>A page</title>') });
  });
  const loaded = Promise.withResolvers<unknown>();
  tab.on('Page.loadEventFired', loaded.resolve);
  await tab.send('Page.enable');
  await tab.send('Fetch.enable', {});
  await tab.send('Page.navigate', { url: `${ORIGIN}/` });
  await loaded.promise;
  const expression = `navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`;
  const { result } = await tab.send('Runtime.evaluate', { expression, awaitPromise: true });
  await connection.browser.send('Target.closeTarget', { targetId });
  return result.value;
}
