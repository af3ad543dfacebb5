import { afterEach, describe, expect, it, vi } from 'vitest';
import { ERROR_BODY_MS_MAX } from '#net/fetch/hops.ts';
import { HttpError, loadPage } from '#net/fetch/load.ts';
import { brokenBody, endlessBody, failureOf, page, redirect, silentBody, world } from '#support/net-world.ts';
import type { Route } from '#support/net-world.ts';
import { failure, load, URL_A, WORDS } from '#support/one-page.ts';

afterEach(() => void vi.useRealTimers());

describe('following redirects', () => {
  it('reports every hop without its secrets and resolves relative targets', async () => {
    const net = world({
      'http://site.com/start?token=abc': redirect('https://site.com/a/b', 301),
      'https://site.com/a/b': redirect('../c#part', 308),
      'https://site.com/c': page(WORDS),
    });
    const loaded = await loadPage({ requestedUrl: 'http://site.com/start?token=abc' }, net);
    expect(loaded.finalUrl).toBe('https://site.com/c');
    expect(loaded.redirects).toEqual([
      { url: 'http://site.com/start?token=REDACTED', status: 301 },
      { url: 'https://site.com/a/b', status: 308 },
    ]);
  });

  it('reports a loop, also one over several pages', async () => {
    expect(await failure(redirect('/a'))).toMatchObject({ code: 'fetch_failed', reason: 'it redirects in a loop' });
    const net = world({ [URL_A]: redirect('/b'), 'https://site.com/b': redirect('/a#again') });
    expect(await failureOf(loadPage({ requestedUrl: URL_A }, net))).toMatchObject({ reason: 'it redirects in a loop' });
  });

  it('reports when a loop, or too many redirects, may be due to a missing cookie', async () => {
    const setting = (location: string) =>
      new Response(null, { status: 302, headers: { location, 'set-cookie': 'c=1' } });
    expect(await failure(() => setting('/a'))).toEqual({
      code: 'fetch_failed',
      url: URL_A,
      reason: 'it redirects in a loop',
      needs: 'cookies',
    });
    const net = world({ [URL_A]: () => setting('/b'), 'https://site.com/b': redirect('/a') });
    expect(await failureOf(loadPage({ requestedUrl: URL_A }, net))).toMatchObject({ needs: 'cookies' });
    const count: Route = (_, times) => setting(`/a?${times}`);
    const counted = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`${URL_A}?${n}`, () => setting(`/a?${n + 1}`)]),
    );
    expect(await failureOf(loadPage({ requestedUrl: URL_A }, world({ [URL_A]: count, ...counted })))).toMatchObject({
      reason: 'it redirects more than 5 times',
      needs: 'cookies',
    });
    expect(await failure(redirect('/a'))).not.toHaveProperty('needs');
  });

  it('stops at the sixth redirect', async () => {
    const chain = (length: number) =>
      Object.fromEntries([
        ...Array.from({ length }, (_, index) => [`https://site.com/${index}`, redirect(`/${index + 1}`)] as const),
        [`https://site.com/${length}`, page(WORDS)] as const,
      ]);
    expect((await loadPage({ requestedUrl: 'https://site.com/0' }, world(chain(5)))).redirects).toHaveLength(5);
    expect(await failureOf(loadPage({ requestedUrl: 'https://site.com/0' }, world(chain(6))))).toMatchObject({
      code: 'fetch_failed',
      reason: 'it redirects more than 5 times',
    });
  });

  it.each([
    ['http://127.0.0.1/', 'ssrf_blocked'],
    ['http://2130706433/', 'ssrf_blocked'],
    ['https://[::ffff:a9fe:a9fe]/', 'ssrf_blocked'],
    ['https://inside.example.net/', 'ssrf_blocked'],
    ['https://me:pw@site.com/', 'ssrf_blocked'],
    ['https://site.com:22/', 'ssrf_blocked'],
    ['https://periscope.example.net/mcp', 'ssrf_blocked'],
    ['file:///etc/passwd', 'ssrf_blocked'],
    ['data:text/html,hi', 'ssrf_blocked'],
    ['https://', 'fetch_failed'],
    ['http://site.com/plain', 'fetch_failed'],
  ])('is refused for a redirect to %s', async (location, code) => {
    const { net, result } = load(redirect(location), { addresses: { 'inside.example.net': ['8.8.8.8', '10.0.0.1'] } });
    expect(await failureOf(result)).toMatchObject({ code });
    expect(net.requested).toEqual([URL_A]);
  });

  it('sends the conditional headers of one origin to no other', async () => {
    const net = world({
      [URL_A]: redirect('https://site.com/b'),
      'https://site.com/b': redirect('https://other.com/c'),
      'https://other.com/c': page(WORDS),
    });
    net.policy = { ...net.policy, respectRobots: false };
    await loadPage({ requestedUrl: URL_A, conditional: { etag: '"v1"', lastModified: null } }, net);
    expect(net.sent.map((headers) => headers['if-none-match'])).toEqual(['"v1"', '"v1"', undefined]);
  });

  it('never returns an ETag with non-ASCII characters, because the runtime logs such headers', async () => {
    const net = world({ [URL_A]: page(WORDS) });
    net.policy = { ...net.policy, respectRobots: false };
    for (const etag of ['"v\u00ad1"', '"v1"']) {
      await loadPage({ requestedUrl: URL_A, conditional: { etag, lastModified: null } }, net);
    }
    expect(net.sent.map((headers) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
  });

  it('reports a redirect without a target as an HTTP error', async () => {
    expect(await failure(new Response(null, { status: 302 }))).toEqual({
      code: 'http_error',
      url: URL_A,
      statusCode: 302,
    });
  });
});

describe('the handling of HTTP errors', () => {
  it.each([400, 403, 404, 410, 418, 500, 501])('reports HTTP %i at once', async (status) => {
    const { net, result } = load(
      new Response('<h1>upstream words</h1>', { status, headers: { 'content-type': 'text/html' } }),
    );
    expect(await failureOf(result)).toEqual({ code: 'http_error', url: URL_A, statusCode: status });
    expect(net.requested).toHaveLength(1);
  });

  it('waits as long as a 429 asks, if that is within the deadline', async () => {
    const { net, result } = load((_, times) =>
      times === 1 ? new Response('', { status: 429, headers: { 'retry-after': '2' } }) : page(WORDS),
    );
    expect((await result).status).toBe(200);
    expect(net.slept).toEqual([2_000]);
  });

  it('reads Retry-After as a date, too', async () => {
    const { net, result } = load((_, times) =>
      times === 1
        ? new Response('', { status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 12:00:03 GMT' } })
        : page(WORDS),
    );
    expect((await result).status).toBe(200);
    expect(net.slept).toEqual([3_000]);
  });

  it('retries once after HTTP 429, and no more', async () => {
    const headers = { 'retry-after': '5' };
    const { net, result } = load(() => new Response('Slow down.', { status: 429, headers }));
    expect(await failureOf(result)).toMatchObject({ code: 'http_error', statusCode: 429, retryAfterSeconds: 5 });
    expect(net.slept).toEqual([5_000]);
    const silent = load(() => new Response('Slow down.', { status: 429 }));
    expect(await failureOf(silent.result)).toEqual({ code: 'http_error', url: URL_A, statusCode: 429 });
    expect(silent.net.slept).toEqual([250]);
  });

  it('reports the wait when it is longer than the call may take', async () => {
    const { net, result } = load(new Response('', { status: 429, headers: { 'retry-after': '120' } }));
    expect(await failureOf(result)).toEqual({
      code: 'http_error',
      url: URL_A,
      statusCode: 429,
      retryAfterSeconds: 120,
    });
    expect(net.slept).toEqual([]);
  });

  it('retries 502, 503 and 504, three attempts in all, with growing delays', async () => {
    for (const status of [502, 503, 504]) {
      const { net, result } = load(() => new Response('busy', { status }));
      expect(await failureOf(result)).toEqual({ code: 'http_error', url: URL_A, statusCode: status });
      expect(net.requested).toHaveLength(3);
      expect(net.slept).toEqual([250, 500]);
    }
    const { result } = load((_, times) => (times === 1 ? new Response('busy', { status: 503 }) : page(WORDS)));
    expect((await result).status).toBe(200);
  });

  it('includes the text of the error page, decoded by its type and charset', async () => {
    const pageOf = async (answer: Response) => {
      const error = await load(answer).result.catch((thrown: unknown) => thrown);
      return error instanceof HttpError ? error.page : 'no HTTP error';
    };
    const answer = (body: BodyInit, type: string, status = 404) =>
      new Response(body, { status, headers: { 'content-type': type } });
    expect(await pageOf(answer('{"error": "gone"}', 'application/json', 410))).toMatchObject({
      kind: 'json',
      finalUrl: URL_A,
    });
    const latin = new Uint8Array([0x3c, 0x70, 0x3e, 0xe9, 0x74, 0xe9]);
    expect(await pageOf(answer(latin, 'text/html; charset=iso-8859-1'))).toMatchObject({
      kind: 'html',
      text: '<p>été',
    });
    expect(await pageOf(answer(' ', 'text/html'))).toBeNull();
    expect(await pageOf(answer('%PDF-1.4', 'application/pdf'))).toBeNull();
    expect(await pageOf(answer(new Uint8Array(99), 'image/png'))).toBeNull();
  });

  it('reports the status even if the body never arrives', async () => {
    const notFound = (body: BodyInit) => failure(() => new Response(body, { status: 404 }));
    expect(await notFound(brokenBody('<p>The first half'))).toMatchObject({ code: 'http_error', statusCode: 404 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = silentBody('<p>');
    const named = notFound(silent.stream);
    await vi.advanceTimersByTimeAsync(ERROR_BODY_MS_MAX);
    expect(await named).toMatchObject({ code: 'http_error', statusCode: 404 });
    expect(silent.cancelled()).toBe(true);
  });

  it('stops reading an endless error page at the limit', async () => {
    const endless = endlessBody(new Uint8Array(64_000).fill(0x61));
    expect(await failure(() => new Response(endless.stream, { status: 404 }))).toMatchObject({ code: 'http_error' });
    expect(endless.pulled()).toBeLessThan(600_000);
  });
});
