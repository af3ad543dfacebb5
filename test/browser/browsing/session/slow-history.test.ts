import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { CdpSession } from '#browsing/cdp/connection.ts';
import { navigateTab } from '#browsing/session/operations/tab-operations.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { browserWith } from '#support/pretend-sites.ts';
import { workIn } from '#support/session-work.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import type { Answer } from '#support/made-up-sites.ts';

const SITE = 'http://site.example';
/** Longer than a page waits for the first sign of an effect. */
const LATE_MS = 400;
const pages = new Map<string, Answer>();
/** Not stored, so that going back asks the site again. */
const page = (title: string) => ({
  html: `<!doctype html><title>${title}</title><h1>${title}</h1>`,
  headers: { 'cache-control': 'no-store' },
});
let browser: TestBrowser;
let contextId = '';

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => pages.get(pathname));
  contextId = await browser.openContext();
});
afterAll(() => browser.close());

/** A tab that has opened both addresses. */
async function opened(...paths: readonly string[]): Promise<OperationWork> {
  pages.set('/one', page('One')).set('/two', page('Two'));
  const work = workIn(browser, contextId, await browser.openTab(contextId, `${SITE}/one`));
  for (const path of paths) await go(work, { url: SITE + path });
  return work;
}

function go(work: OperationWork, to: { url: string } | { history: 'back' | 'forward' | 'reload' }, timeoutMs = 15_000) {
  const rest = { newTab: false, waitUntil: 'load', timeoutMs, snapshot: true } as const;
  return navigateTab(work, { url: undefined, history: undefined, ...to, ...rest });
}

/** Delays a command as a slow browser does: its answer comes at once, and the navigation begins later. */
function delay(method: string): void {
  const send: unknown = Reflect.get(CdpSession.prototype, 'send');
  if (typeof send !== 'function') throw new TypeError('a session cannot send');
  const delayed = function (this: CdpSession, ...args: unknown[]): Promise<unknown> {
    if (args[0] !== method) return Reflect.apply(send, this, args);
    setTimeout(() => void Reflect.apply(send, this, args), LATE_MS);
    return Promise.resolve({});
  };
  Reflect.set(CdpSession.prototype, 'send', delayed);
  onTestFinished(() => void Reflect.set(CdpSession.prototype, 'send', send));
}

it('a move in the history that begins late reports the new page', async () => {
  const work = await opened('/two');
  delay('Page.navigateToHistoryEntry');
  expect((await go(work, { history: 'back' })).snapshot?.text).toContain('# One');
  expect((await go(work, { history: 'forward' })).snapshot?.text).toContain('# Two');
});

it('a reload that begins late reports the new document', async () => {
  const work = await opened();
  delay('Page.reload');
  pages.set('/one', page('Newer'));
  expect((await go(work, { history: 'reload' })).snapshot?.text).toContain('# Newer');
});

it('a move within a document reports the new view', async () => {
  const work = await opened();
  await go(work, { url: `${SITE}/one#part` });
  delay('Page.navigateToHistoryEntry');
  await go(work, { history: 'back' });
  expect(work.tab.main().url).toBe(`${SITE}/one`);
});

it.each(['back', 'reload'] as const)(
  'a site that does not answer makes %s fail, not report the old page',
  async (history) => {
    const work = await opened('/two');
    pages.set('/one', undefined).set('/two', undefined);
    await expect(go(work, { history }, 1_500)).rejects.toMatchObject({ failure: { code: 'timeout' } });
    pages.set('/one', page('Newer'));
    expect((await go(work, { url: `${SITE}/one` })).snapshot?.text).toContain('# Newer');
  },
);

it('a reload for which the site returns no document fails, and the page stays', async () => {
  const work = await opened();
  pages.set('/one', { html: '', headers: {}, status: 204 });
  await expect(go(work, { history: 'reload' })).rejects.toMatchObject({
    failure: { code: 'fetch_failed', reason: expect.stringContaining('no document') },
  });
  expect(work.tab.main().url).toBe(`${SITE}/one`);
});

it.each([
  ['a document', 'new Promise((done) => { frame.onload = done; frame.contentWindow.location.href = "/two" })', '# One'],
  [
    'a fragment',
    'new Promise((done) => { const inner = frame.contentWindow; inner.onhashchange = done; inner.location.hash = "part" })',
    '',
  ],
])('going back changes %s in a frame, although the page around it reports nothing', async (_name, follow, shown) => {
  const { html, headers } = page('Outer');
  pages.set('/frames', { html: `${html}<iframe id="frame" src="/one"></iframe>`, headers });
  const work = await opened('/frames');
  await work.tab.session.send('Runtime.evaluate', { expression: follow, awaitPromise: true });
  expect((await go(work, { history: 'back' })).snapshot?.text).toContain(shown);
  expect(work.tab.frames().map(({ url }) => url)).toEqual([`${SITE}/frames`, `${SITE}/one`]);
});
