import { describe, expect, it } from 'vitest';
import { DNS_CACHE_TTL_MAX_MS } from '#net/limits.ts';
import { dohResolver } from '#net/fetch/dns.ts';
import { failureOf } from '../../support/net-world.ts';

type Row = { type: number; TTL: number; data: string };

function resolver(answers: { status?: number; a?: Row[]; aaaa?: Row[]; response?: () => Response }) {
  const asked: URL[] = [];
  let clock = 1_000_000;
  const resolve = dohResolver({
    now: () => clock,
    fetch: async (text) => {
      const url = new URL(text);
      asked.push(url);
      if (answers.response !== undefined) return answers.response();
      const rows = url.searchParams.get('type') === '1' ? answers.a : answers.aaaa;
      return Response.json({ Status: answers.status ?? 0, ...(rows === undefined ? {} : { Answer: rows }) });
    },
  });
  const signal = new AbortController().signal;
  return { resolve: (host: string) => resolve(host, signal), asked, pass: (ms: number) => (clock += ms) };
}

const A = (data: string, TTL = 60): Row => ({ type: 1, TTL, data });

describe('dohResolver', () => {
  it('asks for both address families and returns only addresses, never CNAME targets', async () => {
    const dns = resolver({
      a: [{ type: 5, TTL: 60, data: 'edge.example.org.' }, A('151.101.1.69')],
      aaaa: [
        { type: 5, TTL: 60, data: 'edge.example.org.' },
        { type: 28, TTL: 60, data: '2a04:4e42::645' },
      ],
    });
    expect(await dns.resolve('cdn.example.net')).toEqual(['151.101.1.69', '2a04:4e42::645']);
    expect(
      dns.asked.map(
        (url) => `${url.origin}${url.pathname} ${url.searchParams.get('name')} ${url.searchParams.get('type')}`,
      ),
    ).toEqual([
      'https://cloudflare-dns.com/dns-query cdn.example.net 1',
      'https://cloudflare-dns.com/dns-query cdn.example.net 28',
    ]);
  });

  it('reports a name that does not exist or has no address', async () => {
    expect(await resolver({ status: 3 }).resolve('nowhere.example.net')).toEqual([]);
    expect(await resolver({}).resolve('mail-only.example.net')).toEqual([]);
  });

  it.each([
    ['a server failure', { status: 2 }],
    ['a refusal', { status: 5 }],
    ['an HTTP error', { response: () => new Response('no', { status: 500 }) }],
    ['an answer that is not JSON', { response: () => new Response('<html>') }],
    ['an answer of another shape', { response: () => Response.json({ Answer: 'x' }) }],
    ['an oversized answer', { response: () => new Response(`{"Status":0,"Comment":"${'x'.repeat(100_000)}"}`) }],
  ])('rejects on %s instead of returning an empty answer', async (_, answers) => {
    await expect(resolver(answers).resolve('example.com')).rejects.toBeInstanceOf(Error);
  });

  it('caches addresses for the shortest TTL, up to the limit, and never caches an empty answer', async () => {
    const dns = resolver({ a: [A('8.8.8.8', 30), A('8.8.4.4', 60)] });
    await dns.resolve('example.com');
    dns.pass(29_000);
    await dns.resolve('example.com');
    expect(dns.asked).toHaveLength(2);
    dns.pass(2_000);
    await dns.resolve('example.com');
    expect(dns.asked).toHaveLength(4);

    const long = resolver({ a: [A('8.8.8.8', 86_400)] });
    await long.resolve('example.com');
    long.pass(DNS_CACHE_TTL_MAX_MS);
    await long.resolve('example.com');
    expect(long.asked).toHaveLength(4);

    const none = resolver({ status: 3 });
    await none.resolve('x.example.net');
    await none.resolve('x.example.net');
    expect(none.asked).toHaveLength(4);
  });

  it('stops when the caller disconnects', async () => {
    const controller = new AbortController();
    const resolve = dohResolver({ now: () => 0, fetch: () => new Promise(() => {}) });
    const failed = failureOf(resolve('example.com', controller.signal));
    controller.abort();
    expect(await failed).toMatchObject({ code: 'fetch_failed', reason: 'the call was cancelled' });
  });
});
