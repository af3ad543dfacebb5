import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { openActiveSession } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { parseConfig } from '#core/config/config.ts';
import { cachedResolver } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { go, inPage } from '#support/page-calls.ts';
import { refusingBinding } from '#support/refusing-browser.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';

const LINKS = 'http://files.acme.dev/links';
const policy = netPolicy(parseConfig({}), []);

const FRAME = `document.body.append(Object.assign(document.createElement('iframe'), { src: '/attached' }))`;
const click = (id: string) => `document.getElementById('${id}').click()`;
const link = (href: string, download: string) =>
  `Object.assign(document.createElement('a'), { href: '${href}', download: '${download}' })`;
const save = (href: string, download: string) => `${link(href, download)}.click()`;
const inWorker = (code: string) => `new Promise((resolve) => {
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' })));
  worker.onmessage = ({ data }) => resolve(data);
})`;

describe.each([
  { isOn: 'browser', binding: env.BROWSER },
  { isOn: 'targets', binding: refusingBinding(env.BROWSER) },
] as const)('a file behind a gate on the $isOn', ({ isOn, binding }) => {
  let live: ActiveSession;
  let tab: OpenTab;

  beforeAll(async () => {
    const decide = createCachedUrlDecider({ policy, resolve: cachedResolver }, Date.now);
    live = await openActiveSession(
      await acquireBrowser(binding),
      decide,
      { nextRef: 1, lastTab: 0 },
      testDownloads(),
      testSecrets(),
      new PageRules(),
    );
    tab = await live.tabs.open(live.contextId);
  });
  afterAll(async () => {
    await closeBrowserAndConnection(env.BROWSER, live.browser);
  });

  it('passes that gate', () => {
    expect(live.gate.isOn).toBe(isOn);
  });

  it.each([
    ['a link', click('attached'), 'notes.txt'],
    ['a link to a window', click('window'), 'notes.txt'],
    ['a window that a script opens', `void open('/attached')`, 'notes.txt'],
    ['a frame', FRAME, 'notes.txt'],
    ['a form', click('form'), 'notes.txt'],
    ['a type that is not shown', click('csv'), 'data.csv'],
    ['a blob', click('blob'), 'made.txt'],
    ['a link that says so', click('saved'), 'saved.txt'],
    ['a link that names what is one anyway', save('/data.csv', 'Data of 2025.csv'), 'Data of 2025.csv'],
    ['a link with the same file under another name', save('/data.csv', 'Other.csv'), 'Other.csv'],
    ['a link with a name in other letters', save('/data.csv', 'Übersicht März.csv'), 'Übersicht März.csv'],
    [
      'a click that a script sends to a link',
      `${link('/data.csv', 'Größe.csv')}.dispatchEvent(new MouseEvent('click'))`,
      'Größe.csv',
    ],
    ['a link of the page with a name', `csv.download = 'Liste – neu.csv'; csv.click()`, 'Liste – neu.csv'],
    [
      'a blob with a name in other letters',
      link('', 'Größe.txt').replace(`href: ''`, `href: URL.createObjectURL(new Blob(['x']))`) + '.click()',
      'Größe.txt',
    ],
    ['a link that says so of what is one anyway', `attached.download = 'mine.txt'; attached.click()`, 'notes.txt'],
  ])('is stored once, from %s, and no other tab stays open', async (_, script, name) => {
    await go(tab, LINKS);
    const mark = tab.log.mark;
    live.isActing = true;
    await inPage(tab, script);
    const files = () => tab.log.since(mark).flatMap((event) => (event.kind === 'file' ? [event.file.name] : []));
    await vi.waitFor(() => expect(files()).toEqual([name]), 20_000);
    live.isActing = false;
    await live.downloads.whenIdle(5_000);
    await vi.waitFor(() => expect(live.tabs.all()).toEqual([tab]), 5_000);
    expect(files()).toEqual([name]);
    expect(tab.main().url).toBe(LINKS);
  });

  it('is left to the script of the page or worker that requests it', async () => {
    await go(tab, LINKS);
    const mark = tab.log.mark;
    const ask = `fetch('http://files.acme.dev/attached').then((answer) => answer.text())`;
    expect(await inPage(tab, ask)).toBe('The attached file.');
    expect(await inPage(tab, inWorker(`${ask}.then(postMessage)`))).toBe('The attached file.');
    expect(tab.log.since(mark).filter(({ kind }) => kind === 'file' || kind === 'download')).toEqual([]);
  });

  it('is never requested from a non-public address', async () => {
    await go(tab, LINKS);
    const mark = tab.log.mark;
    const [to, saved] = ['http://10.9.8.7/secret.csv', 'http://169.254.169.254/saved'];
    await inPage(
      tab,
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${to}' }));
       Object.assign(document.createElement('a'), { href: '${saved}', download: 'x' }).click()`,
    );
    await vi.waitFor(
      () => expect(tab.log.since(mark)).toContainEqual(expect.objectContaining({ kind: 'refused', url: to })),
      10_000,
    );
    await live.downloads.whenIdle(5_000);
    expect(tab.log.since(mark).filter(({ kind }) => kind === 'file')).toEqual([]);
  });
});
