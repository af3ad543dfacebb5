import { expect, it } from 'vitest';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { sessionOn } from '#support/session-work.ts';

/** The click lets `beforeunload` run, because browsers skip it on pages that nobody has used. */
const spinsOn = (event: string) =>
  `<button id="go">Go</button><script>addEventListener('${event}', () => { for (;;); })</script>`;
const workOn = sessionOn({
  '/beforeunload': spinsOn('beforeunload'),
  '/pagehide': spinsOn('pagehide'),
  '/frame': `<button id="go">Go</button><iframe src="http://other.example/beforeunload"></iframe>`,
  '/next': '<h1>The next page</h1>',
});
const GO = { history: undefined, newTab: false, waitUntil: 'load', timeoutMs: 15_000, snapshot: true } as const;

it.each(['beforeunload', 'pagehide', 'frame'])('a page that hangs as it is left is left: %s', async (path) => {
  for (const site of ['site', 'other']) {
    const work = await workOn(`/${path}`);
    const selector = path === 'frame' ? 'button "Go" nth=2' : '#go';
    await clickElement(work, { target: selector, button: 'left', clickCount: 1, modifiers: [], snapshot: false });
    const went = await navigateTab(work, { ...GO, url: `http://${site}.example/next` });
    expect(went).toMatchObject({ status: 200, stillLoading: false });
    expect(went.snapshot?.text).toContain('# The next page');
    await work.active.tabs.close(work.tab);
  }
});
