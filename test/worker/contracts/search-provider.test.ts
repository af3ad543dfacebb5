import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import type { SearchQuery } from '#search/provider.ts';
import { failureOf } from '#support/net-world.ts';
import { CANARY, htmlPage } from '#support/search-answers.ts';
import { emptyIndex } from '#support/search-index.ts';
import { plenty, START } from '#support/search-world.ts';
import { ask, engine, ENGINES, subjects, toldOf, walruses } from '#support/search-subjects.ts';
import { stories } from '#support/stories.ts';

/** Requirements of every source of results. */

beforeEach(emptyIndex);

describe.each(subjects)('$name', ({ name, over, addressOf, shownAs = {}, isOnePage = false }) => {
  it('returns results ranked from 1 with title, address and description', async () => {
    const { provider } = await over(walruses(3));
    const { hits } = await ask(provider);
    expect(hits.map((hit) => hit.rank)).toEqual([1, 2, 3]);
    expect(new Set(hits.map((hit) => hit.url))).toEqual(
      new Set(walruses(3).map((page, index) => addressOf?.(page, index) ?? page.url)),
    );
    for (const hit of hits) {
      expect(hit.title).toMatch(/^Walrus \d$/);
      expect(hit.description).toContain('tusks');
      expect(hit.extra_snippets).toEqual([]);
      expect(hit.age).toBeNull();
    }
  });

  it('returns plain text on one line, without markup or invisible characters', async () => {
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

  it('shortens long texts', async () => {
    const { provider } = await over([
      { url: 'https://walrus.example/', title: 'walrus '.repeat(500), text: 'walrus 𝒲'.repeat(5000) },
    ]);
    const [hit] = (await ask(provider)).hits;
    expect(hit?.title.length).toBeLessThanOrEqual(TITLE_CHARS_MAX);
    expect(hit?.description.length).toBeLessThanOrEqual(SNIPPET_CHARS_MAX);
    expect(hit?.description.isWellFormed()).toBe(true);
  });

  it.skipIf(addressOf !== undefined)('returns only canonical web addresses, each once', async () => {
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

  it.skipIf(addressOf !== undefined)('uses the host as the title of a page without one', async () => {
    const { provider } = await over([{ url: 'https://walrus.example/untitled', title: ' ', text: 'walrus' }]);
    expect((await ask(provider)).hits[0]?.title).toBe('walrus.example');
  });

  it('returns the requested number of results and reports that there are more', async () => {
    const { provider } = await over(walruses(9));
    const some = await ask(provider, { count: 4 });
    expect(some.hits.length).toBe(4);
    expect(some.more).toBe(true);
  });

  it.skipIf(isOnePage)('continues with other results at the next offset', async () => {
    const { provider } = await over(walruses(25));
    const first = await ask(provider, { count: 10 });
    const second = await ask(provider, { count: 10, offset: 1 });
    expect(second.hits.length).toBe(10);
    const both = [...first.hits, ...second.hits].map((hit) => hit.url);
    expect(new Set(both).size).toBe(20);
  });

  it('returns the same answer to the same question', async () => {
    const { provider } = await over(walruses(8));
    expect(await ask(provider, { count: 8 })).toEqual(await ask(provider, { count: 8 }));
  });

  it('returns an empty list when nothing is found', async () => {
    const { provider } = await over([]);
    const { hits, more } = await ask(provider);
    expect(hits).toEqual([]);
    expect(more).toBe(false);
  });

  it('sends each given field, or reports that it cannot honour it', async () => {
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
    const asked = sent.map(({ url, body }) => `${decodeURIComponent(url.href)}${body}`).join();
    for (const [field, value] of Object.entries(fields)) {
      const parameter = field === 'search_lang' || field === 'country' ? `(?:${field}|language)` : field;
      const shown = field === 'safesearch' ? '(?:strict|2)' : field === 'search_lang' ? 'de' : value;
      const usual = new RegExp(`${parameter}=[^&]*${String(shown).replaceAll('.', '\\.')}`);
      const isSent = (new Map(Object.entries(shownAs)).get(field) ?? usual).test(asked);
      const isNamed = notes.some((note) => note.includes(field));
      expect({ name, field, isSent }).toEqual({ name, field, isSent: !isNamed });
    }
  });

  it('does not start when the caller has disconnected', async () => {
    const { provider, sent } = await over(walruses(1));
    const gone = { signal: AbortSignal.abort(new Error('gone')), deadlineAt: plenty().deadlineAt };
    await expect(provider.search({ query: 'walrus', count: 5 }, gone)).rejects.toThrow('gone');
    expect(sent).toEqual([]);
  });
});

describe.each(ENGINES)('a broken %s', (name) => {
  const make = (answer: () => Response) => engine(name, answer);

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
  ])('is reported in words of this server: %s', async (_, answer, words) => {
    const { failure, message } = await toldOf(make(answer).provider);
    expect(failure).toMatchObject({ code: 'search_unavailable', provider: name });
    expect(message).toMatch(words);
  });

  it.each<[string, () => Response, string]>([
    ['too many requests', () => htmlPage(429, { 'retry-after': '17' }), 'search_rate_limited'],
    ['a fault of the service', () => htmlPage(503), 'search_unavailable'],
    ['no credits left', () => Response.json({ error: CANARY }, { status: 402 }), 'search_unavailable'],
    ['a web page instead of JSON', () => htmlPage(200), 'search_unavailable'],
    ['JSON of another form', () => Response.json({ error: CANARY }), 'search_unavailable'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
      'search_unavailable',
    ],
  ])('is reported without text of the service: %s', async (_, answer, code) => {
    const { provider, world } = make(answer);
    const { failure, message } = await world.run(toldOf(provider));
    expect(failure).toMatchObject({ code, provider: name });
    expect(message).toContain(name);
  });

  it('is reported when it does not answer in time, without further waiting', async () => {
    const { provider } = engine(name, () => new Promise<Response>(() => {}));
    const soon = { ...plenty(), deadlineAt: START + 20 };
    expect(await failureOf(provider.search({ query: 'walrus', count: 5 }, soon))).toMatchObject({
      code: 'search_unavailable',
      reason: 'it did not answer within 1 s',
    });
  });

  it('never fails with a foreign error, whatever JSON it returns', async () => {
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
      'items',
      'result',
      'content',
      'text',
      'query',
      'search',
      'html_url',
      'total_count',
      'question_id',
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
      fc.asyncProperty(json, fc.constantFrom(200, 400, 402, 403, 422, 429, 432, 500), async (body, status) => {
        const { provider, world } = make(() => Response.json(body, { status }));
        const outcome = await world.run(ask(provider).catch((error: unknown) => error));
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(PeriscopeError);
          expect(JSON.stringify(outcome)).toMatch(/search_|invalid_argument/);
        } else expect(outcome).toMatchObject({ hits: expect.any(Array) });
      }),
      { numRuns: stories(40) },
    );
  });
});
