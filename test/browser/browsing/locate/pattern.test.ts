import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '#browsing/locate/wait-for.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

/** Time for a first look at the largest page on a busy machine. */
const LOOKS_MS = 3_000;

const PAGES: Record<string, string> = {
  '/long': `<p>${'word '.repeat(50_000)}</p>`,
  '/large': `<ul>${Array.from({ length: 9_000 }, (_, at) => `<li>Row ${at}</li>`).join('')}</ul>`,
};

describe('a regular expression', () => {
  let browser: TestBrowser;
  const on = async (path: string) =>
    new PageWithRefs(await browser.openTab(await browser.openContext(), `http://site.example${path}`));

  beforeAll(async () => {
    browser = await browserWith(({ pathname }) => `<!doctype html><title>S</title>${PAGES[pathname] ?? ''}`);
  });
  afterAll(() => browser.close());

  it('is refused on a page that is too large to read whole', async () => {
    expect(await (await on('/large')).failure('text=/Row 89\\d\\d/')).toMatchObject({ code: 'invalid_argument' });
  });

  it('can be waited for only in a text of limited length', async () => {
    const { tab, refs } = await on('/long');
    const wanted = { kind: 'text', value: '/word$/', isGone: false } as const;
    const waited = waitFor(wanted, { tab, byId: () => tab }, refs, LOOKS_MS, patience());
    expect(await failureOf(waited)).toMatchObject({ problem: expect.stringContaining('200000') });
  });
});
