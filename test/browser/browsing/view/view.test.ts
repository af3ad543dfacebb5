import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { go } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';

let browser: TestBrowser;
let context: string;
let body = '';

beforeAll(async () => {
  browser = await browserWith(() => `<!doctype html><title>T</title><body>${body}`);
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function show(html: string): Promise<PageWithRefs> {
  body = html;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/docs/page'));
}

describe('a snapshot', () => {
  it('handles a page nested hundreds deep', async () => {
    const page = await show(
      '<script>let at=document.body;for(let n=0;n<450;n++){const d=document.createElement("div");d.setAttribute("role","group");at.append(d);at=d}at.innerHTML="<button>Deep</button>"</script>',
    );
    expect(await page.text()).toContain('button "Deep"');
  });

  it('is not continued in another document', async () => {
    const page = await show('<p>Line</p><button>Do</button>'.repeat(100));
    const { next } = await page.snapshot({ maxBytes: 1_000 });
    await go(page.tab, 'http://site.example/docs/again');
    await expect(page.snapshot({ maxBytes: 1_000, after: next ?? '' })).rejects.toMatchObject({
      failure: { code: 'invalid_argument', field: 'after' },
    });
    await expect(page.snapshot({ after: 'nonsense' })).rejects.toMatchObject({ failure: { field: 'after' } });
  });
});
