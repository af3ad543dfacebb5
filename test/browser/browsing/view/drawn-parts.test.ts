import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;
let body = '';

const INNER: Readonly<Record<string, string>> = {
  '/talk': '<button>Post</button>',
};

beforeAll(async () => {
  browser = await browserWith(
    ({ pathname }) => `<!doctype html><meta charset="utf-8"><body>${INNER[pathname] ?? body}`,
  );
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function openPage(html: string): Promise<PageWithRefs> {
  body = html;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/'));
}

describe('a frame that loads when scrolled into view', () => {
  it('is a line that says how to load it, and then its content', async () => {
    const page = await openPage(
      '<h2>Report</h2><div style="height:9000px"></div><iframe loading="lazy" title="Talk" src="/talk"></iframe>',
    );
    expect((await page.text()).split('\n')).toEqual([
      '## Report',
      '@e1 iframe "Talk" (not loaded yet: browser_scroll {"selector":"@e1","into_view":true} loads it)',
    ]);
    await page.run('document.querySelector("iframe").scrollIntoView()');
    await expect.poll(() => page.text()).toContain('@e1 iframe "Talk"\n @e2 button "Post"');
  });
});
