import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scrollAndSettle } from '#browsing/act/scroll.ts';
import { readHtmlOfPage, readVisibleHtml, findVirtualListInTab } from '#browsing/read/html.ts';
import { startActing } from '#support/acting.ts';
import { patience } from '#support/page-calls.ts';

const CHARS_MAX = 10_000;

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing({
    '/removed': '<p>Gone</p><script>document.documentElement.remove()</script>',
    '/shadowed': '<img name="documentElement" alt="cover"><p>The text of the page</p>',
  });
});

afterAll(() => browser.close());

describe('a page that removed its root element', () => {
  it('is read as an empty page', async () => {
    const { tab } = await browser.open('/removed');
    expect((await readVisibleHtml(tab, null, CHARS_MAX, patience())).html).not.toContain('Gone');
    const whole = { element: null, maxBytes: CHARS_MAX, keepsScripts: false };
    expect((await readHtmlOfPage(tab, whole, patience())).html).not.toContain('Gone');
    expect(await findVirtualListInTab(tab, null, patience())).toBeNull();
    const down = { direction: 'down', amount: 1, unit: 'pages' } as const;
    expect(await scrollAndSettle(tab, null, down, patience())).toMatchObject({ moved: 0 });
  });
});

describe('an element that is named like the root element', () => {
  it('does not hide the page', async () => {
    const { tab } = await browser.open('/shadowed');
    expect((await readVisibleHtml(tab, null, CHARS_MAX, patience())).html).toContain('The text of the page');
  });
});
