import { afterAll, beforeAll, expect, it } from 'vitest';
import { LiveInputDriver } from '#browsing/live-view/drive.ts';
import { LiveViewer } from '#browsing/live-view/viewer.ts';
import { SESSION_TABS_MAX } from '#core/limits.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
beforeAll(async () => {
  browser = await browserWith(() => null);
});
afterAll(() => browser.close());

it('a live view opens no more tabs for a user than a session may have, even if all are requested at once', async () => {
  const contextId = await browser.openContext();
  const { 0: own } = new WebSocketPair();
  own.accept();
  const viewer = new LiveViewer(own, crypto.randomUUID(), 'ada');
  const shown = {
    tabs: browser.tabs,
    browser: browser.acquired.connection.browser,
    open: () => browser.tabs.open(contextId),
    setActing: () => undefined,
  };
  const drive = new LiveInputDriver();
  const asked = Array.from({ length: SESSION_TABS_MAX + 10 }, () => drive.do({ kind: 'open' }, null, shown, viewer));
  await Promise.all(asked);
  expect(browser.tabs.all()).toHaveLength(SESSION_TABS_MAX);
});
