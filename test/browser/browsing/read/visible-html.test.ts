import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readVisibleHtml } from '#browsing/read/html.ts';
import { patience } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const PAGE = `<!doctype html><title>A page</title><body>${'<div>'.repeat(400)}deep${'</div>'.repeat(400)}<script>
  for (let n = 0; n < 10000; n += 1) document.body.append(Object.assign(document.createElement('p'), { textContent: 'Part ' + n }))</script>`;

let browser: TestBrowser;

beforeAll(async () => {
  browser = await browserWith(() => PAGE);
});
afterAll(() => browser.close());

describe('the visible HTML of a page', () => {
  it('is read from deep and large pages', async () => {
    const tab = await browser.openTab(await browser.openContext(), 'https://site.example/');
    const { html } = await readVisibleHtml(tab, null, 1_000_000, patience());
    expect(html).toContain('deep');
    expect(html).toContain('Part 9999');
  });
});
