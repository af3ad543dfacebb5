import { describe, expect, it } from 'vitest';
import { detectHumanCheck } from '#browsing/session/handover.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const QUESTION = '<p>Please verify that you are human.</p>';
const LONG = 'a text of many words '.repeat(200);

const PAGES: Readonly<Record<string, string>> = {
  '/question': QUESTION,
  '/question-in-an-article': `<article>${LONG}</article>${QUESTION}`,
  '/question-over-hidden-text': `<div hidden>${LONG}</div><textarea hidden>${LONG}</textarea><script>/* ${LONG} */</script>${QUESTION}`,
  '/question-beside-a-field': `${QUESTION}<textarea>${LONG}</textarea>`,
  '/spaces': `<p>${' \n'.repeat(4_000)}</p>${QUESTION}`,
  '/password': '<input type="password">',
  '/code-of-a-card': '<label>Card number <input></label><label>CVC <input type="password"></label>',
  '/code-on-a-card': '<label>Security code <input type="password" autocomplete="section-pay cc-csc"></label>',
  '/code-of-a-card-in-view': '<label>Card number <input></label><label>Security code <input name="cvv"></label>',
  '/number-of-a-card': '<input type="password" placeholder="Card number">',
  '/password-and-card': '<input type="password" name="cvv"><input type="password" name="pass">',
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

const pages = recordedPages('session/wall', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>${pathname}</title><body>${body}</body>`;
});

describe('a field for a payment card', () => {
  it.each(['/code-of-a-card', '/code-on-a-card', '/code-of-a-card-in-view', '/number-of-a-card'])(
    'is no obstacle, but keeps pictures away: %s',
    async (path) => {
      const { tab } = await pages.open(`http://site.example${path}`);
      expect(await callIn(tab, tab.main(), pageScripts.detectWall, [], patience())).toBe('card');
    },
  );
});

describe('a request for the user on a page', () => {
  it.each([
    ['/question', 'captcha'],
    ['/question-in-an-article', ''],
    ['/question-over-hidden-text', 'captcha'],
    ['/question-beside-a-field', 'captcha'],
    ['/spaces', 'captcha'],
    ['/password', 'password'],
    ['/code-of-a-card', ''],
    ['/code-on-a-card', ''],
    ['/code-of-a-card-in-view', ''],
    ['/number-of-a-card', ''],
    ['/password-and-card', 'password'],
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
    const { tab } = await pages.open(`http://site.example${path}`);
    expect(await detectHumanCheck(tab)).toBe(wall);
  });
});
