import { describe, expect, it } from 'vitest';
import type { SearchQuery } from '#search/provider.ts';
import { searxngRequest } from '#search/engines/searxng.ts';

const build = (query: Partial<SearchQuery> = {}, base = 'https://searx.example/') =>
  searxngRequest(base, { query: 'walrus', count: 10, ...query }, 'Periscope/1');
const parameters = (query: Partial<SearchQuery>) => Object.fromEntries(new URL(build(query).url).searchParams);

describe('a request to SearXNG', () => {
  it.each([
    ['https://searx.example', 'https://searx.example/search'],
    ['https://searx.example/', 'https://searx.example/search'],
    ['https://searx.example/search', 'https://searx.example/search'],
    ['https://host.example/searxng/', 'https://host.example/searxng/search'],
    ['http://127.0.0.1:8888', 'http://127.0.0.1:8888/search'],
  ])('goes to the search path below %s', (base, address) => {
    const url = new URL(build({}, base).url);
    expect(url.origin + url.pathname).toBe(address);
  });

  it('asks for JSON, and has only the given parameters', () => {
    expect(parameters({})).toEqual({ q: 'walrus', format: 'json', pageno: '1' });
  });

  it('sends credentials of the URL in a header, never in the URL', () => {
    const { url, headers } = build({}, 'https://me:p%C3%A4ss@searx.example/');
    expect(url).not.toMatch(/me|p%C3%A4ss|@/);
    const [, encoded] = (headers['authorization'] ?? '').split(' ');
    const bytes = Uint8Array.from(atob(encoded ?? ''), (character) => character.charCodeAt(0));
    expect(new TextDecoder().decode(bytes)).toBe('me:päss');
    expect(build().headers).not.toHaveProperty('authorization');
  });

  it('counts pages from one', () => {
    expect(parameters({ offset: 3 })['pageno']).toBe('4');
  });

  it.each([
    ['pd', 'day'],
    ['pw', 'week'],
    ['pm', 'month'],
    ['py', 'year'],
  ])('sends the freshness %s as %s', (freshness, range) => {
    const { url, ignored } = build({ freshness });
    expect(new URL(url).searchParams.get('time_range')).toBe(range);
    expect(ignored).not.toContain('freshness');
  });

  it('cannot search between two dates', () => {
    const { url, ignored } = build({ freshness: '2026-01-01to2026-02-01' });
    expect(new URL(url).searchParams.has('time_range')).toBe(false);
    expect(ignored).toContain('freshness');
  });

  it.each([
    ['off', '0'],
    ['moderate', '1'],
    ['strict', '2'],
  ] as const)('sends the filter %s as %s', (safesearch, sent) => {
    expect(parameters({ safesearch })['safesearch']).toBe(sent);
  });

  it.each<[Partial<SearchQuery>, string | null]>([
    [{ search_lang: 'de' }, 'de'],
    [{ search_lang: 'de', country: 'AT' }, 'de-AT'],
    [{ search_lang: 'de', country: 'ALL' }, 'de'],
    [{ search_lang: 'jp' }, 'ja'],
    [{ search_lang: 'zh-hant' }, 'zh-TW'],
    [{ search_lang: 'pt-br', country: 'PT' }, 'pt-br'],
    [{ search_lang: 'sr-latn' }, null],
    [{ country: 'DE' }, null],
  ])('has for %o the language %s', (query, language) => {
    const { url, ignored } = build(query);
    expect(new URL(url).searchParams.get('language')).toBe(language);
    expect(ignored.includes('country')).toBe(language === null);
  });
});
