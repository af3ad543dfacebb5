import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { localProvider } from '#search/local.ts';
import type { SearchResult } from '#search/provider.ts';
import { runSearch } from '#search/search.ts';
import type { SearchDeps } from '#search/search.ts';
import type { SearchRequest } from '#search/search-request.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { emptyIndex, storeIndexedPage } from '#support/search-index.ts';
import { memoryCache, plenty, START } from '#support/search-world.ts';
import { stories } from '#support/stories.ts';

const local = localProvider(new PageIndex(openDb(env.DB)));

const page = (query: string, count: number, offset: number) => local.search({ query, count, offset }, plenty());

beforeEach(emptyIndex);

/** Every page of results, until one says that there are no more. */
async function allPages(query: string, count: number): Promise<SearchResult[][]> {
  const pages: SearchResult[][] = [];
  for (let offset = 0; offset < 40; offset += 1) {
    const { hits, more } = await page(query, count, offset);
    pages.push(hits);
    if (!more) return pages;
  }
  throw new Error('there are always more');
}

describe('pages of results', () => {
  it('neither overlap nor miss results, and report correctly if there are more', async () => {
    const word = fc.constantFrom('walrus', 'alarm', 'harbour');
    const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    // Few addresses and texts: some pages share their text, some their address in two spellings.
    const stored = fc.record({ path: fc.integer({ min: 0, max: 9 }), spelling: fc.nat({ max: 2 }), text });
    await fc.assert(
      fc.asyncProperty(fc.array(stored, { maxLength: 14 }), fc.integer({ min: 1, max: 5 }), async (pages, count) => {
        await emptyIndex();
        const addresses = new Set<string>();
        for (const { path, spelling, text: words } of pages) {
          const url =
            [`https://a.dev/${path}`, `HTTPS://A.dev:443/${path}`, `https://a.dev/${path}#part`][spelling] ?? '';
          if (addresses.has(url)) continue;
          addresses.add(url);
          await storeIndexedPage({ url, title: `Page ${path}`, text: words });
        }
        const whole = (await page('walrus alarm', 20, 0)).hits.map(({ url }) => url);
        const paged = await allPages('walrus alarm', count);
        expect(paged.flat().map(({ url }) => url)).toEqual(whole);
        expect(new Set(whole).size).toBe(whole.length);
        for (const hits of paged.slice(0, -1)) expect(hits.length).toBe(count);
        for (const hits of paged) expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, n) => n + 1));
        expect(paged.length).toBe(Math.max(1, Math.ceil(whole.length / count)));
      }),
      { numRuns: stories(4) },
    );
  });

  it('list a document once that has several URLs', async () => {
    for (const host of ['a', 'b', 'c', 'd']) {
      await storeIndexedPage({ url: `https://${host}.dev/`, title: 'Mirror', text: 'The same walrus.' });
    }
    await storeIndexedPage({ url: 'https://other.dev/', title: 'Other', text: 'Another walrus.' });
    const [first, second] = [await page('walrus', 1, 0), await page('walrus', 1, 1)];
    expect([first.more, second.more]).toEqual([true, false]);
    expect(new Set([...first.hits, ...second.hits].map(({ url }) => new URL(url).host)).size).toBe(2);
  });

  it('contain twenty results even with URLs of maximum length', async () => {
    for (let n = 0; n < 22; n += 1) {
      const url = `https://a.dev/${n}/${'harbour/'.repeat(250)}`;
      await storeIndexedPage({ url, title: `${n} ${'海'.repeat(500)}`, text: `walrus ${'海'.repeat(2000)} ${n}` });
    }
    const pages = await allPages('walrus', 20);
    expect(pages.map((hits) => hits.length)).toEqual([20, 2]);
  });
});

describe('pages of results when some stored pages are excluded', () => {
  const mine = (url: string) => Number(new URL(url).pathname.slice(1)) % 2 === 0;
  const asked = (request: Partial<SearchRequest>, mayShow: SearchDeps['mayShow'] = () => true) =>
    runSearch({ query: 'walrus', count: 3, ...request }, plenty().signal, {
      searchProviders: [local],
      searchSource: () => local,
      searchCache: memoryCache(),
      mayShow,
      now: () => START,
    });

  beforeEach(async () => {
    for (let n = 0; n < 14; n += 1) {
      const host = n % 2 === 0 ? 'docs.a.dev' : 'b.dev';
      await storeIndexedPage({ url: `https://${host}/${n}`, title: `Page ${n}`, text: `A walrus of the kind ${n}.` });
    }
  });

  for (const [name, request, mayShow] of [
    ['the domains allowed', { domain_allowlist: ['a.dev'] }, undefined],
    ['the domains denied', { domain_denylist: ['b.dev'] }, undefined],
    ['what the operator has closed since', {}, mine],
  ] as const) {
    it(`neither overlap nor miss results for ${name}, and report how many were omitted`, async () => {
      const pages = [];
      for (const offset of [0, 1, 2]) pages.push(await asked({ ...request, offset }, mayShow));
      expect(pages.map(({ hits }) => hits.length)).toEqual([3, 3, 1]);
      expect(pages.map((one) => one.more_results_available)).toEqual([true, true, false]);
      const urls = pages.flatMap(({ hits }) => hits.map(({ url }) => url));
      expect(new Set(urls).size).toBe(7);
      expect(urls.every(mine)).toBe(true);
      for (const { notes } of pages) expect(notes.join(' ')).toMatch(/7 matching pages were left out: .*not allow/);
    });
  }

  it('report that all results were excluded rather than that nothing matches', async () => {
    const { hits, notes } = await asked({ domain_allowlist: ['c.dev'] });
    expect(hits).toEqual([]);
    expect(notes.join(' ')).toMatch(/^14 matching pages were left out/);
    expect(notes.join(' ')).not.toMatch(/None of the pages/);
  });
});

describe('titles of results', () => {
  it('distinguish the chapters of a book', async () => {
    const chapter = (n: number, text: string) =>
      storeIndexedPage({ url: `https://book.dev/ch${n}`, title: 'The Book', text });
    await chapter(1, '# Ownership\nA walrus owns.');
    await chapter(2, '# Borrowing\nA walrus borrows.');
    await chapter(3, 'A walrus without a heading.');
    await chapter(4, '# The Book\nIntroduction.\n## Walruses\nA walrus in a section.');
    const { hits } = await page('walrus', 10, 0);
    expect(hits.map(({ title }) => title).sort()).toEqual([
      'The Book – Borrowing',
      'The Book – Ownership',
      'The Book – Walruses',
      'The Book – ch3',
    ]);
  });

  it('are the same on every page of results', async () => {
    for (const n of [1, 2, 3]) {
      await storeIndexedPage({ url: `https://book.dev/${n}`, title: 'Book', text: `# Part ${n}\nA walrus.` });
    }
    const whole = (await page('walrus', 10, 0)).hits.map(({ title }) => title);
    const paged = (await allPages('walrus', 1)).flat().map(({ title }) => title);
    expect(paged).toEqual(whole);
  });

  it('stay unchanged when they are long enough', async () => {
    await storeIndexedPage({ url: 'https://a.dev/1', title: 'One', text: '# Something\nA walrus.' });
    await storeIndexedPage({ url: 'https://b.dev/1', title: 'One', text: '# Something else\nA walrus.' });
    expect((await page('walrus', 10, 0)).hits.map(({ title }) => title)).toEqual(['One', 'One']);
  });
});
