import { SentViewMemory } from '#browsing/session/sent-views.ts';
import { afterAll, beforeAll } from 'vitest';
import { browserLevelGate } from '#browsing/gate/request-gate.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { ElementRefs } from '#browsing/refs/refs.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { patience } from './page-calls.ts';
import { browserWith } from './pretend-sites.ts';
import type { TestBrowser } from './pretend-sites.ts';
import { testDownloads } from './test-downloads.ts';
import { testSecrets } from './test-secrets.ts';

/** Opens one of the pages in a tab of its own, as operations of a session need it, without the session object. */
export type OpenWork = (path: string, signal?: AbortSignal) => Promise<OperationWork>;

/**
 * One browser for the tests of a file, and the pages of its only site.
 * @param pages the content of the body, by path; a page's title is its path. `null`: the site never answers
 */
export function sessionOn(pages: Readonly<Record<string, string | null>>): OpenWork {
  let browser: TestBrowser;
  let contextId = '';
  beforeAll(async () => {
    browser = await browserWith(({ pathname }) => {
      const body = pages[pathname];
      if (body === null) return undefined;
      return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
    });
    contextId = await browser.openContext();
  });
  afterAll(() => browser.close());
  return async (path, signal = patience()) => {
    const tab = await browser.openReusedTab(contextId, `http://site.example${path}`);
    return workIn(browser, contextId, tab, signal);
  };
}

export function workIn(
  { acquired, tabs }: TestBrowser,
  contextId: string,
  tab: OpenTab,
  signal = patience(),
): OperationWork {
  const active = {
    browser: acquired,
    contextId,
    tabs,
    gate: browserLevelGate,
    decide: async () => null,
    lastLooks: new WeakMap(),
    sent: new SentViewMemory(),
    downloads: testDownloads(),
    secrets: testSecrets(),
    rules: new PageRules(),
    hold: null,
    noteSent: null,
    onHeld: null,
    refs: new ElementRefs(),
    isActing: false,
  };
  return { active, tab, effect: 'act', signal, endsAt: Infinity };
}
