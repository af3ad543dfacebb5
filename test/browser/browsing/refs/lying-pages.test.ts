import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ElementRefs } from '#browsing/refs/refs.ts';
import { go } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';

const row = (name: string) => `<li><span>${name}</span> <button>Delete</button></li>`;

const PAGES: Record<string, string> = {
  '/list': `<ul id="list">${['Alice', 'Bob', 'Carol'].map(row).join('')}</ul>`,
  '/one': '<main><button id="buy">Buy</button><button id="sell">Sell</button><p id="note">A note</p></main>',
  '/framed': '<button>Outer</button><iframe src="/inner" title="Same site"></iframe>',
  '/cross': '<button>Outer</button><iframe src="http://other.example/inner" title="Other site"></iframe>',
  '/inner': '<button id="in">Inner</button>',
};

let browser: TestBrowser;
let context: string;

beforeAll(async () => {
  browser = await browserWith((url) => {
    const body = PAGES[url.pathname];
    return body === undefined ? null : `<!doctype html><title>T</title><body>${body}</body>`;
  });
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function open(path: string): Promise<PageWithRefs> {
  return new PageWithRefs(await browser.openTab(context, `http://site.example${path}`));
}

describe('a ref after a change of document', () => {
  it('is refused after navigation, even back to the same page', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await go(page.tab, 'http://site.example/list');
    expect((await page.failure(ref)).code).toBe('stale_ref');
    await go(page.tab, 'http://site.example/one');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it.each(['/framed', '/cross'])('resolves in its frame, %s, and not after the frame is reloaded', async (path) => {
    const page = await open(path);
    const ref = await page.refOf('button "Inner"');
    const element = await page.resolve(ref);
    expect(element.frame.parentId).not.toBeNull();
    expect(await page.ask(element, 'this.id')).toBe('in');
    const before = element.frame.loaderId;
    await page.run('document.querySelector("iframe").src += "?again"');
    while ((page.tab.frame(element.frame.id)?.loaderId ?? before) === before) await page.run('0');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it('is refused when its tab was closed, with elements of the same role in the tab of the call', async () => {
    const refs = new ElementRefs();
    const first = await open('/list');
    const second = new PageWithRefs(await browser.openTab(context, 'http://site.example/one'), refs, (id) =>
      browser.tabs.byId(id),
    );
    const ref = await new PageWithRefs(first.tab, refs).refOf('button "Delete"');
    expect((await second.resolve(ref)).tab.id).toBe(first.tab.id);
    await browser.tabs.close(first.tab);
    const failure = await second.failure(ref);
    expect(failure).toMatchObject({ code: 'stale_ref', ref });
    expect('alike' in failure ? failure.alike : '').toContain('button "Buy"');
  });
});
