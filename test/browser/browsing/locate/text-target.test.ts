import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reach } from '#browsing/act/reach.ts';
import { patience } from '#support/page-calls.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const PAGE = `<!doctype html><title>T</title>
<p id="long" style="width:600px">From morning it rained, and at noon the ferry left for the islands without us.</p>`;

let browser: TestBrowser;
let page: PageWithRefs;

beforeAll(async () => {
  browser = await browserWith(() => PAGE);
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
});

afterAll(() => browser.close());

describe('a text as a target', () => {
  it('is clicked in its own place, not in the middle of the surrounding words', async () => {
    const element = await page.resolve('text=noon');
    const { x, y } = await reach(element, patience());
    const under = `(() => { const { startOffset, startContainer } = document.caretRangeFromPoint(${x}, ${y});
      return startContainer.nodeValue.slice(startOffset - 4, startOffset + 4) })()`;
    expect(await page.ask(element, under)).toContain('no');
    expect(await page.ask(element, 'this.id')).toBe('long');
  });
});
