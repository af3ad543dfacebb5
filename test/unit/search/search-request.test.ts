import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { applyFilter, domainFilter, parseRequest } from '#search/search-request.ts';
import type { DomainFilter, SearchRequest } from '#search/search-request.ts';

const parse = (request: Partial<SearchRequest>) => parseRequest({ query: 'walrus', count: 5, ...request }).query;

function refusedField(request: Partial<SearchRequest>): string {
  try {
    parse(request);
  } catch (error) {
    if (error instanceof PeriscopeError && error.failure.code === 'invalid_argument') return error.failure.field;
    throw error;
  }
  return 'none';
}

describe('a search request', () => {
  it('has one form however it is spelt', () => {
    expect(
      parse({
        query: '  walrus\n\t tusks ',
        country: 'uk',
        search_lang: 'EN',
        ui_lang: 'EN-us',
        extra_snippets: false,
      }),
    ).toEqual({ query: 'walrus tusks', count: 5, offset: 0, country: 'GB', search_lang: 'en', ui_lang: 'en-US' });
  });

  it.each<[Partial<SearchRequest>]>([
    [{ freshness: 'pd' }],
    [{ freshness: '2026-01-01to2026-01-01' }],
    [{ freshness: '2024-02-29to2026-11-21' }],
    [{ country: 'ALL' }],
    [{ country: 'us' }],
    [{ search_lang: 'zh-hans' }],
    [{ ui_lang: 'pt-BR' }],
    [{ goggles: '! name: x\n$discard,site=y.example' }],
    [{ count: 20, offset: 9 }],
  ])('is accepted with %o', (request) => {
    expect(refusedField(request)).toBe('none');
  });

  it.each<[Partial<SearchRequest>, string]>([
    [{ query: '  \n ' }, 'query'],
    [{ query: 'x'.repeat(1001) }, 'query'],
    [{ count: 0 }, 'count'],
    [{ count: 21 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ offset: 10 }, 'offset'],
    [{ offset: -1 }, 'offset'],
    [{ freshness: 'today' }, 'freshness'],
    [{ freshness: '2026-01-01' }, 'freshness'],
    [{ freshness: '2026-02-30to2026-03-01' }, 'freshness'],
    [{ freshness: '2026-13-01to2026-13-02' }, 'freshness'],
    [{ freshness: '2026-03-02to2026-03-01' }, 'freshness'],
    [{ country: 'Germany' }, 'country'],
    [{ country: '' }, 'country'],
    [{ search_lang: 'english' }, 'search_lang'],
    [{ ui_lang: 'en' }, 'ui_lang'],
    [{ goggles: 'x'.repeat(2001) }, 'goggles'],
    [{ domain_allowlist: ['https://a.example/'] }, 'domain_allowlist'],
    [{ domain_denylist: ['a.example/path'] }, 'domain_denylist'],
    [{ domain_denylist: ['a b'] }, 'domain_denylist'],
    [{ domain_denylist: [''] }, 'domain_denylist'],
    [{ domain_denylist: ['*.a.example'] }, 'domain_denylist'],
    [{ domain_denylist: ['a.example:443'] }, 'domain_denylist'],
    [{ domain_denylist: Array.from({ length: 51 }, (_, n) => `a${n}.example`) }, 'domain_denylist'],
  ])('is refused with %o, naming %s', (request, field) => {
    expect(refusedField(request)).toBe(field);
  });
});

describe('domain lists', () => {
  const urls = (hosts: string[], filter: DomainFilter | null) => {
    const hits = hosts.map((host, index) => ({
      rank: index + 1,
      url: `https://${host}/`,
      title: '',
      description: '',
      extra_snippets: [],
      age: null,
    }));
    if (filter === null) return hosts;
    const { hits: kept, left } = applyFilter(hits, filter);
    expect(left).toBe(hits.length - kept.length);
    expect(kept.map(({ rank }) => rank)).toEqual(kept.map((_, index) => index + 1));
    return kept.map(({ url }) => new URL(url).host);
  };
  const hosts = ['a.example', 'docs.a.example', 'nota.example', 'b.example:8443', 'xn--bcher-kva.example'];

  it('include subdomains, and exclude hosts that merely have the same ending', () => {
    expect(urls(hosts, domainFilter(['a.example'], undefined))).toEqual(['a.example', 'docs.a.example']);
    expect(urls(hosts, domainFilter(undefined, ['a.example', 'b.example']))).toEqual([
      'nota.example',
      'xn--bcher-kva.example',
    ]);
  });

  it('ignore case, a final dot and the encoding of a name', () => {
    expect(urls(hosts, domainFilter(['A.Example.', 'bücher.example'], []))).toEqual([
      'a.example',
      'docs.a.example',
      'xn--bcher-kva.example',
    ]);
  });

  it('deny a domain that is both allowed and denied', () => {
    expect(urls(hosts, domainFilter(['a.example'], ['docs.a.example']))).toEqual(['a.example']);
  });

  it('do not filter when they are empty', () => {
    expect(domainFilter([], undefined)).toBeNull();
  });

  it.each([
    ['nothing', ' '],
    ['an address', 'https://a.example'],
    ['more letters than a name has', `${'a'.repeat(252)}.b`],
  ])('refuse %s as a domain', (_, domain) => {
    expect(() => domainFilter([domain], undefined)).toThrow(PeriscopeError);
  });
});
