import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { localProvider } from '#search/local.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { checkIndex, emptyStore, indexedRows, storePage } from '#support/stored-pages.ts';

const index = new PageIndex(openDb(env.DB));

const store = (url: string, title: string, lines: string[], owner?: string) =>
  storePage({ url, title, lines, ...(owner === undefined ? {} : { owner }) });

const time = { signal: AbortSignal.timeout(60_000), deadlineAt: Date.now() + 60_000 };

const urls = async (query: string, subject: string | null = null) => {
  const { hits } = await localProvider(new PageIndex(openDb(env.DB), subject)).search({ query, count: 10 }, time);
  return hits.map((hit) => hit.url);
};

beforeEach(emptyStore);

describe('local search', () => {
  it('reports that nothing has been opened yet and how to search the web', async () => {
    const { hits, notes } = await localProvider(index).search({ query: 'anything', count: 5 }, time);
    expect(hits).toEqual([]);
    expect(notes.join(' ')).toMatch(/index is empty.*open_url.*BRAVE_API_KEY.* or SEARXNG_URL/);
  });

  it('ranks the page about a subject before the one that mentions it, with a snippet around the words', async () => {
    await store('https://a.dev/alarms', 'Alarms', ['# Alarms', 'An alarm wakes a durable object at a set time.']);
    await store('https://a.dev/intro', 'Introduction', [
      'Many things exist.',
      ...Array.from({ length: 60 }, () => 'Filler text about other things.'),
      'One of them is an alarm.',
    ]);
    const { hits } = await localProvider(index).search({ query: 'alarm', count: 5 }, time);
    expect(hits.map((hit) => hit.url)).toEqual(['https://a.dev/alarms', 'https://a.dev/intro']);
    expect(hits[1]?.description).toContain('alarm');
  });

  it('searches the main part of a page, not the rest', async () => {
    const lines = ['A lock lifts boats.', '<!-- rest -->', 'Menu: ferries, harbours'];
    await storePage({ url: 'https://a.dev/locks', title: 'Locks', lines, restStart: 1 });
    expect(await urls('boats')).toEqual(['https://a.dev/locks']);
    expect(await urls('harbours')).toEqual([]);
  });

  it('finds word forms and ignores case and accents', async () => {
    await store('https://a.dev/cafe', 'Menu', ['Running cafés requires patience.']);
    expect(await urls('RUN CAFE')).toEqual(['https://a.dev/cafe']);
  });

  it('puts pages with all words first, then pages with some', async () => {
    await store('https://a.dev/both', 'Both', ['durable storage']);
    await store('https://a.dev/one', 'One', ['durable durable durable durable']);
    expect(await urls('durable storage')).toEqual(['https://a.dev/both', 'https://a.dev/one']);
  });

  it('treats operators, quotes and column filters in a query as words, never as syntax', async () => {
    await store('https://a.dev/x', 'X', ['plain words here']);
    for (const query of [
      '" OR title:',
      'NEAR(',
      'a AND (',
      '*',
      'body : plain',
      '"unclosed',
      "'; DROP TABLE documents; --",
      '-plain',
      '^plain',
    ]) {
      await expect(urls(query)).resolves.toBeInstanceOf(Array);
    }
    expect(await urls('"plain words"')).toEqual(['https://a.dev/x']);
    expect(await urls('"words plain"')).toEqual([]);
  });

  it('shows only the newest text of a page', async () => {
    await store('https://a.dev/page', 'Page', ['the walrus']);
    await store('https://a.dev/page', 'Page', ['the penguin']);
    expect(await urls('walrus')).toEqual([]);
    expect(await urls('penguin')).toEqual(['https://a.dev/page']);
  });

  it('keeps a text in the index while another URL still shows it', async () => {
    await store('https://a.dev/one', 'Page', ['the walrus']);
    await store('https://a.dev/two', 'Page', ['the walrus']);
    await store('https://a.dev/one', 'Page', ['the penguin']);
    expect(await urls('walrus')).toEqual(['https://a.dev/two']);
    await store('https://a.dev/one', 'Page', ['the walrus']);
    expect((await urls('walrus')).length).toBe(1);
  });

  it('is rebuilt from stored pages, without pages that do not belong to it', async () => {
    await store('https://a.dev/page', 'Page', ['the walrus']);
    await store('https://a.dev/page', 'Page', ['the penguin']);
    await store('https://a.dev/mine', 'Mine', ['the unicorn'], 'alice');
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO search_words (search_words) VALUES ('delete-all')`),
      env.DB.prepare(`UPDATE documents SET indexed = 2 WHERE indexed = 1`),
    ]);
    expect(await indexedRows('penguin')).toBe(0);
    expect(await urls('penguin')).toEqual(['https://a.dev/page']);
    expect(await indexedRows('walrus', 'unicorn', 'penguin')).toBe(1);
    await checkIndex();
  });

  it('keeps the words of a page when two callers index it at the same time', async () => {
    await store('https://a.dev/page', 'Page', ['the walrus']);
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO search_words (search_words) VALUES ('delete-all')`),
      env.DB.prepare(`UPDATE documents SET indexed = 2 WHERE indexed = 1`),
    ]);
    await Promise.all([index.catchUp(), new PageIndex(openDb(env.DB)).catchUp()]);
    expect(await indexedRows('walrus')).toBe(1);
    await checkIndex();
  });

  it('shows a private document only to its owner', async () => {
    await store('https://a.dev/mine', 'Mine', ['the unicorn'], 'alice');
    for (const subject of [null, 'bob', 'alic', 'alice2', '']) expect(await urls('unicorn', subject)).toEqual([]);
    expect(await urls('unicorn', 'alice')).toEqual(['https://a.dev/mine']);
    expect(await indexedRows('unicorn')).toBe(0);
  });

  it('never shows a page that was read live', async () => {
    await storePage({ url: 'https://a.dev/live', lines: ['the unicorn'], owner: 'alice', mode: 'live' });
    expect(await urls('unicorn', 'alice')).toEqual([]);
  });
});
