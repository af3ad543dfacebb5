import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findActionPoint } from '#browsing/act/reach.ts';
import { patience } from '#support/page-calls.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const PAGE = `<!doctype html><title>T</title>
<p id="long" style="width:600px">From morning it rained, and at noon the ferry left for the islands without us.</p>`;
const frameAt = (left: number, top: number, path: string) =>
  `<body style="margin:0"><iframe src="${path}" style="position:absolute;left:${left}px;top:${top}px;border:0"></iframe>`;
const PAGES: Record<string, string> = {
  '/': PAGE,
  '/framed': frameAt(100, 50, '/outer'),
  '/outer': frameAt(30, 20, '/inner'),
  '/inner': '<body style="margin:0"><button style="width:40px;height:30px">Buy</button>',
};

let browser: TestBrowser;
let page: PageWithRefs;

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => PAGES[pathname] ?? null);
  page = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/'));
});

afterAll(() => browser.close());

describe('a text as a target', () => {
  it('is clicked in its own place, not in the middle of the surrounding words', async () => {
    const element = await page.resolve('text=noon');
    const { x, y } = await findActionPoint(element, patience());
    const under = `(() => { const { startOffset, startContainer } = document.caretRangeFromPoint(${x}, ${y});
      return startContainer.nodeValue.slice(startOffset - 4, startOffset + 4) })()`;
    expect(await page.ask(element, under)).toContain('no');
    expect(await page.ask(element, 'this.id')).toBe('long');
  });
});

it('an element in a frame of a frame is reached at its place in the tab', async () => {
  const framed = new PageWithRefs(await browser.openTab(await browser.openContext(), 'http://site.example/framed'));
  const button = await framed.resolve('button "Buy"');
  expect(await findActionPoint(button, patience())).toEqual({ x: 150, y: 85 });
});
