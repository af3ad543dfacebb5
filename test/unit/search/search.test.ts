import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { SEARCH_CACHE_TTL_MS, SEARCH_FALLBACK_CACHE_TTL_MS } from '#search/limits.ts';
import { asListHit, configuredProviders, search } from '#search/search.ts';
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
  searchCache: memoryCache(),
  mayShow: () => true,
  now: () => START,
  ...more,
});
const ask = (with_: SearchDeps, request: Partial<SearchRequest> = {}) =>
  search({ query: 'walrus', count: 5, ...request }, signal, with_);

describe('search', () => {
  it('answers with the first provider and asks no others', async () => {
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

  it('lists what a web search finds, whatever the operator has closed: opening it is what they forbid', async () => {
    const mayShow = (url: string) => url !== 'https://walrus.example/2';
    expect((await ask(deps([stub('brave', found(3))], { mayShow }))).hits.length).toBe(3);
  });

  it('takes an empty answer of the first provider for an answer', async () => {
    const [brave, local] = [stub('brave', found(0)), stub('local', found(1))];
    expect(await ask(deps([brave, local]))).toMatchObject({ provider: 'brave', hits: [] });
    expect(local.asked).toEqual([]);
  });

  it.each([
    ['is down', unavailable, /brave gave no usable answer: it answered HTTP 503/],
    ['refuses its key', refusedKey, /brave refused the key: it is not valid/],
    ['is at its limit', busy, /brave accepts no more searches right now/],
  ])('goes on with the next provider when one %s, and says what happened', async (_, failure, words) => {
    const result = await ask(deps([stub('brave', failure), stub('searxng', found(1)), stub('local', found(1))]));
    expect(result.provider).toBe('searxng');
    expect(result.notes[0]).toMatch(words);
    expect(result.notes[1]).toBe('searxng was asked instead.');
  });

  it('tells of every provider that failed on the way', async () => {
    const down: Failure = { code: 'search_unavailable', provider: 'searxng', reason: 'it answered HTTP 500' };
    const result = await ask(deps([stub('brave', busy), stub('searxng', down), stub('local', found(1))]));
    expect(result.provider).toBe('local');
    expect(result.notes.length).toBe(3);
    expect(result.notes.join(' ')).toMatch(
      /brave accepts no more.*searxng gave no usable answer.*The local index was asked instead/,
    );
  });

  it('fails as the first provider did when the last resort has nothing', async () => {
    const down: Failure = { code: 'search_unavailable', provider: 'searxng', reason: 'it answered HTTP 500' };
    const providers = [stub('brave', refusedKey), stub('searxng', down), stub('local', found(0))];
    expect(await failureOf(ask(deps(providers)))).toEqual(refusedKey);
  });

  it('fails as the first provider did when the last one fails too', async () => {
    expect(await failureOf(ask(deps([stub('brave', busy), stub('local', unavailable)])))).toEqual(busy);
  });

  it('does not go on after what the caller can correct, nor after a fault of ours', async () => {
    const wrong: Failure = { code: 'invalid_argument', field: 'country', problem: 'is unknown', hint: 'Leave it out.' };
    const local = stub('local', found(1));
    expect(await failureOf(ask(deps([stub('brave', wrong), local])))).toEqual(wrong);
    await expect(ask(deps([stub('brave', new TypeError('a fault')), local]))).rejects.toThrow('a fault');
    expect(local.asked).toEqual([]);
  });

  it('does not go on when the caller has gone', async () => {
    const controller = new AbortController();
    const leaving: SearchProvider = {
      ...stub('brave', unavailable),
      search: async () => {
        controller.abort();
        throw controller.signal.reason;
      },
    };
    const local = stub('local', found(1));
    const left = search({ query: 'walrus', count: 5 }, controller.signal, deps([leaving, local]));
    expect(await failureOf(left)).toMatchObject({ code: 'search_unavailable', reason: 'the call was cancelled' });
    expect(local.asked).toEqual([]);
  });

  it('offers no page beyond the last that can be asked for', async () => {
    expect((await ask(deps([stub('brave', found(5))]), { offset: 8 })).more_results_available).toBe(true);
    expect((await ask(deps([stub('brave', found(5))]), { offset: 9 })).more_results_available).toBe(false);
  });

  it('filters domains after the provider and says how many results went', async () => {
    const answer = { ...found(2), hits: [hit(1, 'https://a.example/'), hit(2, 'https://b.example/')] };
    const brave = stub('brave', answer);
    const result = await ask(deps([brave]), { domain_denylist: ['a.example'] });
    expect(result.hits).toEqual([{ ...hit(2, 'https://b.example/'), rank: 1 }]);
    expect(result.notes).toEqual(['1 of 2 results were left out by the domain lists.']);
    expect(brave.asked[0]).not.toHaveProperty('domain_denylist');
  });

  it('gives lists of the reader the description as snippet', () => {
    expect(asListHit(hit(3))).toEqual({
      title: 'Walrus 3',
      url: 'https://walrus.example/3',
      snippet: 'about walruses',
    });
  });
});

describe('stored answers', () => {
  it('are used for the same question, however its white space falls, until they are too old', async () => {
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

  it('of a provider that stood in for another go earlier, and keep saying so', async () => {
    let now = START;
    const with_ = deps([stub('brave', refusedKey), stub('searxng', found(1))], { now: () => now });
    await ask(with_);
    const stored = await ask(with_);
    expect(stored.cached).toBe(true);
    expect(stored.notes.join(' ')).toMatch(/refused the key/);
    now += SEARCH_FALLBACK_CACHE_TTL_MS;
    expect((await ask(with_)).cached).toBe(false);
  });

  it('are never made of the local index, which changes with every page', async () => {
    const cache = memoryCache();
    const with_ = deps([stub('local', found(1))], { searchCache: cache });
    await ask(with_);
    expect((await ask(with_)).cached).toBe(false);
    expect(cache.bodies.size).toBe(0);
  });

  it('hold neither the query nor anything of who asked', async () => {
    const cache = memoryCache();
    await ask(deps([stub('brave', found(0))], { searchCache: cache }), { query: 'a very private matter' });
    expect(JSON.stringify([...cache.bodies])).not.toContain('private');
  });

  it('are looked over when they are damaged or of another form', async () => {
    const cache = memoryCache();
    const with_ = deps([stub('brave', found(1))], { searchCache: cache });
    await ask(with_);
    for (const [key, kept] of cache.bodies) cache.bodies.set(key, { ...kept, body: '{"hits":[{"url":1}]}' });
    expect(await ask(with_)).toMatchObject({ cached: false, hits: [hit(1)] });
  });

  it('are done without when the store does not work', async () => {
    const broken = {
      get: () => Promise.reject(new Error('no store')),
      put: () => Promise.reject(new Error('no store')),
    };
    expect((await ask(deps([stub('brave', found(1))], { searchCache: broken }))).hits.length).toBe(1);
  });

  it('are dropped only when they are out of date', async () => {
    const cache = new SearchCache(openDb(env.DB));
    await cache.put('old', '{}', START);
    await cache.put('new', '{}', START + 1);
    await cache.purgeExpired(START);
    const { results } = await env.DB.prepare(`SELECT key FROM search_cache WHERE key IN ('old', 'new')`).all();
    expect(results).toEqual([{ key: 'new' }]);
  });
});

describe('the providers of a deployment', () => {
  const index = new PageIndex(openDb(env.DB));
  const configured = (config: { BRAVE_API_KEY?: string; SEARXNG_URL?: string }) =>
    configuredProviders(
      { BRAVE_API_KEY: config.BRAVE_API_KEY, SEARXNG_URL: config.SEARXNG_URL },
      {
        index,
        limiter: () => openLimiter,
        http: searchWorld(() => new Error('unused')).http,
        userAgent: 'Periscope/test',
      },
    );
  const names = (config: Parameters<typeof configured>[0]) => configured(config).map(({ name }) => name);

  it('are asked in order, the local index last', () => {
    expect(names({})).toEqual(['local']);
    expect(names({ BRAVE_API_KEY: 'k' })).toEqual(['brave', 'local']);
    expect(names({ SEARXNG_URL: 'https://s.example' })).toEqual(['searxng', 'local']);
    expect(names({ BRAVE_API_KEY: 'k', SEARXNG_URL: 'https://s.example' })).toEqual(['brave', 'searxng', 'local']);
  });

  it('never carry a secret into the address of a stored answer', () => {
    const providers = configured({ BRAVE_API_KEY: 'secret-key', SEARXNG_URL: 'https://me:secret-word@s.example/x' });
    expect(providers.map(({ source }) => source).join()).not.toContain('secret');
  });

  it('tell how to search the whole web only where nobody can', async () => {
    const notes = async (config: Parameters<typeof configured>[0]) => {
      const local = configured(config).at(-1);
      const answer = await local?.search({ query: 'walrus', count: 5 }, { signal, deadlineAt: START });
      return answer?.notes.join(' ');
    };
    expect(await notes({})).toMatch(/BRAVE_API_KEY or SEARXNG_URL/);
    expect(await notes({ BRAVE_API_KEY: 'k' })).not.toMatch(/BRAVE_API_KEY/);
  });
});
