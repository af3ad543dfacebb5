import { describe, expect, it } from 'vitest';
import { waitForExpectation } from '#browsing/locate/expect.ts';
import { waitFor } from '#browsing/locate/wait-for.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

/** Enough for one look. */
const LOOKS_MS = 1;

const PAGES: Record<string, string> = {
  '/orders': `<table><tr><td><a href="#1" class="o17">Order 17</a><td><button class="p1">Pay 12 €</button>
    <tr><td><a href="#2" class="o18">Order 18</a><td><button class="p2">Pay 8 €</button></table>
    <p class="total">All in all it is <b class="twenty">20 €</b> today</p><p class="path">see /docs/ for more</p><p style="display: none">Ticket 7</p>`,
};

describe('a regular expression', () => {
  const pages = recordedPages(
    'locate/pattern',
    ({ pathname }) => `<!doctype html><title>S</title>${PAGES[pathname] ?? ''}`,
  );
  const on = (path: string) => pages.open(`http://site.example${path}`);
  const tabs = ({ tab }: PageWithRefs<RecordedTab>) => ({ tab, byId: () => tab });
  const wait = async (path: string, value: string, isGone = false) => {
    const page = await on(path);
    return waitFor({ kind: 'text', value, isGone }, tabs(page), page.refs, LOOKS_MS, patience());
  };

  it.each([
    ['text=/order 1[89]/', 'o18'],
    ['text=/ORDER \\d+/ nth=1', 'o17'],
    ['text=/it is \\d+/', 'total'],
    ['text=/^\\d+ €$/', 'twenty'],
    ['text=/docs/', 'path'],
    ['button "/pay 8 ./"', 'p2'],
    ['button "/^pay/" in row "Order 18"', 'p2'],
    ['text=/pay/i in "Order 17"', 'p1'],
  ])('leads to the element that it matches, in any case: %s', async (target, found) => {
    const page = await on('/orders');
    expect(await page.ask(await page.resolve(target), 'this.className')).toBe(found);
  });

  it.each([
    ['text=/order/', 'matches 2 elements'],
    ['text=/(?-i)order/', undefined],
    ['text=/Order (1[78]/', 'has a ( that is never closed'],
  ])('is refused if it matches none or several, or is invalid: %s', async (target, problem) => {
    const failure = await (await on('/orders')).failure(target);
    if (problem === undefined) expect(failure).toMatchObject({ code: 'element_not_found' });
    else expect(failure).toMatchObject({ code: 'invalid_argument', problem: expect.stringContaining(problem) });
  });

  it('can be awaited in the visible page, and expected in an element', async () => {
    expect(await wait('/orders', '/order \\d+ Pay 12/')).toMatchObject({ alreadySo: true });
    expect(await wait('/orders', '/ticket \\d/', true)).toMatchObject({ alreadySo: true });
    const missing = await failureOf(wait('/orders', '/order 2\\d/'));
    expect(missing).toMatchObject({ code: 'timeout', instead: { problem: 'no visible text of the page matches it' } });
    expect(await failureOf(wait('/orders', '/(/'))).toMatchObject({ code: 'invalid_argument', field: 'text' });
    const page = await on('/orders');
    const has = (is: string, isNot = false) =>
      waitForExpectation(
        { target: 'row "/order 17/"', asked: { of: 'words', is, isNot } },
        tabs(page),
        page.refs,
        patience(),
      );
    expect(await has('/pay \\d+ €/')).toBeNull();
    expect(await has('/pay \\d{3}/', true)).toBeNull();
  });

  it('ignores case in a view, as plain words do, unless it asks for case', async () => {
    const page = await on('/orders');
    expect(await page.text({ find: '/order 1[78]/' })).toContain('Order 18');
    expect(await page.text({ find: '/(?-i)order 1[78]/' })).not.toContain('Order 18');
  });
});
