import { describe, expect, it } from 'vitest';
import { clickElement } from '#browsing/session/operations/act-operations.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import { sessionOn } from '#support/session-work.ts';

const BLOCK = `for (const end = Date.now() + 6000; Date.now() < end;);`;
const workOn = sessionOn({
  '/': `<button onclick="setTimeout(() => { ${BLOCK} })">Go</button>`,
  '/slow': `<p>Ready</p><script>addEventListener('load', () => setTimeout(() => { ${BLOCK} }))</script>`,
});

const LEFT_MS = 4_000;

describe('a page that is too slow to be read', () => {
  it.each([
    ['the call', LEFT_MS],
    ['the navigation, although the call may take longer', 24_000],
  ])('is reported as opened, without its view, at the time limit of %s', async (_limit, leftMs) => {
    const work = { ...(await workOn('/')), endsAt: Date.now() + leftMs };
    const went = await navigateTab(work, {
      url: 'http://site.example/slow',
      history: undefined,
      newTab: false,
      waitUntil: 'domcontentloaded',
      timeoutMs: 1_500,
      snapshot: true,
    });
    expect(went).toMatchObject({ status: 200, snapshot: null, isUnread: true });
  });

  it('is reported as clicked, without its view', async () => {
    const work = { ...(await workOn('/')), endsAt: Date.now() + LEFT_MS };
    const input = { target: 'button "Go"', button: 'left', clickCount: 1, modifiers: [], snapshot: true } as const;
    expect(await clickElement(work, input)).toMatchObject({ landed: 'click', snapshot: null, unknown: 'after' });
  });
});
