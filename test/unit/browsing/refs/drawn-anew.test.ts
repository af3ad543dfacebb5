import { describe, expect, it } from 'vitest';
import { findByRef } from '#browsing/locate/find.ts';
import { findRebuiltElement } from '#browsing/locate/resolve.ts';
import { LISTS_PAGE } from '#support/lists-page.ts';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

type ListPage = PageWithRefs<RecordedTab>;
const WORDS = ['Milk', 'Bread', 'Tea', 'Salt'];

const pages = recordedPages('refs/drawn-anew', () => LISTS_PAGE);

describe('a ref of a redrawn row', () => {
  it.each<[string, string[], unknown[][], boolean]>([
    ['leads to the new row when all are drawn again', ['Milk', 'Tea'], [['nothing', 0, 'rows']], true],
    ['leads to the new row when others have come and gone', ['Milk', 'Tea', 'Salt'], [['remove', 2, 'rows']], true],
    ['leads to the new row in another order', ['Milk', 'Tea'], [['reverse', 0, 'rows']], true],
    ['leads there again and again', ['Milk', 'Tea'], Array.from({ length: 5 }, () => ['nothing', 0, 'all']), true],
    ['leads to the new row when all are drawn twice at once', ['Milk', 'Tea'], [['nothing', 0, 'twice']], true],
    ['is refused when the row reads otherwise', ['Milk', 'Tea'], [['edit', 2, 'rows']], false],
    ['is refused when its row has gone', ['Milk', 'Tea'], [['remove', 0, 'rows']], false],
    ['is refused when two rows read the same', ['Milk', 'Milk'], [['nothing', 0, 'rows']], false],
    ['is refused when the first of two equal rows has gone', ['Milk', 'Milk'], [['remove', 0, 'rows']], false],
    [
      'is refused when a copy came and the row itself went, unseen',
      ['Milk', 'Tea'],
      [
        ['copy', 0, 'rows'],
        ['remove', 0, 'rows'],
      ],
      false,
    ],
    ['is refused when the list was empty for a moment', ['Milk', 'Tea'], [['nothing', 0, 'emptied']], false],
  ])('%s', async (_, words, steps, isThere) => {
    const page = await pages.open('http://site.example/');
    const places = words.map((word) => WORDS.indexOf(word));
    await page.run(`start('one', ${JSON.stringify(places)})`);
    const ref = await page.refOf('button "Delete"');
    const record = await recordOf(page, ref);
    await page.run(`play(${JSON.stringify(steps)}).then(() => 0)`);
    const target = page.refs.current(ref);
    if (target === null) throw new Error('the ref was not given');
    expect(await findByRef(target, page.tab)).toBe('gone');
    await page.snapshot();
    const anew = await findRebuiltElement(target, page.tab, page.refs);
    const now = anew === null ? null : await page.ask(anew.element, 'recordOf(this)');
    expect(now).toBe(isThere ? record : null);
  });
});

async function recordOf(page: ListPage, ref: string): Promise<unknown> {
  return page.ask(await page.resolve(ref), 'recordOf(this)');
}
