import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click } from '#browsing/act/click.ts';
import { DEVICE_SCREENS, DEFAULT_TAB_SETTINGS } from '#browsing/tabs/settings.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { startActing } from '#support/acting.ts';
import { failureOf, inPage, patience } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';

/** The settings that a page and its worker see. */
const SEEN = `(async () => {
  const agent = navigator.userAgentData;
  const { platform, mobile, brands, model, formFactors } = await agent.getHighEntropyValues(['model', 'formFactors']);
  const worker = await new Promise((resolve) => {
    const one = new Worker('/worker.js');
    one.onmessage = ({ data }) => resolve(data);
  });
  const place = await new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve([coords.latitude, coords.longitude]), ({ code }) => resolve(code)));
  return JSON.stringify({ width: innerWidth, screen: screen.width, pixels: devicePixelRatio, way: screen.orientation.type, dark: matchMedia('(prefers-color-scheme: dark)').matches,
    touch: navigator.maxTouchPoints > 0, coarse: matchMedia('(pointer: coarse)').matches, language: navigator.language, number: (1234.5).toLocaleString(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone, name: navigator.userAgent, platform, mobile, model, formFactors, knowsItself: brands.length > 0, worker, place });
})()`;
const WORKER = `postMessage([navigator.userAgent, (1234.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone])`;
const PAGES = {
  '/wide':
    '<div style="width:900px;height:2000px"></div><button id="go" onclick="this.textContent = \'gone\'" style="position:absolute;left:600px;top:1500px">Go</button>',
};
const TOKYO = { latitude: 35.68, longitude: 139.77 };
const ELSEWHERE: TabSettings = {
  ...DEVICE_SCREENS.phone,
  device: 'phone',
  colorScheme: 'dark',
  locale: 'de-DE',
  timezone: 'Asia/Tokyo',
  geolocation: TOKYO,
};

async function startSeeing() {
  const asked: Record<string, string>[] = [];
  const answer = ({ pathname }: URL) =>
    pathname === '/worker.js'
      ? { html: WORKER, headers: { 'content-type': 'text/javascript' } }
      : '<!doctype html><meta name="viewport" content="width=device-width"><p>Words</p>';
  const browser = await browserWith(answer, true);
  browser.acquired.connection.browser.on('Fetch.requestPaused', ({ request }) =>
    asked.push(Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]))),
  );
  const context = await browser.openContext();
  const open = () => browser.openTab(context, 'https://site.example/seen');
  const seen = async (tab: Awaited<ReturnType<typeof open>>) => JSON.parse(String(await inPage(tab, SEEN)));
  return { ...browser, asked, open, seen };
}

describe('the settings of a session', () => {
  let browser: Awaited<ReturnType<typeof startSeeing>>;
  beforeAll(async () => {
    browser = await startSeeing();
  });
  afterAll(() => browser.close());

  it('stay unchanged if the browser does not know one of them', async () => {
    const { tabs, open, seen } = browser;
    await open();
    await tabs.applySettings({ ...DEFAULT_TAB_SETTINGS, width: 700 });
    const refused = tabs.applySettings({ ...DEFAULT_TAB_SETTINGS, width: 900, timezone: 'Mars/Olympus' });
    await expect(refused).rejects.toThrow('setTimezoneOverride');
    expect(tabs.settings.width).toBe(700);
    expect(await seen(await open())).toMatchObject({ width: 700 });
    await tabs.applySettings(DEFAULT_TAB_SETTINGS);
  });

  it('are visible to pages, workers and servers in every tab, until they are changed', async () => {
    const { tabs, open, seen, asked } = browser;
    const before = await open();
    const usual = await seen(before);
    expect(usual).toMatchObject({ width: 1280, touch: false, mobile: false, formFactors: ['Desktop'], place: DENIED });
    await tabs.applySettings(ELSEWHERE);
    const name = expect.stringMatching(/\(Linux; Android 10; K\).* Mobile Safari/);
    const there = {
      width: 412,
      screen: 412,
      pixels: 1,
      way: 'portrait-primary',
      dark: true,
      touch: true,
      coarse: true,
      language: 'de-DE',
      number: '1.234,5',
      zone: 'Asia/Tokyo',
      name,
      knowsItself: true,
      platform: 'Android',
      mobile: true,
      model: 'K',
      formFactors: ['Mobile'],
      worker: [name, '1.234,5', 'Asia/Tokyo'],
      place: [TOKYO.latitude, TOKYO.longitude],
    };
    expect(await seen(await open())).toEqual(there);
    expect(asked.at(-2)).toMatchObject({
      'user-agent': name,
      'accept-language': 'de-DE',
      'sec-ch-ua-mobile': '?1',
      'sec-ch-ua-platform': '"Android"',
    });
    expect(await seen(before)).toMatchObject({ ...there, worker: expect.anything() });
    const tablet = { ...ELSEWHERE, ...DEVICE_SCREENS.tablet, device: 'tablet', geolocation: BERLIN } as const;
    await tabs.applySettings(tablet);
    const onTablet = await seen(await open());
    expect(onTablet).toMatchObject({ width: 800, mobile: false, formFactors: ['Tablet'], touch: true });
    expect(onTablet.name).not.toContain('Mobile');
    expect(onTablet.place).toEqual([BERLIN.latitude, BERLIN.longitude]);
    await tabs.applySettings({ ...tablet, ...DEVICE_SCREENS.desktop, device: 'desktop', colorScheme: 'light' });
    const back = await seen(await open());
    expect(back).toMatchObject({ width: 1280, dark: false, touch: false, language: 'de-DE', platform: usual.platform });
    expect(back.name).toBe(usual.name);
  });

  it('apply in a pop-up when the page that opened it has closed', async () => {
    const { tabs, open } = browser;
    await tabs.applySettings(ELSEWHERE);
    const opener = await open();
    const known = new Set(tabs.all());
    const expression = 'void window.open("/seen")';
    await opener.session.send('Runtime.evaluate', { expression, userGesture: true });
    await tabs.ready(patience());
    const [popup] = tabs.all().filter((tab) => !known.has(tab));
    if (popup === undefined) throw new Error('no pop-up opened');
    await tabs.close(opener);
    const script = '[(1234.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone].join(" ")';
    await expect.poll(() => inPage(popup, script)).toBe('1.234,5 Asia/Tokyo');
  });
});

/** `GeolocationPositionError.PERMISSION_DENIED`. */
const DENIED = 1;
const BERLIN = { latitude: 52.52, longitude: 13.4 };

it('a touch screen does not displace a click on a page that is laid out wider than the screen', async () => {
  const browser = await startActing(PAGES);
  await browser.tabs.applySettings({ ...DEFAULT_TAB_SETTINGS, ...DEVICE_SCREENS.phone, device: 'phone' });
  const page = await browser.open('/wide');
  const clicked = click(await page.find('#go'), { button: 'left', clickCount: 1, modifiers: [] }, patience());
  expect(await clicked.catch(() => failureOf(clicked))).toMatchObject({ landed: 'click' });
  expect(await page.ask('go.textContent')).toBe('gone');
  await browser.close();
});
