import { expect, it } from 'vitest';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { sessionOn } from '#support/session-work.ts';

const open = sessionOn({
  '/hangs': 'It hangs',
  '/next': '<h1>The next page</h1>',
  '/crashes': `<button onclick="this.textContent = 'Count 1'; console.log('now')">Count</button>`,
});
const GO = { history: undefined, newTab: false, waitUntil: 'load', timeoutMs: 15_000, snapshot: true } as const;
/** Repeated, because either the crash or the failure that it causes may be reported first. */
const OFTEN = { repeats: 9 };

it('a URL opens in a new tab when the previous page crashes its tab', OFTEN, async () => {
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

it('a page that crashes as it opens is reported as crashed, and opened in no other tab', OFTEN, async () => {
  const work = await open('/hangs');
  const { tab: left } = work;
  const stop = left.session.on('Page.frameNavigated', () => {
    stop();
    left.session.send('Page.crash').catch(() => undefined);
  });
  const went = navigateTab(work, { ...GO, url: 'http://site.example/next', waitUntil: 'networkidle' });
  const error = await went.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ failure: { code: 'render_failed', page: 'crashed' } });
  expect(left.isOpen).toBe(false);
  expect(work.active.tabs.all()).not.toContain(left);
  expect(work.tab).toBe(left);
});

it('a step in which the page crashes ends the list and is reported', OFTEN, async () => {
  const work = await open('/crashes');
  const input = {
    steps: parseStepLines(['click "Count"', 'wait text=Never', 'click "Count"']),
    snapshot: false,
    expectsDialog: false,
  };
  const progress = createStepListProgress(input);
  const stop = work.tab.session.on('Runtime.consoleAPICalled', () => {
    stop();
    work.tab.session.send('Page.crash').catch(() => undefined);
  });
  const taken = runSteps(work, input, progress, () => false);
  const result = await taken.catch((caught: unknown) => caught);
  const told = [progress.failure, result];
  expect(JSON.stringify(told)).toContain('crashed');
  expect(work.tab.hasCrashed).toBe(true);
});
