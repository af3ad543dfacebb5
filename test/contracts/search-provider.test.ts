import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeFailure } from '#core/describe-failure.ts';
import { PeriscopeError } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { SNIPPET_CHARS_MAX } from '#search/limits.ts';
import { braveProvider } from '#search/brave.ts';
import { localProvider } from '#search/local.ts';
import type { SearchProvider, SearchQuery } from '#search/provider.ts';
import { searxngProvider } from '#search/searxng.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/page-index.ts';
import { failureOf } from '#support/net-world.ts';
import { braveAnswer, braveError, braveValidation, CANARY, htmlPage, searxngAnswer } from '#support/search-answers.ts';
import type { FoundPage } from '#support/search-answers.ts';
import { emptyIndex, storeIndexedPage } from '#support/search-index.ts';
import { openSlots, plenty, searchWorld } from '#support/search-world.ts';
import type { Sent } from '#support/search-world.ts';

/** What every source of results must do, whatever it is. */

type Subject = {
  name: string;
  /** A provider whose service knows just these pages. */
  over: (pages: readonly FoundPage[]) => Promise<{ provider: SearchProvider; sent: Sent[] }>;
};

const INSTANCE_PAGE = 10;

function brave(answer: (request: Sent, count: number) => Response) {
  const world = searchWorld(answer);
  const { http, sent } = world;
  return {
    provider: braveProvider({ key: 'a-key', userAgent: 'Periscope/test', slots: openSlots, http }),
    sent,
    world,
  };
}

function searxng(answer: (request: Sent, count: number) => Response) {
  const world = searchWorld(answer);
  const { http, sent } = world;
  return {
    provider: searxngProvider({ base: 'http://10.0.0.7:8888/', userAgent: 'Periscope/test', http }),
    sent,
    world,
  };
}

const subjects: Subject[] = [
  {
    name: 'brave',
    over: async (pages) =>
      brave(({ url }) => {
        const count = Number(url.searchParams.get('count'));
        const from = count * Number(url.searchParams.get('offset'));
        return braveAnswer(pages.slice(from, from + count), { more: pages.length > from + count });
      }),
  },
  {
    name: 'searxng',
    over: async (pages) =>
      searxng(({ url }) => {
        const from = INSTANCE_PAGE * (Number(url.searchParams.get('pageno')) - 1);
        return searxngAnswer(pages.slice(from, from + INSTANCE_PAGE));
      }),
  },
  {
    name: 'local',
    over: async (pages) => {
      for (const page of pages) await storeIndexedPage(page);
      return { provider: localProvider(new PageIndex(openDb(env.DB))), sent: [] };
    },
  },
];

beforeEach(emptyIndex);

const walruses = (count: number): FoundPage[] =>
  Array.from({ length: count }, (_, n) => ({
    url: `https://walrus.example/${n}`,
    title: `Walrus ${n}`,
    text: `A walrus has tusks, says page ${n}.`,
  }));

const ask = (provider: SearchProvider, query: Partial<SearchQuery> = {}) =>
  provider.search({ query: 'walrus', count: 5, ...query }, plenty());

describe.each(subjects)('$name', ({ over }) => {
  it('gives results ranked from 1 with title, address and description', async () => {
    const { provider } = await over(walruses(3));
    const { hits } = await ask(provider);
    expect(hits.map((hit) => hit.rank)).toEqual([1, 2, 3]);
    expect(new Set(hits.map((hit) => hit.url))).toEqual(new Set(walruses(3).map((page) => page.url)));
    for (const hit of hits) {
      expect(hit.title).toMatch(/^Walrus \d$/);
      expect(hit.description).toContain('tusks');
      expect(hit.extra_snippets).toEqual([]);
      expect(hit.age).toBeNull();
    }
  });

  it('gives text as plain text on one line, without markup it brought along or characters nobody sees', async () => {
    const hidden = '\u{e0041}\u{e0042}\u202e\u200b\u0007';
    const { provider } = await over([
      {
        url: 'https://walrus.example/',
        title: `Wal${hidden}rus\n & "friends"`,
        text: `walrus Vec<T>${hidden}\r\n\tit's & more`,
      },
    ]);
    const [hit] = (await ask(provider)).hits;
    expect(hit?.title).toBe('Walrus & "friends"');
    expect(hit?.description).toContain(`walrus Vec<T> it's & more`);
    expect(hit?.description).not.toContain('strong');
  });

  it('shortens what is long', async () => {
    const { provider } = await over([
      { url: 'https://walrus.example/', title: 'walrus '.repeat(500), text: 'walrus 𝒲'.repeat(5000) },
    ]);
    const [hit] = (await ask(provider)).hits;
    expect(hit?.title.length).toBeLessThanOrEqual(TITLE_CHARS_MAX);
    expect(hit?.description.length).toBeLessThanOrEqual(SNIPPET_CHARS_MAX);
    expect(hit?.description.isWellFormed()).toBe(true);
  });

  it('shows canonical web addresses only, each once', async () => {
    const addresses = [
      'HTTPS://Walrus.Example:443/one#tusks',
      'https://walrus.example/one',
      'javascript:alert(1)',
      'ftp://walrus.example/file',
      'https://me:secret@walrus.example/private',
      'not an address',
      'data:text/html,walrus',
      'http://walrus.example/two',
      `https://walrus.example/${'x'.repeat(3000)}`,
    ];
    const { provider } = await over(
      addresses.map((url, n) => ({ url, title: `Walrus ${n}`, text: `walrus number ${n}` })),
    );
    const { hits } = await ask(provider, { count: 20 });
    expect(hits.map((hit) => hit.url).sort()).toEqual(['http://walrus.example/two', 'https://walrus.example/one']);
    expect(hits.map((hit) => hit.rank)).toEqual([1, 2]);
  });

  it('names the host where a page has no title', async () => {
    const { provider } = await over([{ url: 'https://walrus.example/untitled', title: ' ', text: 'walrus' }]);
    expect((await ask(provider)).hits[0]?.title).toBe('walrus.example');
  });

  it('gives as many as were asked for and says that there are more', async () => {
    const { provider } = await over(walruses(9));
    const some = await ask(provider, { count: 4 });
    expect(some.hits.length).toBe(4);
    expect(some.more).toBe(true);
  });

  it('goes on with other results at the next offset', async () => {
    const { provider } = await over(walruses(25));
    const first = await ask(provider, { count: 10 });
    const second = await ask(provider, { count: 10, offset: 1 });
    expect(second.hits.length).toBe(10);
    const both = [...first.hits, ...second.hits].map((hit) => hit.url);
    expect(new Set(both).size).toBe(20);
  });

  it('gives the same answer to the same question', async () => {
    const { provider } = await over(walruses(8));
    expect(await ask(provider, { count: 8 })).toEqual(await ask(provider, { count: 8 }));
  });

  it('answers with an empty list when nothing is found', async () => {
    const { provider } = await over([]);
    const { hits, more } = await ask(provider);
    expect(hits).toEqual([]);
    expect(more).toBe(false);
  });

  it('sends each field that it is given, or says that it cannot honour it', async () => {
    const { provider, sent } = await over(walruses(1));
    const fields: Partial<SearchQuery> = {
      freshness: '2026-01-01to2026-02-01',
      safesearch: 'strict',
      country: 'DE',
      search_lang: 'de',
      ui_lang: 'de-DE',
      extra_snippets: true,
      goggles: 'https://goggles.example/g.goggle',
    };
    const { notes } = await ask(provider, fields);
    const asked = sent.map((request) => decodeURIComponent(request.url.search)).join();
    for (const [name, value] of Object.entries(fields)) {
      const parameter = name === 'search_lang' || name === 'country' ? `(?:${name}|language)` : name;
      const shown = name === 'safesearch' ? '(?:strict|2)' : name === 'search_lang' ? 'de' : value;
      const isSent = new RegExp(`${parameter}=[^&]*${String(shown).replaceAll('.', '\\.')}`).test(asked);
      const isNamed = notes.some((note) => note.includes(name));
      expect({ name, isSent }).toEqual({ name, isSent: !isNamed });
    }
  });

  it('does not begin when the caller has gone', async () => {
    const { provider, sent } = await over(walruses(1));
    const gone = { signal: AbortSignal.abort(new Error('gone')), deadlineAt: plenty().deadlineAt };
    await expect(provider.search({ query: 'walrus', count: 5 }, gone)).rejects.toThrow('gone');
    expect(sent).toEqual([]);
  });
});

/** A failure and what a caller is told of it, which must hold nothing of the service's own words. */
async function toldOf(provider: SearchProvider): Promise<{ failure: Failure; message: string }> {
  const failure = await failureOf(ask(provider));
  const report = describeFailure(failure);
  expect(JSON.stringify(report)).not.toContain(CANARY);
  return { failure, message: report.message };
}

describe('brave, refusing', () => {
  it.each<[string, () => Response, RegExp]>([
    ['an unknown key', () => braveError(422, 'SUBSCRIPTION_TOKEN_INVALID'), /refused the key: it is not valid/],
    [
      'an unknown key, as its reference writes it',
      () => braveError(422, 'SUBSCRIPTION_TOKEN_INVALID', { asList: true }),
      /it is not valid/,
    ],
    [
      'a key that did not arrive',
      () => braveValidation('header', 'x-subscription-token'),
      /was sent in a form that is not accepted/,
    ],
    ['a key without a subscription', () => braveError(404, 'SUBSCRIPTION_NOT_FOUND'), /it belongs to no subscription/],
    ['a key for something else', () => braveError(403, 'RESOURCE_NOT_ALLOWED'), /not allowed to use web search/],
    ['a plan without an option', () => braveError(400, 'OPTION_NOT_IN_PLAN'), /plan does not include an option/],
    ['with 401 and no reason', () => htmlPage(401), /HTTP 401/],
    ['with 403 and no reason', () => htmlPage(403), /HTTP 403/],
  ])('%s names the key as the problem, once and without trying again', async (_, answer, words) => {
    const { provider, sent } = brave(answer);
    const { failure, message } = await toldOf(provider);
    expect(failure.code).toBe('search_auth_error');
    expect(message).toMatch(words);
    expect(sent.length).toBe(1);
  });

  it.each([
    ['country', 'country'],
    ['search_lang', 'search_lang'],
    ['q', 'query'],
  ])('a value of %s names the argument that the caller can correct', async (parameter, field) => {
    const { provider } = brave(() => braveValidation('query', parameter));
    const { failure } = await toldOf(provider);
    expect(failure).toMatchObject({ code: 'invalid_argument', field });
  });

  it.each<[string, () => Response, string]>([
    ['a request it does not understand', () => braveError(422, 'VALIDATION'), 'it answered HTTP 422 VALIDATION'],
    ['something unknown', () => braveValidation('query', CANARY), 'it answered HTTP 422 VALIDATION'],
    ['with a code of its own', () => braveError(400, CANARY), 'it answered HTTP 400'],
    ['with 410', () => htmlPage(410), 'it answered HTTP 410'],
    [
      'with a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }),
      'it answered with a redirect, which is not followed',
    ],
    [
      'with JSON of another form',
      () => Response.json({ type: 'elsewhere', text: CANARY }),
      'its answer does not have the documented form',
    ],
    ['with a web page', () => htmlPage(200), 'its answer does not have the documented form'],
  ])('%s says what it answered, once and without trying again', async (_, answer, reason) => {
    const { provider, sent } = brave(answer);
    const { failure } = await toldOf(provider);
    expect(failure).toMatchObject({ code: 'search_unavailable', provider: 'brave', reason });
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('leaves out a result that is malformed and keeps the others', async () => {
    const { provider } = brave(() =>
      Response.json({
        type: 'search',
        query: { original: 'x' },
        web: {
          results: [
            { title: 'no address' },
            7,
            null,
            { url: 'https://a.example/', title: null, age: 3 },
            { url: 'https://b.example/' },
          ],
        },
      }),
    );
    expect((await ask(provider)).hits.map((hit) => hit.url)).toEqual(['https://b.example/']);
  });
});

describe('searxng, refusing', () => {
  it.each<[string, () => Response, RegExp]>([
    [
      'JSON, as a stock instance does',
      () => htmlPage(403),
      /does not allow JSON.*add "json" to search\.formats in settings\.yml/,
    ],
    ['to be anything but a web page', () => htmlPage(200), /web page instead of JSON; SEARXNG_URL must be/],
    [
      'with a redirect',
      () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
      /redirect, which is not followed/,
    ],
    ['a parameter', () => Response.json({ error: CANARY }, { status: 400 }), /HTTP 400/],
    ['with a fault of its own', () => Response.json({ error: CANARY }, { status: 500 }), /HTTP 500/],
    ['with JSON of another form', () => Response.json({ error: CANARY }), /does not have the documented form/],
    [
      'because no engine answered',
      () => searxngAnswer([], ['one', 'two']),
      /none of its search engines found anything, and 2 of them did not answer/,
    ],
  ])('%s says so, once and without following or trying again', async (_, answer, words) => {
    const { provider, sent } = searxng(answer);
    const { failure, message } = await toldOf(provider);
    expect(failure.code).toBe('search_unavailable');
    expect(message).toMatch(words);
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('callers that come too often says when to come back', async () => {
    const patient = searxng(() => htmlPage(429, { 'retry-after': '17' }));
    expect((await toldOf(patient.provider)).failure).toMatchObject({
      code: 'search_rate_limited',
      retryAfterSeconds: 17,
    });
    const silent = searxng(() => htmlPage(429));
    expect((await toldOf(silent.provider)).failure).toMatchObject({
      code: 'search_rate_limited',
      retryAfterSeconds: 60,
    });
  });

  it('callers without a sign-in names that', async () => {
    const { provider } = searxng(() => htmlPage(401));
    expect((await toldOf(provider)).failure.code).toBe('search_auth_error');
  });

  it('says how many of its engines were silent when others answered', async () => {
    const { provider } = searxng(() => searxngAnswer(walruses(1), ['one']));
    const { hits, notes } = await ask(provider);
    expect(hits.length).toBe(1);
    expect(notes).toEqual(['searxng: 1 of its search engines did not answer.']);
  });
});

describe.each([
  ['brave', brave],
  ['searxng', searxng],
] as const)('%s, broken', (name, make) => {
  it.each<[string, () => Response, RegExp]>([
    [
      'no connection',
      () => {
        throw new Error(`connect ECONNREFUSED ${CANARY}`);
      },
      /connection was refused/,
    ],
    [
      'no such host',
      () => {
        throw new Error(`getaddrinfo ENOTFOUND ${CANARY}`);
      },
      /host name could not be looked up/,
    ],
    ['a body without end', () => new Response('x'.repeat(3_000_000)), /larger than 2097152 bytes/],
    ['half a body', () => new Response('{"type":"search"', { headers: { 'content-length': '999' } }), /broke off/],
  ])('%s is told in our words', async (_, answer, words) => {
    const { failure, message } = await toldOf(make(answer).provider);
    expect(failure).toMatchObject({ code: 'search_unavailable', provider: name });
    expect(message).toMatch(words);
  });

  it('never fails with anything but its own failures, whatever JSON comes', async () => {
    const key = fc.constantFrom(
      'type',
      'query',
      'web',
      'results',
      'url',
      'title',
      'content',
      'age',
      'extra_snippets',
      'error',
      'meta',
      'errors',
      'loc',
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.constant('search'),
        fc.array(tie('json')),
        fc.dictionary(key, tie('json')),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(json, fc.constantFrom(200, 400, 403, 422, 429, 500), async (body, status) => {
        const { provider, world } = make(() => Response.json(body, { status }));
        const outcome = await world.run(ask(provider).catch((error: unknown) => error));
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(PeriscopeError);
          expect(JSON.stringify(outcome)).toMatch(/search_|invalid_argument/);
        } else expect(outcome).toMatchObject({ hits: expect.any(Array) });
      }),
      { numRuns: 150 },
    );
  });
});
