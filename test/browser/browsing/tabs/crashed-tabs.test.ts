import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CdpError } from '#browsing/cdp/connection.ts';
import { writeResultText } from '#browsing/result-text.ts';
import { createClosedSessionState } from '#browsing/session/replies.ts';
import { inPage } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await browserWith(() => '<title>Heavy</title>');
});

afterAll(() => browser.close());

it('a tab whose page crashed is gone, and the next result reports it once, for whichever tab', async () => {
  const context = await browser.openContext();
  const tab = await browser.openTab(context, 'https://heavy.example/');
  tab.session.send('Page.crash').catch(() => undefined);
  await vi.waitFor(() => expect(browser.tabs.all()).toEqual([]), 60_000);
  const events = browser.tabs.takeUnreported();
  expect(events).toEqual([{ kind: 'crash', tab: tab.id }]);
  expect(browser.tabs.takeUnreported()).toEqual([]);
  const empty = { id: 't2', url: 'about:blank', title: '' };
  const state = { ...createClosedSessionState('s'), tab: empty, tabs: [empty], events };
  const text = await writeResultText(state, { head: 'The page as it is now.', next: [] });
  expect(text).toContain(`Note: Tab ${tab.id} is closed: its page crashed, or hung and was stopped.`);
});

it('a request to a page fails at once when the page crashes', async () => {
  const tab = await browser.openTab(await browser.openContext(), 'https://heavy.example/');
  const asked = inPage(tab, 'new Promise(() => undefined)');
  tab.session.send('Page.crash').catch(() => undefined);
  await expect(asked).rejects.toThrow(CdpError);
  expect(browser.tabs.takeUnreported()).toEqual([{ kind: 'crash', tab: tab.id }]);
});

it('a tab that closes itself is gone', async () => {
  const tab = await browser.openTab(await browser.openContext(), 'https://heavy.example/');
  tab.session.send('Page.close').catch(() => undefined);
  await vi.waitFor(() => expect(browser.tabs.all()).toEqual([]), 60_000);
  expect(tab.isOpen).toBe(false);
  expect(browser.tabs.takeUnreported()).toEqual([]);
});
