import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { localProvider } from '#search/local.ts';
import type { SearchQuery } from '#search/provider.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { plenty } from '#support/search-world.ts';
import { storeIndexedPage, emptyIndex } from '#support/search-index.ts';

const local = localProvider(new PageIndex(openDb(env.DB)));
const FILLER = 'Words about something else altogether. '.repeat(40);

beforeEach(emptyIndex);

describe('the local index', () => {
  it('ranks pages with all words above pages with some, however well those score, across its pages of results', async () => {
    for (let n = 0; n < 20; n += 1) {
      await storeIndexedPage({ url: `https://none.example/${n}`, title: 'Plain', text: `something else ${n}` });
    }
    for (const n of [1, 2, 3]) {
      await storeIndexedPage({
        url: `https://all.example/${n}`,
        title: 'Plain',
        text: `${FILLER} walrus ${FILLER} alarm ${n}`,
      });
    }
    for (const n of [1, 2, 3, 4]) {
      await storeIndexedPage({
        url: `https://some.example/${n}`,
        title: 'Walrus walrus',
        text: `walrus walrus walrus ${n}`,
      });
    }
    const urls: string[] = [];
    for (const offset of [0, 1, 2, 3]) {
      const { hits, more } = await local.search({ query: 'walrus alarm', count: 2, offset }, plenty());
      expect(more).toBe(offset < 3);
      urls.push(...hits.map((hit) => new URL(hit.url).host));
    }
    expect(urls).toEqual([
      ...Array.from({ length: 3 }, () => 'all.example'),
      ...Array.from({ length: 4 }, () => 'some.example'),
    ]);
  });

  it('finds a page by another phrasing of the query, and ranks it by all of them', async () => {
    for (let n = 0; n < 12; n += 1) {
      await storeIndexedPage({ url: `https://none.example/${n}`, title: 'Plain', text: `get something else ${n}` });
    }
    await storeIndexedPage({
      url: 'https://care.example/',
      title: 'Care',
      text: 'Descaling: boil vinegar, and rinse.',
    });
    await storeIndexedPage({
      url: 'https://roses.example/',
      title: 'Roses',
      text: 'Vinegar harms roses in the garden.',
    });
    const found = async (query: string, also: readonly string[]) =>
      (await local.search({ query, also, count: 5 }, plenty())).hits.map(({ url }) => new URL(url).host);
    expect(await found('white crust inside', [])).toEqual([]);
    expect(await found('white crust inside', ['remove limescale', 'descaling with vinegar', '?!'])).toEqual([
      'care.example',
    ]);
  });

  it('finds other forms of a word, in the language of the page', async () => {
    const pages = {
      de: ['Handbuch', 'Mit diesem Befehl werden die Tabellen der Datenbank angelegt, und das ist nicht schwer.'],
      ru: ['Руководство', 'Эта команда создаёт таблицы, и это не так сложно, как было раньше.'],
      es: ['Manual', 'Con esta orden se crean las tablas de la base, y no es difícil para los que la usan.'],
    } as const;
    for (const [host, [title, text]] of Object.entries(pages)) {
      await storeIndexedPage({ url: `https://${host}.example/`, title, text });
    }
    const found = async (query: string) =>
      (await local.search({ query, count: 5 }, plenty())).hits.map(({ url }) => new URL(url).host);
    expect(await found('Tabelle')).toEqual(['de.example']);
    expect(await found('таблица')).toEqual(['ru.example']);
    expect(await found('wie wird eine Tabelle angelegt')).toEqual(['de.example']);
    expect(await found('tabla')).toContain('es.example');
  });

  it('reports a filter that it cannot honour only when the caller asked for it', async () => {
    await storeIndexedPage({ url: 'https://one.example/', title: 'Walrus', text: 'walrus' });
    const notes = async (query: Partial<SearchQuery>) =>
      (await local.search({ query: 'walrus', count: 5, ...query }, plenty())).notes.join(' ');
    expect(await notes({ safesearch: 'strict', country: 'DE' })).toContain('cannot honour safesearch, country');
    expect(await notes({ safesearch: 'moderate', extra_snippets: false })).not.toContain('cannot honour');
  });

  it('finds a compound word of a query, wherever its parts are separated', async () => {
    const apart = Array.from(
      { length: 1_200 },
      (_, n) => `Line ${n}: the max of recipients is told by exim elsewhere.`,
    );
    const text = [...apart, 'Other text.', '', 'exim: recipients\\_max is an **integer**.', ...apart].join('\n');
    await storeIndexedPage({ url: 'https://long.example/', title: 'Options', text });
    const { hits } = await local.search({ query: 'exim recipients_max', count: 5 }, plenty());
    expect(hits[0]?.place?.line).toBe(1_202);
    expect(hits[0]?.description).toMatch(/^exim: recipients_max is an integer/);
    await storeIndexedPage({
      url: 'https://short.example/',
      title: 'Options',
      text: 'recipients max\n\nrecipients\\_max',
    });
    const short = await local.search({ query: 'recipients_max', count: 5 }, plenty());
    expect(short.hits.find(({ url }) => url.includes('short'))?.place?.line).toBe(2);
  });

  it('reports that it has no further page', async () => {
    await storeIndexedPage({ url: 'https://one.example/', title: 'Walrus', text: 'walrus' });
    const answer = await local.search({ query: 'walrus', count: 5, offset: 1 }, plenty());
    expect(answer).toEqual({ hits: [], more: false, notes: ['There are no further results in the local index.'] });
  });

  it('finds nothing for a query without words, and gives the reason', async () => {
    const { hits, notes } = await local.search({ query: '"" ***', count: 5 }, plenty());
    expect(hits).toEqual([]);
    expect(notes.join(' ')).toMatch(/index is empty/);
  });

  it('shows twenty results per page with a passage each', async () => {
    for (let n = 0; n < 25; n += 1) {
      await storeIndexedPage({
        url: `https://many.example/${n}`,
        title: `Page ${n}`,
        text: `${FILLER} walrus number ${n}`,
      });
    }
    const { hits, more } = await local.search({ query: 'walrus', count: 20 }, plenty());
    expect(hits.length).toBe(20);
    expect(more).toBe(true);
    for (const hit of hits) expect(hit.description).toContain('walrus');
  });
});
