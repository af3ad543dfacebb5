import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { inPage } from '#support/page-calls.ts';
import { browserWith, tabsOfTest } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => `<!doctype html><title>${pathname}</title>`, true);
  context = await browser.openContext();
});

afterAll(() => browser.close());

const open = () => browser.openReusedTab(context, 'http://site.example/page');

describe('a tab that a test gets from an earlier one', () => {
  it('is the same target, without anything that the earlier test left', async () => {
    const first = await open();
    await inPage(
      first,
      `sessionStorage.kept = 'x'; name = 'x'; history.pushState(null, '', '/more'); console.error('x')`,
    );
    await inPage(first, `addEventListener('beforeunload', (event) => event.preventDefault())`);
    const size = { width: 300, height: 200, deviceScaleFactor: 1, mobile: false };
    await first.session.send('Emulation.setDeviceMetricsOverride', size);
    await first.session.send('Page.addScriptToEvaluateOnNewDocument', { source: `document.title = 'x'` });
    first.noteTyped();
    await tabsOfTest.close();

    const second = await open();
    expect(second.targetId).toBe(first.targetId);
    expect(await inPage(second, `[sessionStorage.length, name, innerWidth, document.title]`)).toEqual([
      0,
      '',
      browser.tabs.settings.width,
      '/page',
    ]);
    expect(await entriesOf(second)).toBe(2);
    expect([second.log.since(0), second.isPrivate, first.isOpen]).toEqual([[], false, false]);
    expect(browser.tabs.all()).toEqual([second]);
  });

  it('is another one if the page hangs, or has opened a window', async () => {
    for (const script of [`setTimeout(() => { for (;;); })`, `open('/window')`]) {
      const first = await open();
      await inPage(first, `void ${script}`);
      await tabsOfTest.close();
      expect((await open()).targetId).not.toBe(first.targetId);
    }
  });
});

/** Pages that the history of a tab has. */
async function entriesOf({ session }: OpenTab): Promise<number> {
  return (await session.send('Page.getNavigationHistory')).entries.length;
}
