import { describe, expect, it } from 'vitest';
import { findVirtualListInTab } from '#browsing/read/html.ts';
import { patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const rows = (count: number) => Array.from({ length: count }, (_, at) => `<p class="row">Boat ${at}</p>`).join('');
const STYLE = '<style>* { margin: 0 } h1, .row { height: 40px } .pane { height: 400px; overflow: auto }</style>';
const PAGES: Record<string, string> = {
  '/virtual': `<h1>Boats</h1><div class="pane" id="list"><div style="height: 80000px">${rows(12)}</div></div>`,
  '/whole': `<h1>Boats</h1><div class="pane" id="list">${rows(200)}</div>`,
  '/page': `<h1>Boats</h1><div style="height: 60000px" id="list">${rows(20)}</div>`,
  '/long': `<h1>Boats</h1><div id="list">${rows(200)}</div>`,
  '/map': '<h1>Map</h1><div class="pane" id="list"><div style="height: 9000px"></div></div>',
};

const pages = recordedPages('read/undrawn-list', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>L</title>${STYLE}<body>${body}</body>`;
});

describe('a list of which the page draws only the visible part', () => {
  it.each([
    ['/virtual', { shown: 480, height: 80_000 }],
    ['/whole', null],
    ['/long', null],
    ['/map', null],
  ])('is detected on %s', async (path, list) => {
    const { tab } = await pages.open(`http://site.example${path}`);
    expect(await findVirtualListInTab(tab, null, patience())).toEqual(list);
  });

  it('is detected where the page itself scrolls', async () => {
    const { tab } = await pages.open('http://site.example/page');
    expect(await findVirtualListInTab(tab, null, patience())).toMatchObject({ height: expect.closeTo(60_040, -2) });
  });

  it('is recognised from an element in it', async () => {
    const page = await pages.open('http://site.example/virtual');
    const row = await page.resolve('text="Boat 3"');
    expect(await findVirtualListInTab(page.tab, row, patience())).toEqual({ shown: 480, height: 80_000 });
  });
});
