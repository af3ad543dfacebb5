import { env } from 'cloudflare:workers';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import { acquireBrowser, closeBrowser } from '#browsing/cdp/connect.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { tabsWithSites } from './made-up-sites.ts';
import type { Answer } from './made-up-sites.ts';
import { go } from './page-calls.ts';
import { IDLE_PATH, ReusedTabs } from './reused-tabs.ts';

export type TestBrowser = {
  acquired: AcquiredBrowser;
  tabs: OpenTabs;
  /** Opens an isolated, empty context. */
  openContext: () => Promise<string>;
  /** Opens a page. If a test opens it, it closes after this test. */
  openTab: (contextId: string, url: string) => Promise<OpenTab>;
  /** Like `openTab`, but in the tab of an earlier test if there is one. */
  openReusedTab: (contextId: string, url: string) => Promise<OpenTab>;
  /** Opens a page that stays open for later tests. */
  openLastingTab: (contextId: string, url: string) => Promise<OpenTab>;
  close: () => Promise<void>;
};

/** Tabs that a test has opened. Pages that stay open slow down later tests. */
class TabsOfTest {
  #opened: { tab: OpenTab; tabs: OpenTabs; end: () => Promise<void> }[] = [];

  add(tab: OpenTab, tabs: OpenTabs, end = () => tabs.close(tab)): void {
    this.#opened.push({ tab, tabs, end });
  }

  /** Does not close pages that a file opened before its first test. */
  forget(): void {
    this.#opened = [];
  }

  leave(tabs: OpenTabs): void {
    this.#opened = this.#opened.filter((one) => one.tabs !== tabs);
  }

  async close(): Promise<void> {
    // A crashed page has removed its tab.
    const open = this.#opened.filter(({ tab, tabs }) => tabs.all().includes(tab));
    this.#opened = [];
    await Promise.all(open.map(({ end }) => end()));
  }
}

export const tabsOfTest = new TabsOfTest();

/** A browser of the binding that sees the sites of a test. */
export async function browserWith(answer: (url: URL) => Answer, mayOpen = false): Promise<TestBrowser> {
  const acquired = await acquireBrowser(env.BROWSER);
  const answered = (url: URL) => (url.pathname === IDLE_PATH ? '' : answer(url));
  const tabs = await tabsWithSites(acquired.connection, answered, mayOpen);
  const reused = new ReusedTabs(acquired.connection.browser, tabs);
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
    openReusedTab: async (contextId, url) => {
      const tab = (await reused.take(contextId)) ?? (await tabs.open(contextId));
      await go(tab, url);
      tabsOfTest.add(tab, tabs, () => reused.giveBack(tab));
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
