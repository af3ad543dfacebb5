import { describe, expect, it } from 'vitest';
import { BRAVE_QUERY_CHARS_MAX, BRAVE_QUERY_WORDS_MAX } from '#search/limits.ts';
import { braveAnswer } from '#support/search-answers.ts';
import { braveRequest, rateLimitWindows, readBraveAnswer } from '#search/engines/brave.ts';
import type { SearchQuery } from '#search/provider.ts';

const build = (query: Partial<SearchQuery>) =>
  braveRequest({ query: 'walrus', count: 10, ...query }, 'the-key', 'Periscope/1 (+https://p.example/)');
const parameters = (query: Partial<SearchQuery>) => Object.fromEntries(new URL(build(query).url).searchParams);

describe('a request to Brave', () => {
  it('goes to the URL of its web search with the key in a header, never in the URL', () => {
    const { url, headers } = build({});
    expect(url.startsWith('https://api.search.brave.com/res/v1/web/search?q=walrus&')).toBe(true);
    expect(url).not.toContain('the-key');
    expect(headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'Periscope/1 (+https://p.example/)',
      'x-subscription-token': 'the-key',
    });
  });

  it('asks for web pages without highlighting, and has only the given parameters', () => {
    expect(parameters({})).toEqual({
      q: 'walrus',
      count: '10',
      offset: '0',
      text_decorations: 'false',
      result_filter: 'web',
    });
  });

  it('carries every parameter under the name that Brave gives it', () => {
    const goggles = '! name: mine\n$discard,site=x.example';
    expect(
      parameters({
        count: 20,
        offset: 9,
        freshness: '2026-01-01to2026-03-31',
        safesearch: 'off',
        country: 'DE',
        search_lang: 'de',
        ui_lang: 'de-DE',
        extra_snippets: true,
        goggles,
      }),
    ).toEqual({
      q: 'walrus',
      count: '20',
      offset: '9',
      text_decorations: 'false',
      result_filter: 'web',
      freshness: '2026-01-01to2026-03-31',
      safesearch: 'off',
      country: 'DE',
      search_lang: 'de',
      ui_lang: 'de-DE',
      extra_snippets: 'true',
      goggles,
    });
  });

  it('preserves the meaning of a query, whatever characters it contains', () => {
    const query = 'c++ "exact phrase" site:a.example & 100% #1 =? ünïcödé 𝒲';
    expect(parameters({ query })['q']).toBe(query);
  });

  it.each([
    ['ja', 'jp'],
    ['zh', 'zh-hans'],
    ['zh-tw', 'zh-hant'],
    ['pt', 'pt-br'],
    ['pt-pt', 'pt-pt'],
    ['en-us', 'en'],
    ['en-gb', 'en-gb'],
    ['no', 'nb'],
    ['ja-jp', 'jp'],
  ])('gives the language %s the name that Brave uses: %s', (given, sent) => {
    expect(parameters({ search_lang: given })['search_lang']).toBe(sent);
  });

  it('cuts a query at a word if Brave would refuse its length, and reports this', () => {
    const manyWords = build({ query: 'walrus '.repeat(80).trim() });
    const sent = new URL(manyWords.url).searchParams.get('q') ?? '';
    expect(sent.split(' ').length).toBe(BRAVE_QUERY_WORDS_MAX);
    expect(manyWords.notes.join()).toContain('the end of the query was left out');

    const longWords = new URL(build({ query: `${'x'.repeat(200)} `.repeat(4).trim() }).url).searchParams.get('q') ?? '';
    expect(longWords.length).toBeLessThanOrEqual(BRAVE_QUERY_CHARS_MAX);
    expect(longWords.split(' ').every((word) => word.length === 200)).toBe(true);

    const oneWord = new URL(build({ query: 'y'.repeat(900) }).url).searchParams.get('q') ?? '';
    expect(oneWord.length).toBe(BRAVE_QUERY_CHARS_MAX);
    expect(build({ query: 'walrus' }).notes).toEqual([]);
  });
});

describe('an answer of Brave', () => {
  const read = async (response: Response, query: Partial<SearchQuery> = {}) =>
    readBraveAnswer(await response.json(), { query: 'walrus', count: 5, ...query });
  const page = {
    url: 'https://walrus.example/',
    title: `Walruses & "friends" <b>`,
    text: `it's 5 < 6`,
    age: '2 days ago',
    more: ['Another <passage>', '', 'A third'],
  };

  it('loses its markup: tags are removed, character references are decoded', async () => {
    const [hit] = (await read(braveAnswer([page])))?.hits ?? [];
    expect(hit).toEqual({
      rank: 1,
      title: 'Walruses & "friends" <b>',
      url: 'https://walrus.example/',
      description: `Found: it's 5 < 6`,
      extra_snippets: [],
      age: '2 days ago',
    });
  });

  it('has further passages only when they were requested', async () => {
    const found = await read(braveAnswer([page]), { extra_snippets: true });
    expect(found?.hits[0]?.extra_snippets).toEqual(['Another <passage>', 'A third']);
  });

  it('reports a corrected spelling of the query, without repeating it', async () => {
    const found = await read(braveAnswer([page], { altered: 'walrus now' }));
    expect(found?.notes.join()).toMatch(/corrected the spelling/);
    expect(found?.notes.join()).not.toContain('walrus now');
    expect((await read(braveAnswer([page], { altered: 'walrus' })))?.notes).toEqual([]);
  });

  it('uses the date of a page that has no age in words', async () => {
    const body = { type: 'search', web: { results: [{ url: 'https://a.example/', page_age: '2026-11-19T08:00:00' }] } };
    expect((await read(Response.json(body)))?.hits[0]?.age).toBe('2026-11-19T08:00:00');
  });

  it('counts as continued if it does not say otherwise and the page is full', async () => {
    const results = Array.from({ length: 5 }, (_, n) => ({ url: `https://a.example/${n}` }));
    const full = { type: 'search', query: {}, web: { results } };
    const short = { type: 'search', query: {}, web: { results: results.slice(1) } };
    expect((await read(Response.json(full)))?.more).toBe(true);
    expect((await read(Response.json(short)))?.more).toBe(false);
  });
});

describe('the rate headers of Brave', () => {
  const windows = (headers: Record<string, string>) => rateLimitWindows(new Headers(headers));

  it('are read one window at a time', () => {
    expect(
      windows({
        'X-RateLimit-Limit': '1, 15000',
        'X-RateLimit-Policy': '1;w=1, 15000;w=2592000',
        'X-RateLimit-Remaining': '1, 1000',
        'X-RateLimit-Reset': '1, 1419704',
      }),
    ).toEqual([
      { limit: 1, windowMs: 1000, remaining: 1, resetMs: 1000 },
      { limit: 15_000, windowMs: 2_592_000_000, remaining: 1000, resetMs: 1_419_704_000 },
    ]);
  });

  it('distinguish a window without a limit from an exhausted one', () => {
    const [, month] = windows({ 'x-ratelimit-policy': '50;w=1, 0;w=2592000', 'x-ratelimit-remaining': '49, 0' });
    expect(month).toEqual({ limit: 0, windowMs: 2_592_000_000, remaining: 0, resetMs: null });
  });

  it.each([
    [{}],
    [{ 'x-ratelimit-policy': '' }],
    [{ 'x-ratelimit-policy': 'many;w=1' }],
    [{ 'x-ratelimit-policy': '1;w=-1' }],
    [{ 'x-ratelimit-policy': '1e9;w=1, 99999999999;w=1' }],
    [{ 'x-ratelimit-limit': '1, 15000' }],
  ])('give no limits when they are unreadable: %o', (headers) => {
    expect(windows(headers)).toEqual([]);
  });

  it('give the readable values when some are missing', () => {
    expect(windows({ 'x-ratelimit-policy': '1;w=1, 5;w=60', 'x-ratelimit-remaining': 'x' })).toEqual([
      { limit: 1, windowMs: 1000, remaining: null, resetMs: null },
      { limit: 5, windowMs: 60_000, remaining: null, resetMs: null },
    ]);
  });
});
