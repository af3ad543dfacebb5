import { describe, expect, it } from 'vitest';
import { ACT_EFFECT_WINDOW_MS, isStoppedByBackstop } from '#browsing/rules/backstop.ts';
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
  isStoppedByBackstop(request(change), { level: 'read', site, msSince: 3_600_000 });
const inAsk = (change: Partial<BackstopRequest>, msSince = 0) =>
  isStoppedByBackstop(request(change), { level: 'ask', site: SITE, msSince });

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
    expect(inAsk(FORM, ACT_EFFECT_WINDOW_MS)).toBe(true);
    expect(inAsk(FORM, ACT_EFFECT_WINDOW_MS + 1)).toBe(false);
  });

  const form = (body: string) => ({ ...FORM, body });

  it.for([
    'page=2',
    'action=load_more&page=2&nonce=9f8e7d',
    'offset=20&per_page=20&csrf_token=a1',
    'cursor=eyJpZCI6N30%3D',
    'sort=price&order=asc&min_price=10',
    'filter%5Bcolour%5D=red&page=1',
    'q=book+a+table',
    'action=loadMorePosts&paged=3&post_type=post&security=9f8e7d',
    'page=2&cat%5B%5D=7&lang=en&per_page=20',
    'page=2&post_id=7',
    'query=O%27Neill',
  ])('a form that asks for a part of a list passes: %s', (body) => {
    expect(inAsk(form(body))).toBe(false);
    expect(inAsk({ ...form(body), resourceType: 'XHR' })).toBe(false);
    expect(inAsk({ ...form(body), url: 'https://other.example/x' })).toBe(true);
    expect(inRead(form(body))).toBe(true);
  });

  it.for([
    '',
    'a=1',
    'pages=2',
    'page=2&action=delete_item',
    'page=2&do=buy',
    'page=2&order=1207',
    'page=2&buy=1',
    'page=2&password=x',
    'page=2&card_number=4111',
    'page=2&street=Main+St',
    'page=2&email=ann%40example.com',
    'page=2&message=hello',
    'page=2&to=eve&amount=20',
    `page=2&note=${'a'.repeat(300)}`,
    'page=2&note=one%0Atwo',
    'page=Write+a+whole+text+here',
    `q=${'a'.repeat(5_000)}`,
    'page=2&act=del&id=5',
    'page=2&action=deletepost&id=5',
    'page=2&op=sendmail&id=5',
    'page=2&action=save&name=x',
    'page=2&aktion=loeschen&id=5',
    'page=2&_method=PUT&id=5',
    'page=2&status=closed&id=5',
    'page=2&role=admin&user=eve',
    'page=2&like=1&id=5',
    'page=2&msg=Hello',
    'page=2&note=Hello',
    'page=2&account=123&value=50',
    'page=2&to%5B%5D=eve',
    'page=about-us&title=New',
    'sort=1&cursor=a&description=Hello',
    'query=mutation+%7B+deleteUser%28id%3A+1%29+%7B+id+%7D+%7D',
    'query=mutation+Remove%28%24id%3AID%29%7Bremove%28id%3A%24id%29%7D&variables=%7B%7D',
    'q=DELETE+FROM+users',
    'query=drop+table+users',
    'query=select+1%3B+drop+table+users',
    'page=2&sort=name&filter%5Bx%5D=%7B%22a%22%3A1%7D',
  ])('a form that may do more is held: %s', (body) => {
    expect(inAsk(form(body))).toBe(true);
  });

  it('a list is asked for by a script, in the plain format, and at an address that names no act', () => {
    for (const change of [
      { resourceType: 'Document' },
      { resourceType: 'Ping' },
      { method: 'PUT' },
      { contentType: 'text/plain' },
      { contentType: 'multipart/form-data; boundary=x' },
      { url: 'https://example.com/cart/delete' },
      { url: 'https://example.com/x?do=deleteItem' },
      { url: 'https://example.com/x/del.php' },
      { url: 'https://example.com/deleteitem/5' },
      { url: 'https://example.com/users/5/follow' },
      { url: `https://example.com/x?token=${'x'.repeat(400)}&do=delete` },
      { url: 'https://example.com/x?do=%E5%88%A0%E9%99%A4' },
      { url: 'https://example.com/%64elete' },
      { url: 'https://example.com/%ff' },
      { body: null },
    ])
      expect(inAsk({ ...form('page=2'), ...change })).toBe(true);
  });
});
