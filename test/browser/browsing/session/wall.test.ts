import { describe, expect, it } from 'vitest';
import { viewTabOnRequest } from '#browsing/session/operations/look-operations.ts';
import { OPERATIONS } from '#browsing/session/operations/table.ts';
import { runInTab } from '#browsing/session/operations/perform.ts';
import { sessionOn } from '#support/session-work.ts';

/** Which pages ask for what is tested on recorded pages. */
const PAGES: Readonly<Record<string, string>> = {
  '/question': '<p>Please verify that you are human.</p>',
  '/password': '<input type="password">',
  '/code': '<label>One-time code <input></label>',
  '/nothing': '<p>Welcome</p>',
};

describe('a request for the user on a page', () => {
  const open = sessionOn(PAGES);

  it.each([
    ['/question', 'captcha'],
    ['/password', 'password'],
    ['/code', 'code'],
    ['/nothing', ''],
  ])('is in the state of a call on %s: %s', async (path, wall) => {
    const { active, tab } = await open(path);
    const bounds = { effect: 'look' as const, isLook: true, callMs: 20_000, texts: OPERATIONS.snapshot.origins };
    const { state } = await runInTab('default', active, { tab: tab.id }, null, bounds, (work) =>
      viewTabOnRequest(work, {}),
    );
    expect(state).toMatchObject({ wall, tab: { title: path } });
  });
});
