import { expect, it } from 'vitest';
import { navigateTab } from '#browsing/session/operations/operations.ts';
import { sessionOn } from '#support/session-work.ts';

const open = sessionOn({ '/hangs': 'It hangs', '/next': '<h1>The next page</h1>' });
const GO = { history: undefined, newTab: false, waitUntil: 'load', timeoutMs: 15_000, snapshot: true } as const;
/** Which of the two is told first, the crash or what it broke off, is left to chance. */
const OFTEN = { repeats: 9 };

it('an address opens in a new tab when the page that is left takes its tab with it', OFTEN, async () => {
  const work = await open('/hangs');
  const { tab: left } = work;
  left.session.send('Page.crash').catch(() => undefined);
  const went = await navigateTab(work, { ...GO, url: 'http://site.example/next' });
  expect(left.isOpen).toBe(false);
  expect(work.tab).not.toBe(left);
  expect(went).toMatchObject({ status: 200, stillLoading: false });
  expect(went.snapshot?.text).toContain('# The next page');
  await work.active.tabs.close(work.tab);
});

it('an address opens in a new tab when its own page crashes before it is there, and only once', async () => {
  const work = await open('/hangs');
  const { tab: left } = work;
  const stop = left.session.on('Page.frameNavigated', () => {
    stop();
    left.session.send('Page.crash').catch(() => undefined);
  });
  const went = await navigateTab(work, { ...GO, url: 'http://site.example/next', waitUntil: 'networkidle' });
  expect(left.isOpen).toBe(false);
  expect(went).toMatchObject({ status: 200, stillLoading: false });
});
