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
  '/nothing': '<p>Welcome</p>',
};

describe('what in a page asks for a person', () => {
  const open = sessionOn(PAGES);

  it.each([
    ['/question', 'captcha'],
    ['/question-in-an-article', ''],
    ['/question-over-hidden-text', 'captcha'],
    ['/question-beside-a-field', 'captcha'],
    ['/spaces', 'captcha'],
    ['/password', 'password'],
    ['/code', 'code'],
    ['/nothing', ''],
  ])('is known of %s: %s', async (path, wall) => {
    const { active, tab } = await open(path);
    const bounds = { isLook: true, callMs: 20_000, texts: OPERATIONS.snapshot.origins };
    const { state } = await perform('default', active, { tab: tab.id }, null, bounds, (work) => viewTab(work, {}));
    expect(state).toMatchObject({ wall, tab: { title: path } });
  });
});
