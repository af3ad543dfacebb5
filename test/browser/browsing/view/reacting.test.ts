import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { go } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;
let body = '';

beforeAll(async () => {
  browser = await browserWith(
    ({ host, pathname }) =>
      `<!doctype html><title>T</title><body>${pathname === '/in' ? `<div class="on">In ${host}</div>${LISTENS}` : body}</body>`,
  );
  context = await browser.openContext();
});

afterAll(() => browser.close());

const NOT_KNOWN =
  '(elements that react to clicks only through event listeners could not be detected: they have no refs here)';

const LISTENS = `<script>for (const element of document.querySelectorAll('.on')) element.addEventListener('click', () => {})</script>`;

async function opened(html: string): Promise<PageWithRefs> {
  body = html + LISTENS;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/docs/page?id=1'));
}

describe('an element that reacts to a click', () => {
  it('has a ref in frames, including cross-site ones, and after another document has loaded', async () => {
    const page = await opened(
      '<div class="on">Outer</div><iframe src="http://site.example/in"></iframe><iframe src="http://other.example/in"></iframe>',
    );
    const inFrames = [
      '@e1 clickable "Outer"',
      '@e2 iframe (1st of 2)',
      ' @e3 clickable "In site.example"',
      '@e4 iframe (2nd of 2)',
      ' @e5 clickable "In other.example"',
    ];
    expect((await page.text()).split('\n')).toEqual(inFrames);
    await go(page.tab, 'http://site.example/in');
    expect(await page.text()).toMatch(/^@e\d+ clickable "In site.example"$/u);
    await go(page.tab, 'http://other.example/in');
    expect(await page.text()).toMatch(/^@e\d+ clickable "In other.example"$/u);
  });

  it('has a ref after history has restored its document', async () => {
    const page = await opened('<div class="on">First</div>');
    expect(await page.text()).toBe('@e1 clickable "First"');
    await go(page.tab, 'http://site.example/in');
    const { entries, currentIndex } = await page.tab.session.send('Page.getNavigationHistory');
    await page.tab.session.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]?.id ?? 0 });
    await vi.waitFor(async () => expect(await page.text()).toMatch(/^@e\d clickable "First"$/u), 60_000);
  });

  it('is reported as not known when the browser returns no listeners', async () => {
    const page = await opened('<div class="on">One</div><div onclick="1">Two</div>');
    vi.spyOn(page.tab, 'document').mockReturnValue(new Promise<never>(() => undefined));
    expect(await page.text()).toBe(`${NOT_KNOWN}\nOne\n@e1 clickable "Two"`);
  });
});
