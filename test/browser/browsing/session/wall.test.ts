import { describe, expect, it } from 'vitest';
import { viewTab } from '#browsing/session/operations/operations.ts';
import { OPERATIONS } from '#browsing/session/operations/table.ts';
import { perform } from '#browsing/session/operations/perform.ts';
import { sessionOn } from '#support/session-work.ts';

const QUESTION = '<p>Please verify that you are human.</p>';
const LONG = 'a text of many words '.repeat(200);

const PAGES: Readonly<Record<string, string>> = {
  '/question': QUESTION,
  '/question-in-an-article': `<article>${LONG}</article>${QUESTION}`,
  '/question-over-hidden-text': `<div hidden>${LONG}</div><textarea hidden>${LONG}</textarea><script>/* ${LONG} */</script>${QUESTION}`,
  '/question-beside-a-field': `${QUESTION}<textarea>${LONG}</textarea>`,
  '/spaces': `<p>${' \n'.repeat(4_000)}</p>${QUESTION}`,
  '/password': '<input type="password">',
  '/code': '<label>One-time code <input></label>',
  '/code-that-no-name-tells': '<h1>Check your phone</h1><p>Enter the 6-digit code we sent you.</p><input name="x">',
  '/boxes-of-a-code': `<p>Type in your code</p>${'<input maxlength="1">'.repeat(6)}`,
  '/code-of-an-app': '<p>Enter the code from your authenticator app</p><input name="x">',
  '/code-of-a-town': '<p>Enter your 5-digit zip code to find a shop near you.</p><input name="q">',
  '/code-of-an-offer': '<p>Save a tenth: enter the code SAVE10 when you pay.</p><input name="q">',
  '/code-of-a-shop': '<label>Promo code <input></label><p>Enter the amount</p>',
  '/code-in-a-form': '<p>Enter the postal code</p><input name="street"><input name="town">',
  '/nothing': '<p>Welcome</p>',
};

describe('a request for the user on a page', () => {
  const open = sessionOn(PAGES);

  it.each([
    ['/question', 'captcha'],
    ['/question-in-an-article', ''],
    ['/question-over-hidden-text', 'captcha'],
    ['/question-beside-a-field', 'captcha'],
    ['/spaces', 'captcha'],
    ['/password', 'password'],
    ['/code', 'code'],
    ['/code-that-no-name-tells', 'code'],
    ['/boxes-of-a-code', 'code'],
    ['/code-of-an-app', 'code'],
    ['/code-of-a-town', ''],
    ['/code-of-an-offer', ''],
    ['/code-of-a-shop', ''],
    ['/code-in-a-form', ''],
    ['/nothing', ''],
  ])('is detected on %s: %s', async (path, wall) => {
    const { active, tab } = await open(path);
    const bounds = { effect: 'look' as const, isLook: true, callMs: 20_000, texts: OPERATIONS.snapshot.origins };
    const { state } = await perform('default', active, { tab: tab.id }, null, bounds, (work) => viewTab(work, {}));
    expect(state).toMatchObject({ wall, tab: { title: path } });
  });
});
