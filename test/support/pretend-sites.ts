import { env } from 'cloudflare:workers';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import { acquireBrowser, closeBrowser } from '#browsing/cdp/connect.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { tabsWithSites } from './made-up-sites.ts';
import type { Answer } from './made-up-sites.ts';
import { go } from './page-calls.ts';

export type TestBrowser = {
  acquired: AcquiredBrowser;
  tabs: OpenTabs;
  /** Opens an isolated, empty context. */
  openContext: () => Promise<string>;
  /** Opens a page. If a test opens it, it closes after this test. */
  openTab: (contextId: string, url: string) => Promise<OpenTab>;
  /** Opens a page that stays open for later tests. */
  openLastingTab: (contextId: string, url: string) => Promise<OpenTab>;
  close: () => Promise<void>;
};

/** Tabs that a test has opened. Pages that stay open slow down later tests. */
class TabsOfTest {
  #opened: { tab: OpenTab; tabs: OpenTabs }[] = [];

  add(tab: OpenTab, tabs: OpenTabs): void {
    this.#opened.push({ tab, tabs });
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
    await Promise.all(open.map(({ tab, tabs }) => tabs.close(tab)));
  }
}

export const tabsOfTest = new TabsOfTest();

/** A browser of the binding that sees the sites of a test. */
export async function browserWith(answer: (url: URL) => Answer, mayOpen = false): Promise<TestBrowser> {
  const acquired = await acquireBrowser(env.BROWSER);
  const tabs = await tabsWithSites(acquired.connection, answer, mayOpen);
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
