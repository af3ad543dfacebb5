import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHtmlOfPage } from '#browsing/read/html.ts';
import { startActing } from '#support/acting.ts';
import { patience } from '#support/page-calls.ts';

const PAGES = {
  '/deep': `<div id="top"></div><script>let at = document.querySelector('#top');
    for (let n = 0; n < 3000; n += 1) { const next = document.createElement('b'); at.append(next); at = next } at.textContent = 'bottom'</script>`,
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

describe('the HTML of a page', () => {
  it('includes elements at any depth', async () => {
    const { tab } = await browser.open('/deep');
    const { html } = await readHtmlOfPage(tab, { element: null, maxBytes: 50_000, keepsScripts: false }, patience());
    expect(html).toContain('<b>bottom</b>');
  });
});
