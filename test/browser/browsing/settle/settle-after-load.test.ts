import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import { navigate } from '#browsing/session/operations/navigate.ts';
import { settleAfterLoad } from '#browsing/settle/settle.ts';
import { startActing } from '#support/acting.ts';
import { failureOf, patience } from '#support/page-calls.ts';

const BLOCK = 'for (const end = Date.now() + 6000; Date.now() < end;);';
const late = (script: string) =>
  `<p id="out">soon</p><script>const say = () => { out.textContent = 'done' }; ${script}</script>`;
const PAGES = {
  '/': '',
  '/data': 'data',
  '/frame': late('requestAnimationFrame(say)'),
  '/timer': late("addEventListener('load', () => setTimeout(() => setTimeout(say)))"),
  '/view': late("new IntersectionObserver(() => fetch('/data').then(say)).observe(out)"),
  '/load': late("addEventListener('load', () => fetch('/data').then(say))"),
  '/stops': `${late('window.stop()')}<p>never read</p>`,
  '/on': '<script>location.replace("/frame")</script>',
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

describe('a loaded page', () => {
  it.each([
    ['/frame', 'draws the rest in its next frame'],
    ['/timer', 'has timers that are due'],
    ['/view', 'loads what comes into view'],
    ['/load', 'loads more once it has loaded'],
    ['/on', 'sends the tab on to such a page'],
  ])('is reported when it is complete: %s, which %s', async (path) => {
    const page = await browser.open('/');
    const url = `http://site.example${path}`;
    await navigate(page.tab, url, { waitUntil: 'load', timeoutMs: 5_000 }, patience());
    expect(await page.ask('out.textContent')).toBe('done');
  });

  it('is reported as still loading when the time of the caller is over', async () => {
    const page = await browser.open('/');
    expect(await settleAfterLoad(page.tab, async () => true, Date.now(), patience())).toBe(false);
  });

  it('is not awaited longer than timeout_ms, which leaving the previous page may use up', async () => {
    const { tab } = await browser.open('/');
    vi.spyOn(tab.loops, 'opensMany', 'get').mockReturnValue(true);
    const later = Date.now() + 60_000;
    vi.spyOn(tab.loops, 'reset').mockImplementation(() => void vi.spyOn(Date, 'now').mockReturnValue(later));
    const options = { waitUntil: 'load', timeoutMs: 30_000 } as const;
    const failure = await failureOf(navigate(tab, 'http://site.example/frame', options, patience()));
    vi.restoreAllMocks();
    expect(failure).toMatchObject({ code: 'timeout', afterMs: 30_000 });
  });

  it('is reported as too slow if it does not replace the page before it in time', async () => {
    const { tab } = await browser.open('/');
    const hangs = tab.session.send('Runtime.evaluate', { expression: BLOCK }).catch(ignoreTargetGone);
    const options = { waitUntil: 'load', timeoutMs: 1_000 } as const;
    const failure = await failureOf(navigate(tab, 'http://site.example/frame', options, patience()));
    expect(failure).toMatchObject({ code: 'timeout', what: 'Loading the page', afterMs: 1_000 });
    await hangs;
  });

  it('is reported as opened if only the fragment of its address changes', async () => {
    const { tab } = await browser.open('/');
    const options = { waitUntil: 'load', timeoutMs: 5_000 } as const;
    const opened = await navigate(tab, `${tab.main().url}#part`, options, patience());
    expect(opened).toMatchObject({ status: 200, stillLoading: false });
    expect(tab.main().url).toMatch(/#part$/u);
  });

  it('is reported at once when it stops its own loading', async () => {
    const page = await browser.open('/');
    const options = { waitUntil: 'load', timeoutMs: 30_000 } as const;
    const navigated = await navigate(page.tab, 'http://site.example/stops', options, patience());
    expect(navigated).toMatchObject({ status: 200, stillLoading: false });
  });
});
