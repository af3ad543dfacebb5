import { expect, it } from 'vitest';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { WHOLE_DOCUMENT_ELEMENTS_MAX } from '#browsing/tabs/limits.ts';
import { sessionOn } from '#support/session-work.ts';

const workOn = sessionOn({ '/busy': '<p>Busy', '/next': '<h1>The next page</h1>' });
const GO = { history: undefined, newTab: false, waitUntil: 'load', timeoutMs: 15_000, snapshot: true } as const;

it.each([
  ['large page', WHOLE_DOCUMENT_ELEMENTS_MAX + 1],
  ['page that could not be counted', null],
])('a URL opens in a new tab when the process of a %s stays busy', async (_page, size) => {
  const work = await workOn('/busy');
  const { tab: left } = work;
  if (size !== null) left.sizes.note(left.main(), size);
  left.session.send('Runtime.evaluate', { expression: 'for (;;);' }).catch(() => undefined);
  if (size === null) left.sizes.count(left.main()).catch(() => undefined);
  const went = await navigateTab(work, { ...GO, url: 'http://site.example/next' });
  expect(work.tab).not.toBe(left);
  expect(left.hasCrashed).toBe(true);
  expect(went).toMatchObject({ status: 200, stillLoading: false });
  expect(went.snapshot?.text).toContain('# The next page');
});

it('a large page that responds is left in its tab', async () => {
  const work = await workOn('/busy');
  const { tab } = work;
  tab.sizes.note(tab.main(), WHOLE_DOCUMENT_ELEMENTS_MAX + 1);
  await navigateTab(work, { ...GO, url: 'http://site.example/next' });
  expect(work.tab).toBe(tab);
});
