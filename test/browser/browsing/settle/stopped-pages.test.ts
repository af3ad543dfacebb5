import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { navigate } from '#browsing/session/operations/navigate.ts';
import { patience } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

const page = (script: string) =>
  `<!doctype html><title>T</title><p>Ready</p><script>${script}</script><p>never read</p>`;
const FILE = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.bin"' };
const PAGES: Record<string, ReturnType<Parameters<typeof browserWith>[0]>> = {
  '/': page(''),
  '/nothing': { html: '', headers: {}, status: 204 },
  '/file': { html: 'bytes', headers: FILE },
  '/there': page(''),
  '/stop-nothing': page(`stop(); location = '/nothing'`),
  '/stop-file': page(`stop(); location = '/file'`),
  '/stop-there': page(`stop(); location = '/there'`),
  '/stop-both': page(`stop(); location = '/nothing'; setTimeout(() => { location = '/there' })`),
};

let browser: TestBrowser;
let context = '';

beforeAll(async () => {
  browser = await browserWith(({ pathname }) => PAGES[pathname] ?? null);
  context = await browser.openContext();
});

afterAll(() => browser.close());

describe('a page that stops its own loading and leaves', () => {
  it.each([
    ['/stop-nothing', '/stop-nothing'],
    ['/stop-file', '/stop-file'],
    ['/stop-there', '/there'],
    ['/stop-both', '/there'],
  ])('is not awaited until the timeout: %s shows %s', async (path, shown) => {
    const tab = await browser.openTab(context, 'http://site.example/');
    const options = { waitUntil: 'load', timeoutMs: 20_000 } as const;
    const navigated = await navigate(tab, `http://site.example${path}`, options, patience());
    expect({ ...navigated, at: new URL(tab.main().url).pathname }).toMatchObject({ stillLoading: false, at: shown });
  });
});
