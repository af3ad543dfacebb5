import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '#browsing/act/click.ts';
import { USUAL_SETTINGS } from '#browsing/tabs/settings.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { failureOf, patience, startActing } from '#support/acting.ts';

const SEEN = `JSON.stringify({ width: innerWidth, dark: matchMedia('(prefers-color-scheme: dark)').matches, touch: navigator.maxTouchPoints > 0,
  language: navigator.language, number: (1234.5).toLocaleString(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone })`;
const PAGES = {
  '/seen': '<meta name="viewport" content="width=device-width"><p>Words</p>',
  '/wide':
    '<div style="width:900px;height:2000px"></div><button id="go" onclick="this.textContent = \'gone\'" style="position:absolute;left:600px;top:1500px">Go</button>',
};
const ELSEWHERE: TabSettings = {
  width: 390,
  height: 844,
  mobile: true,
  colorScheme: 'dark',
  locale: 'de-DE',
  timezone: 'Asia/Tokyo',
};

let browser: Awaited<ReturnType<typeof startActing>>;
beforeAll(async () => {
  browser = await startActing(PAGES);
});
afterAll(() => browser.close());

async function seen(path = '/seen') {
  const page = await browser.open(path);
  return JSON.parse(String(await page.ask(SEEN)));
}

describe('the settings of a session', () => {
  it('are what pages see, in every tab, until they are changed', async () => {
    const before = await seen();
    expect(before).toMatchObject({ width: USUAL_SETTINGS.width, touch: false });
    const open = await browser.open('/seen');
    await browser.tabs.applySettings(ELSEWHERE);
    const there = { width: 390, dark: true, touch: true, language: 'de-DE', number: '1.234,5', zone: 'Asia/Tokyo' };
    expect(await seen()).toEqual(there);
    expect(await seen()).toEqual(there);
    expect(JSON.parse(String(await open.ask(SEEN)))).toMatchObject({ width: 390, dark: true });
    await browser.tabs.applySettings({ ...ELSEWHERE, width: 800, height: 600, mobile: false, colorScheme: 'light' });
    expect(await seen()).toMatchObject({ width: 800, dark: false, touch: false, language: 'de-DE' });
  });

  it('do not lead a click astray on a page that is laid out wider than a phone', async () => {
    await browser.tabs.applySettings({ ...USUAL_SETTINGS, width: 390, height: 844, mobile: true });
    const page = await browser.open('/wide');
    const clicked = click(await page.find('#go'), { button: 'left', clickCount: 1, modifiers: [] }, patience());
    expect(await clicked.catch(() => failureOf(clicked))).toMatchObject({ landed: 'click' });
    expect(await page.ask('go.textContent')).toBe('gone');
  });
});
