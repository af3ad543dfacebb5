import { describe, expect, it } from 'vitest';
import { EFFECT_MS, isBackstopped } from '#browsing/rules/backstop.ts';
import type { BackstopRequest } from '#browsing/rules/backstop.ts';

const SITE = 'example.com';
const request = (change: Partial<BackstopRequest> = {}): BackstopRequest => ({
  url: 'https://api.example.com/x',
  method: 'POST',
  resourceType: 'Fetch',
  contentType: 'application/json',
  hasBody: true,
  body: '{"buy":1}',
  ...change,
});
const inRead = (change: Partial<BackstopRequest>, site: string | null = SITE) =>
  isBackstopped(request(change), { level: 'read', site, msSince: 3_600_000 });
const inAsk = (change: Partial<BackstopRequest>, msSince = 0) =>
  isBackstopped(request(change), { level: 'ask', site: SITE, msSince });

const FORM = { contentType: 'application/x-www-form-urlencoded', body: 'a=1' };
const query = (text: unknown) => ({ body: JSON.stringify(text) });

describe('where a model may only look', () => {
  it('no request is sent that could change something, however late', () => {
    for (const change of [
      {},
      FORM,
      { body: null },
      { hasBody: false, body: null },
      { method: 'delete' },
      { method: 'BUY' },
    ])
      expect(inRead(change)).toBe(true);
  });

  it('pages can load', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'get']) expect(inRead({ method, ...FORM })).toBe(false);
  });

  it('queries of GraphQL pass on the site of the page', () => {
    for (const body of [
      { query: '{ a }' },
      { query: '  query A($b: C) { a }', variables: {} },
      [{ query: '{ a }' }, { query: '{ b }' }],
    ]) {
      expect(inRead(query(body))).toBe(false);
      expect(inRead({ ...query(body), url: 'https://other.example/x' })).toBe(true);
      expect(inRead(query(body), null)).toBe(true);
    }
  });

  it.for([
    [{ query: 'mutation { buy }' }],
    [{ query: '{ a } mutation M { buy }' }],
    [{ query: '# {\nmutation { buy }' }],
    [{ query: 'fragment F on T { a } mutation { buy }' }],
    [{ query: 7 }],
    [{ extensions: {} }],
    [[]],
    [[{ query: '{ a }' }, { query: 'mutation { b }' }]],
    ['{ a }'],
    [null],
    [{ query: '{ a }', id: 'stored' }],
    [{ query: '{ a }', doc_id: '7' }],
  ])('other bodies do not count as queries: %j', ([body]) => {
    expect(inRead(query(body))).toBe(true);
  });

  it('a query that servers may read as another operation is none', () => {
    const body = '{"query":"{ a }"}';
    expect(inRead({ body })).toBe(false);
    expect(inRead({ body: '{"query":"mutation { buy }","query":"{ a }"}' })).toBe(true);
    for (const search of ['query=mutation%7Bbuy%7D', 'Query=x', 'a=1&documentId=7', 'extensions=%7B%7D'])
      expect(inRead({ body, url: `https://api.example.com/x?${search}` })).toBe(true);
  });

  it('a query is recognized by type, method and sender, and the search in it is bounded', () => {
    for (const change of [
      { contentType: 'text/plain' },
      { method: 'PUT' },
      { resourceType: 'Ping' },
      { resourceType: 'Document' },
      { body: `{"query":"{ ${'a '.repeat(60_000)}}"}` },
    ])
      expect(inRead({ ...query({ query: '{ a }' }), ...change })).toBe(true);
  });
});

describe('on a page where the person is asked first', () => {
  it('forms, files and requests to other sites are held', () => {
    for (const change of [
      FORM,
      { contentType: '', body: null },
      { contentType: 'multipart/form-data; boundary=x' },
      { resourceType: 'Document' },
      { url: 'https://other.example/' },
      { contentType: 'application/json', body: 'a=1&b=2' },
    ])
      expect(inAsk(change)).toBe(true);
  });

  it('the page’s own JSON passes, and so do late requests', () => {
    expect(inAsk({})).toBe(false);
    expect(inAsk({ hasBody: false, body: null })).toBe(false);
    expect(inAsk(FORM, EFFECT_MS)).toBe(true);
    expect(inAsk(FORM, EFFECT_MS + 1)).toBe(false);
  });
});
