import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { gateOnBrowser } from '#browsing/gate/request-gate.ts';
import { Refs } from '#browsing/refs/refs.ts';
import type { Work } from '#browsing/session/operations/perform.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { patience } from './acting.ts';
import { browserWith } from './pretend-sites.ts';
import type { TestBrowser } from './pretend-sites.ts';
import { testDownloads } from './test-downloads.ts';
import { testSecrets } from './test-secrets.ts';

/** Opens one of the pages in a tab of its own: what an operation of a session works on, without the object around it. */
export type OpenWork = (path: string, signal?: AbortSignal) => Promise<Work>;

/**
 * One browser for the tests of a file, and the pages of its only site. What a test opens is closed after it: pages that stay
 * open slow down those of later tests.
 * @param pages the content of the body, by path; a page's title is its path
 */
export function sessionOn(pages: Readonly<Record<string, string>>): OpenWork {
  let browser: TestBrowser;
  let contextId = '';
  let opened: OpenTab[] = [];
  beforeAll(async () => {
    browser = await browserWith(({ pathname }) => {
      const body = pages[pathname];
      return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
    });
    contextId = await browser.openContext();
  });
  beforeEach(() => void (opened = []));
  afterEach(async () => {
    // A page that crashed has taken its tab with it.
    const all = browser.tabs.all();
    for (const tab of opened) if (all.includes(tab)) await browser.tabs.close(tab);
  });
  afterAll(() => browser.close());
  return async (path, signal = patience()) => {
    const tab = await browser.openTab(contextId, `http://site.example${path}`);
    opened.push(tab);
    const active = {
      browser: browser.acquired,
      contextId,
      tabs: browser.tabs,
      gate: gateOnBrowser,
      lastLooks: new WeakMap(),
      downloads: testDownloads(),
      secrets: testSecrets(),
      refs: new Refs(),
      isActing: false,
    };
    return { active, tab, signal, endsAt: Infinity };
  };
}
