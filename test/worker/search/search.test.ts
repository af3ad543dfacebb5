import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { SEARCH_CACHE_TTL_MS, SEARCH_FALLBACK_CACHE_TTL_MS } from '#search/limits.ts';
import { createSearchProviders } from '#search/configured.ts';
import { createMergedProvider } from '#search/merged-provider.ts';
import { toSearchHit, runSearch } from '#search/search.ts';
import type { ProviderAnswer, ProviderName, SearchProvider, SearchQuery } from '#search/provider.ts';
import type { SearchDeps } from '#search/search.ts';
import type { SearchRequest } from '#search/search-request.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { SearchCache } from '#storage/pages/sites.ts';
import { failureOf } from '#support/net-world.ts';
import { memoryCache, openLimiter, searchWorld, START } from '#support/search-world.ts';

const hit = (rank: number, url = `https://walrus.example/${rank}`) => ({
  rank,
  url,
  title: `Walrus ${rank}`,
  description: 'about walruses',
  extra_snippets: [],
  age: null,
});

const found = (count: number): ProviderAnswer => ({
  hits: Array.from({ length: count }, (_, n) => hit(n + 1)),
  more: count > 0,
  notes: [],
});

const unavailable: Failure = { code: 'search_unavailable', provider: 'brave', reason: 'it answered HTTP 503' };
const refusedKey: Failure = { code: 'search_auth_error', provider: 'brave', reason: 'it is not valid' };
const busy: Failure = { code: 'search_rate_limited', provider: 'brave', retryAfterSeconds: 9 };

/** A provider that gives one thing, and remembers what it was asked. */
function stub(name: ProviderName, gives: ProviderAnswer | Failure | Error): SearchProvider & { asked: SearchQuery[] } {
  const asked: SearchQuery[] = [];
  return {
    name,
    source: name,
    paid: false,
    cacheable: name !== 'local',
    asked,
    async search(query) {
      asked.push(query);
      if (gives instanceof Error) throw gives;
      return 'code' in gives ? fail(gives) : gives;
    },
  };
}

const signal = new AbortController().signal;
const deps = (searchProviders: SearchProvider[], more: Partial<SearchDeps> = {}): SearchDeps => ({
  searchProviders,
  searchSource: (source) => stub(source, found(1)),
  searchCache: memoryCache(),
  mayShow: () => true,
  now: () => START,
  ...more,
});
const ask = (with_: SearchDeps, request: Partial<SearchRequest> = {}) =>
  runSearch({ query: 'walrus', count: 5, ...request }, signal, with_);

describe('a search', () => {
  it('uses the first provider and asks no others', async () => {
    const [brave, local] = [stub('brave', found(2)), stub('local', found(1))];
    const result = await ask(deps([brave, local]));
    expect(result).toEqual({
      provider: 'brave',
      hits: [hit(1), hit(2)],
      more_results_available: true,
      cached: false,
      notes: [],
    });
    expect(local.asked).toEqual([]);
  });

  it('lists results from sites that the operator has blocked, because only opening them is forbidden', async () => {
    const mayShow = (url: string) => url !== 'https://walrus.example/2';
    expect((await ask(deps([stub('brave', found(3))], { mayShow }))).hits.length).toBe(3);
  });

  it('accepts an empty answer of the first provider', async () => {
    const [brave, local] = [stub('brave', found(0)), stub('local', found(1))];
    expect(await ask(deps([brave, local]))).toMatchObject({ provider: 'brave', hits: [] });
    expect(local.asked).toEqual([]);
  });

  it.each([
    ['is down', unavailable, /brave gave no usable answer: it answered HTTP 503/],
    ['refuses its key', refusedKey, /brave refused the key: it is not valid/],
    ['is at its limit', busy, /brave accepts no more searches right now/],
  ])('continues with the next provider when one %s, and reports the failure', async (_, failure, words) => {
    const result = await ask(deps([stub('brave', failure), stub('searxng', found(1)), stub('local', found(1))]));
    expect(result.provider).toBe('searxng');
    expect(result.notes[0]).toMatch(words);
    expect(result.notes[1]).toBe('searxng was asked instead.');
  });

  it('reports every provider that failed before', async () => {
    const down: Failure = { code: 'search_unavailable', provider: 'searxng', reason: 'it answered HTTP 500' };
    const result = await ask(deps([stub('brave', busy), stub('searxng', down), stub('local', found(1))]));
    expect(result.provider).toBe('local');
    expect(result.notes.length).toBe(3);
    expect(result.notes.join(' ')).toMatch(
      /brave accepts no more.*searxng gave no usable answer.*The local index was asked instead/,
    );
  });

  it('fails like the first provider when the last resort has no results', async () => {
    const down: Failure = { code: 'search_unavailable', provider: 'searxng', reason: 'it answered HTTP 500' };
    const providers = [stub('brave', refusedKey), stub('searxng', down), stub('local', found(0))];
    expect(await failureOf(ask(deps(providers)))).toEqual(refusedKey);
  });

  it('fails like the first provider when the last one fails too', async () => {
    expect(await failureOf(ask(deps([stub('brave', busy), stub('local', unavailable)])))).toEqual(busy);
  });

  it('does not continue after an error that the caller can correct, or after an internal error', async () => {
    const wrong: Failure = { code: 'invalid_argument', field: 'country', problem: 'is unknown', hint: 'Leave it out.' };
    const local = stub('local', found(1));
    expect(await failureOf(ask(deps([stub('brave', wrong), local])))).toEqual(wrong);
    await expect(ask(deps([stub('brave', new TypeError('a fault')), local]))).rejects.toThrow('a fault');
    expect(local.asked).toEqual([]);
  });

  it('stops when the caller has disconnected', async () => {
    const controller = new AbortController();
    const leaving: SearchProvider = {
      ...stub('brave', unavailable),
      search: async () => {
        controller.abort();
        throw controller.signal.reason;
      },
    };
    const local = stub('local', found(1));
    const left = runSearch({ query: 'walrus', count: 5 }, controller.signal, deps([leaving, local]));
    expect(await failureOf(left)).toMatchObject({ code: 'search_unavailable', reason: 'the call was cancelled' });
    expect(local.asked).toEqual([]);
  });

  it('offers no page beyond the last valid one', async () => {
    expect((await ask(deps([stub('brave', found(5))]), { offset: 8 })).more_results_available).toBe(true);
    expect((await ask(deps([stub('brave', found(5))]), { offset: 9 })).more_results_available).toBe(false);
  });

  it('filters domains after the provider and reports how many results were removed', async () => {
    const answer = { ...found(2), hits: [hit(1, 'https://a.example/'), hit(2, 'https://b.example/')] };
    const brave = stub('brave', answer);
    const result = await ask(deps([brave]), { domain_denylist: ['a.example'] });
    expect(result.hits).toEqual([{ ...hit(2, 'https://b.example/'), rank: 1 }]);
    expect(result.notes).toEqual(['1 of 2 results were left out by the domain lists.']);
    expect(brave.asked[0]).not.toHaveProperty('domain_denylist');
  });

  it('gives the reader toolset the description as snippet', () => {
    expect(toSearchHit(hit(3))).toEqual({
      title: 'Walrus 3',
      url: 'https://walrus.example/3',
      snippet: 'about walruses',
    });
  });
});

describe('stored answers', () => {
  it('are used for the same question, regardless of white space, until they expire', async () => {
    let now = START;
    const brave = stub('brave', found(3));
    const with_ = deps([brave], { searchCache: new SearchCache(openDb(env.DB)), now: () => now });
    const first = await ask(with_, { query: 'stored walrus' });
    const second = await ask(with_, { query: '  stored \n walrus ' });
    expect(first.cached).toBe(false);
    expect(second).toEqual({ ...first, cached: true });
    now += SEARCH_CACHE_TTL_MS;
    expect((await ask(with_, { query: 'stored walrus' })).cached).toBe(false);
    expect(brave.asked.length).toBe(2);
  });

  it('are not used for another question, another page or other providers', async () => {
    const with_ = deps([stub('brave', found(1))]);
    await ask(with_);
    const variants: Partial<SearchRequest>[] = [
      { query: 'Walrus' },
      { count: 6 },
      { offset: 1 },
      { freshness: 'pd' },
      { safesearch: 'strict' },
      { country: 'DE' },
      { search_lang: 'de' },
      { ui_lang: 'de-DE' },
      { extra_snippets: true },
      { goggles: 'https://g.example/' },
    ];
    for (const variant of variants) {
      const { cached } = await ask(with_, variant);
      expect({ variant, cached }).toEqual({ variant, cached: false });
    }
    const others = { ...with_, searchProviders: [stub('searxng', found(1))] };
    expect((await ask(others)).cached).toBe(false);
    expect((await ask(with_)).cached).toBe(true);
  });

  it('are shared by callers with other domain lists', async () => {
    const answer = { ...found(2), hits: [hit(1, 'https://a.example/'), hit(2, 'https://b.example/')] };
    const with_ = deps([stub('brave', answer)]);
    await ask(with_, { domain_allowlist: ['a.example'] });
    const result = await ask(with_, { domain_allowlist: ['b.example'] });
    expect(result.cached).toBe(true);
    expect(result.hits.map(({ url }) => url)).toEqual(['https://b.example/']);
  });

  it('of a substitute provider expire earlier, and keep their note', async () => {
    let now = START;
    const with_ = deps([stub('brave', refusedKey), stub('searxng', found(1))], { now: () => now });
    await ask(with_);
    const stored = await ask(with_);
    expect(stored.cached).toBe(true);
    expect(stored.notes.join(' ')).toMatch(/refused the key/);
    now += SEARCH_FALLBACK_CACHE_TTL_MS;
    expect((await ask(with_)).cached).toBe(false);
  });

  it('never come from the local index, which changes with every page', async () => {
    const cache = memoryCache();
    const with_ = deps([stub('local', found(1))], { searchCache: cache });
    await ask(with_);
    expect((await ask(with_)).cached).toBe(false);
    expect(cache.bodies.size).toBe(0);
  });

  it('contain neither the query nor anything about the caller', async () => {
    const cache = memoryCache();
    await ask(deps([stub('brave', found(0))], { searchCache: cache }), { query: 'a very private matter' });
    expect(JSON.stringify([...cache.bodies])).not.toContain('private');
  });

  it('are ignored when they are damaged or have another format', async () => {
    const cache = memoryCache();
    const with_ = deps([stub('brave', found(1))], { searchCache: cache });
    await ask(with_);
    for (const [key, kept] of cache.bodies) cache.bodies.set(key, { ...kept, body: '{"hits":[{"url":1}]}' });
    expect(await ask(with_)).toMatchObject({ cached: false, hits: [hit(1)] });
  });

  it('are not needed when the store does not work', async () => {
    const broken = {
      get: () => Promise.reject(new Error('no store')),
      put: () => Promise.reject(new Error('no store')),
    };
    expect((await ask(deps([stub('brave', found(1))], { searchCache: broken }))).hits.length).toBe(1);
  });

  it('are deleted only when they are out of date', async () => {
    const cache = new SearchCache(openDb(env.DB));
    await cache.put('old', '{}', START);
    await cache.put('new', '{}', START + 1);
    await cache.purgeExpired(START);
    const { results } = await env.DB.prepare(`SELECT key FROM search_cache WHERE key IN ('old', 'new')`).all();
    expect(results).toEqual([{ key: 'new' }]);
  });
});

describe('several providers asked at once', () => {
  const brave = stub('brave', { ...found(0), hits: [hit(1, 'https://a.example/'), hit(2, 'https://b.example/')] });
  const exa = stub('exa', { ...found(0), hits: [hit(1, 'https://b.example/'), hit(2, 'https://c.example/')] });
  const down: Failure = { code: 'search_unavailable', provider: 'exa', reason: 'it answered HTTP 503' };

  it('are merged by rank, and each result names its provider', async () => {
    const result = await ask(deps([createMergedProvider([brave, exa]), stub('local', found(1))]));
    expect(result.provider).toBe('brave+exa');
    expect(result.hits.map(({ rank, url, found_by }) => [rank, url, found_by])).toEqual([
      [1, 'https://b.example/', ['brave', 'exa']],
      [2, 'https://a.example/', ['brave']],
      [3, 'https://c.example/', ['exa']],
    ]);
    expect(result.notes).toEqual(['Found by brave: 1, 2. Found by exa: 1, 3.']);
  });

  it('are named by the results that remain after the domain lists', async () => {
    const result = await ask(deps([createMergedProvider([brave, exa])]), { domain_denylist: ['b.example'] });
    expect(result.notes.join(' ')).toContain('Found by brave: 1. Found by exa: 2.');
  });

  it.each([
    ['is down', stub('exa', down), /exa gave no usable answer: it answered HTTP 503/],
    ['is out of quota', stub('exa', { ...busy, provider: 'exa' }), /exa accepts no more searches/],
    ['found nothing', stub('exa', found(0)), /exa found nothing/],
  ])('give the results of the others when one %s, and report this', async (_, other, words) => {
    const local = stub('local', found(1));
    const result = await ask(deps([createMergedProvider([brave, other]), local]));
    expect(result.hits.length).toBe(2);
    expect(result.notes.join(' ')).toMatch(words);
    expect(local.asked).toEqual([]);
  });

  it('do not wait long for a slow one, and report its omission', async () => {
    const signals: AbortSignal[] = [];
    const slow: SearchProvider = {
      ...stub('exa', found(0)),
      search: (_, time) => {
        signals.push(time.signal);
        return new Promise(() => {});
      },
    };
    const result = await ask(deps([createMergedProvider([slow, brave])]));
    expect(result.hits.length).toBe(2);
    expect(result.notes.join(' ')).toContain('exa took more than 2 s longer than the others: left out.');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('are replaced by the local index when none of them answers', async () => {
    const result = await ask(
      deps([createMergedProvider([stub('brave', busy), stub('exa', down)]), stub('local', found(1))]),
    );
    expect(result.provider).toBe('local');
    expect(result.notes[0]).toMatch(/brave accepts no more searches/);
  });

  it('report how many results did not fit the page', async () => {
    const result = await ask(deps([createMergedProvider([brave, exa])]), { count: 2 });
    expect(result.hits.length).toBe(2);
    expect(result.notes.join(' ')).toContain('1 further result of this page did not fit: ask again with count 3.');
  });

  it('are cached only if each of them allows it, and for a shorter time if one is missing', async () => {
    const keeps = (provider: SearchProvider, cacheable: boolean) => ({ ...provider, cacheable });
    const cache = memoryCache();
    const with_ = (other: SearchProvider) => deps([createMergedProvider([brave, other])], { searchCache: cache });
    await ask(with_(keeps(exa, false)));
    expect(cache.bodies.size).toBe(0);
    await ask(with_(keeps(stub('exa', down), true)));
    expect([...cache.bodies.values()].map(({ expiresAt }) => expiresAt)).toEqual([
      START + SEARCH_FALLBACK_CACHE_TTL_MS,
    ]);
  });
});

describe('a search that names a source', () => {
  it('asks that source alone', async () => {
    const brave = stub('brave', found(3));
    const result = await ask(deps([brave]), { source: 'wikipedia' });
    expect(result).toMatchObject({ provider: 'wikipedia', hits: [hit(1)] });
    expect(brave.asked).toEqual([]);
  });

  it('fails with the failure of that source, and asks no other', async () => {
    const local = stub('local', found(1));
    const refusing = { ...unavailable, provider: 'github' };
    const with_ = deps([local], { searchSource: () => stub('github', refusing) });
    expect(await failureOf(ask(with_, { source: 'github' }))).toEqual(refusing);
    expect(local.asked).toEqual([]);
  });
});

describe('the providers of a deployment', () => {
  const index = new PageIndex(openDb(env.DB));
  const configured = (settings: Record<string, unknown>) =>
    createSearchProviders(parseConfig(settings), {
      index,
      limiter: () => openLimiter,
      http: searchWorld(() => new Error('unused')).http,
      userAgent: 'Periscope/test',
      cloudflare: { websearch: null, spend: async () => null },
    });
  const names = (settings: Record<string, unknown>) => configured(settings).map(({ name }) => name);

  it('are asked two at once when several are set up, then in order, the local index last', () => {
    expect(names({})).toEqual(['local']);
    expect(names({ BRAVE_API_KEY: 'k' })).toEqual(['brave', 'local']);
    expect(names({ SEARXNG_URL: 'https://s.example' })).toEqual(['searxng', 'local']);
    expect(names({ BRAVE_API_KEY: 'k', SEARXNG_URL: 'https://s.example' })).toEqual(['brave+searxng', 'local']);
  });

  it('are asked at once if the owner names them so', () => {
    const keys = { BRAVE_API_KEY: 'k', EXA_API_KEY: 'k', TAVILY_API_KEY: 'k' };
    expect(names(keys)).toEqual(['exa+brave', 'tavily', 'local']);
    expect(names({ ...keys, SEARCH_PROVIDERS: 'tavily, brave' })).toEqual(['tavily+brave', 'local']);
    expect(names({ ...keys, SEARCH_PROVIDERS: 'exa' })).toEqual(['exa', 'local']);
    expect(names({ ...keys, SEARCH_PROVIDERS: 'brave,local' })).toEqual(['brave+local']);
    expect(names({ ...keys, SEARCH_PROVIDERS: 'local' })).toEqual(['local']);
  });

  it('are Cloudflare if its search is bound and the owner chose no other', () => {
    const AI = { websearch: async () => new Response() };
    expect(names({ AI })).toEqual(['cloudflare', 'local']);
    expect(names({ AI, BRAVE_API_KEY: 'k' })).toEqual(['brave', 'local']);
    expect(names({ AI, SEARCH_PROVIDERS: 'local' })).toEqual(['local']);
  });

  it('include third parties without a key only if the owner names them', () => {
    expect(names({ SEARCH_PROVIDERS: 'keenable,firecrawl' })).toEqual(['keenable+firecrawl', 'local']);
  });

  it('never put a secret into the key of a cached answer', () => {
    const providers = configured({ BRAVE_API_KEY: 'secret-key', SEARXNG_URL: 'https://me:secret-word@s.example/x' });
    expect(providers.map(({ source }) => source).join()).not.toContain('secret');
  });

  it('explain how to search the whole web only if no provider can', async () => {
    const notes = async (settings: Record<string, unknown>) => {
      const local = configured(settings).at(-1);
      const answer = await local?.search({ query: 'walrus', count: 5 }, { signal, deadlineAt: START });
      return answer?.notes.join(' ');
    };
    expect(await notes({})).toMatch(/BRAVE_API_KEY.* or SEARXNG_URL/);
    expect(await notes({ BRAVE_API_KEY: 'k' })).not.toMatch(/BRAVE_API_KEY/);
  });
});
