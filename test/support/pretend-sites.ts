import { env } from 'cloudflare:workers';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import { acquireBrowser, closeBrowser } from '#browsing/cdp/connect.ts';
import { gateOnBrowser } from '#browsing/gate/request-gate.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';

/** What a site answers to an address: HTML, or more. `null` is a 404, `undefined` no answer at all. */
export type Answer = string | { html: string; headers: Record<string, string> } | null | undefined;

export type TestBrowser = {
  acquired: AcquiredBrowser;
  tabs: OpenTabs;
  /** Opens an isolated context with nothing in it. */
  openContext: () => Promise<string>;
  /** Opens a page. If a test opens it, it is closed after this test. */
  openTab: (contextId: string, url: string) => Promise<OpenTab>;
  /** Opens a page that stays open for later tests. */
  openLastingTab: (contextId: string, url: string) => Promise<OpenTab>;
  close: () => Promise<void>;
};

/** Tabs that a test has opened: pages that stay open slow down those of later tests. */
class TabsOfTest {
  #opened: { tab: OpenTab; tabs: OpenTabs }[] = [];

  add(tab: OpenTab, tabs: OpenTabs): void {
    this.#opened.push({ tab, tabs });
  }

  /** Leaves the pages open that a file opened before its first test. */
  forget(): void {
    this.#opened = [];
  }

  leave(tabs: OpenTabs): void {
    this.#opened = this.#opened.filter((one) => one.tabs !== tabs);
  }

  async close(): Promise<void> {
    // A page that crashed has taken its tab with it.
    const open = this.#opened.filter(({ tab, tabs }) => tabs.all().includes(tab));
    this.#opened = [];
    await Promise.all(open.map(({ tab, tabs }) => tabs.close(tab)));
  }
}

export const tabsOfTest = new TabsOfTest();

/**
 * A browser of the binding that sees sites made up by a test, https ones, too: the answers are given where the request
 * gate stands, on the browser itself.
 */
export async function browserWith(answer: (url: URL) => Answer, mayOpen = false): Promise<TestBrowser> {
  const acquired = await acquireBrowser(env.BROWSER);
  const { browser } = acquired.connection;
  browser.on('Fetch.requestPaused', ({ requestId, request }) => {
    const given = answer(new URL(request.url));
    if (given === undefined) return;
    const { html, headers } =
      typeof given === 'string' ? { html: given, headers: {} } : (given ?? { html: '', headers: {} });
    const responseHeaders = Object.entries({ 'content-type': 'text/html; charset=utf-8', ...headers }).map(
      ([name, value]) => ({ name, value }),
    );
    const body = btoa(Array.from(new TextEncoder().encode(html), (byte) => String.fromCharCode(byte)).join(''));
    const responseCode = given === null ? 404 : 200;
    browser.send('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders, body }).catch(() => undefined);
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] });
  const tabs = new OpenTabs(acquired.connection, { mayOpen: () => mayOpen });
  await tabs.start(gateOnBrowser);
  const openLastingTab = async (contextId: string, url: string) => {
    const tab = await tabs.open(contextId);
    await go(tab, url);
    return tab;
  };
  return {
    acquired,
    tabs,
    openContext: () => tabs.openContext(),
    openTab: async (contextId, url) => {
      const tab = await openLastingTab(contextId, url);
      tabsOfTest.add(tab, tabs);
      return tab;
    },
    openLastingTab,
    close: async () => {
      tabsOfTest.leave(tabs);
      acquired.connection.close();
      await closeBrowser(env.BROWSER, acquired.id);
    },
  };
}

/** Sends a tab to an address and waits until it has loaded, its frames included. */
export async function go(tab: OpenTab, url: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const loads: string[] = [];
  let wanted: string | undefined;
  const off = tab.session.on('Page.lifecycleEvent', ({ name, loaderId }) => {
    if (name === 'load') loads.push(loaderId);
    if (wanted !== undefined && loads.includes(wanted)) resolve();
  });
  wanted = (await tab.session.send('Page.navigate', { url })).loaderId;
  if (wanted !== undefined && !loads.includes(wanted)) await promise;
  off();
}

/** What an expression gives in the page's own world, awaited, as JSON. */
export async function inPage(tab: OpenTab, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await tab.session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
