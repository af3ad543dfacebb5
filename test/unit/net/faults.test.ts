import { describe, expect, it, vi } from 'vitest';
import { HOST_PERMIT_RULE, PERSON_HOST_PERMITS_MAX } from '#net/limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { loadPage } from '#net/fetch/load.ts';
import { brokenBody, endlessBody, failureOf, page, silentBody, world, type Route } from '#support/net-world.ts';
import { failure, load, URL_A, WORDS } from '#support/one-page.ts';

describe('a request with a failing connection', () => {
  it('reports a refused connection without a retry', async () => {
    const { net, result } = load(
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
    );
    expect(await failureOf(result)).toEqual({ code: 'fetch_failed', url: URL_A, reason: 'the connection was refused' });
    expect(net.requested).toHaveLength(1);
  });

  it('retries a reset connection, and reports it when it persists', async () => {
    const recovering = load((_, times) => {
      if (times === 1) throw new Error('Network connection lost.');
      return page(WORDS);
    });
    expect((await recovering.result).status).toBe(200);
    const { net, result } = load(new Error('Network connection lost.'));
    expect(await failureOf(result)).toMatchObject({
      code: 'fetch_failed',
      reason: expect.stringContaining('broke off'),
    });
    expect(net.requested).toHaveLength(3);
    expect(net.slept).toEqual([250, 500]);
  });

  it('reports a failed TLS handshake without text of the other side', async () => {
    expect(await failure(new Error('certificate has expired for 10.1.2.3'))).toEqual({
      code: 'fetch_failed',
      url: URL_A,
      reason: 'a secure connection could not be made',
    });
    expect(await failure(new Error('weird: secret'))).toMatchObject({ reason: 'the request failed' });
  });
});

const PLAIN = { 'content-type': 'text/plain' };

describe('a request with a faulty body', () => {
  it('fails when the body is interrupted', async () => {
    const broken = await failure(() => page(brokenBody('<p>The first half')));
    expect(broken).toMatchObject({
      code: 'fetch_failed',
      reason: 'the connection broke off before the page was complete',
    });
  });

  it('fails when the body ends before its declared length', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(WORDS));
        controller.close();
      },
    });
    expect(await failure(() => page(body, { 'content-length': '5000' }))).toMatchObject({ code: 'fetch_failed' });
  });

  it('is abandoned after headers without a body, and without a response', async () => {
    const silent = silentBody('<p>');
    expect(await failure(() => page(silent.stream), { timeoutMs: 30 })).toEqual({
      code: 'timeout',
      what: 'Loading the page',
      afterMs: 30,
      url: URL_A,
    });
    expect(silent.cancelled()).toBe(true);
    expect(await failure(() => new Promise<Response>(() => {}), { timeoutMs: 30 })).toMatchObject({ code: 'timeout' });
  });

  it('stops an endless body at the limit', async () => {
    const endless = endlessBody(new Uint8Array(64_000).fill(0x61));
    const tooLarge = await failure(() => page(endless.stream, PLAIN), {
      env: { RESPECT_ROBOTS: 'false', MAX_BYTES: '1000000' },
    });
    expect(tooLarge).toEqual({ code: 'too_large', url: URL_A, limitBytes: 1_000_000 });
    expect(endless.pulled()).toBeLessThan(1_300_000);
    expect(endless.cancelled()).toBe(true);
  });

  it('reads the beginning of HTML above the limit, and reports that it is cut', async () => {
    const endless = endlessBody(new TextEncoder().encode(`<p>${'word '.repeat(1_000)}</p>`));
    const env = { RESPECT_ROBOTS: 'false', MAX_BYTES: '1000000' };
    const { result } = load(() => page(endless.stream, { 'content-length': '100000000' }), { env });
    expect(await result).toMatchObject({ isCut: true, size: 1_000_000 });
    expect(endless.pulled()).toBeLessThan(1_300_000);
    expect(endless.cancelled()).toBe(true);
  });

  it('refuses a large body that only its type calls HTML', async () => {
    const pdf = () => page(`%PDF-1.7 ${'a'.repeat(20_000)}`);
    const env = { RESPECT_ROBOTS: 'false', MAX_BYTES: '10000' };
    expect(await failure(pdf, { env })).toMatchObject({ code: 'too_large' });
  });

  it('refuses 100 MB by the declared length, before reading', async () => {
    const endless = endlessBody(new Uint8Array(64_000));
    expect(await failure(() => page(endless.stream, { ...PLAIN, 'content-length': '100000000' }))).toMatchObject({
      code: 'too_large',
    });
    expect(endless.pulled()).toBeLessThan(200_000);
    expect(endless.cancelled()).toBe(true);
  });

  it('limits a compression bomb by its decompressed size', async () => {
    const zeros = new Response(new Uint8Array(40_000_000)).body;
    const packed = new Uint8Array(await new Response(zeros?.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
    expect(packed.byteLength).toBeLessThan(100_000);
    const bomb = () => page(new Response(packed).body?.pipeThrough(new DecompressionStream('gzip')) ?? '', PLAIN);
    expect(await failure(bomb)).toEqual({ code: 'too_large', url: URL_A, limitBytes: 5_000_000 });
  });

  it('accepts a body of exactly the limit', async () => {
    const env = { RESPECT_ROBOTS: 'false', MAX_BYTES: '10000' };
    expect((await load(page('a'.repeat(10_000)), { env }).result).status).toBe(200);
    expect(await failure(page('a'.repeat(10_001), PLAIN), { env })).toMatchObject({ code: 'too_large' });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['a byte order mark', '\ufeff'],
  ])('reports %s as an empty body', async (_, body) => {
    expect(await failure(page(body))).toEqual({
      code: 'extract_failed',
      url: URL_A,
      reason: 'the body is empty',
      of: 'empty',
    });
  });
});

describe('the caller of a load', () => {
  it('ends the load by its signal, before or during the request', async () => {
    const net = world({ [URL_A]: () => new Promise<Response>(() => {}) }, { env: { RESPECT_ROBOTS: 'false' } });
    const early = loadPage({ requestedUrl: URL_A, signal: AbortSignal.abort() }, net);
    expect(await failureOf(early)).toMatchObject({ code: 'fetch_failed', reason: 'the call was cancelled' });
    expect(net.requested).toEqual([]);
    const controller = new AbortController();
    const late = loadPage({ requestedUrl: URL_A, signal: controller.signal }, net);
    controller.abort(new PeriscopeError({ code: 'timeout', what: 'The call', afterMs: 45_000 }));
    expect(await failureOf(late)).toEqual({ code: 'timeout', what: 'The call', afterMs: 45_000 });
  });

  it('learns that its copy is still valid', async () => {
    const net = world({
      [URL_A]: (init) =>
        new Response(null, { status: init.headers['if-none-match'] === '"v1"' ? 304 : 500, headers: { etag: '"v1"' } }),
    });
    const loaded = await loadPage(
      { requestedUrl: URL_A, conditional: { etag: '"v1"', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' } },
      net,
    );
    expect(loaded).toMatchObject({ notModified: true, status: 304, etag: '"v1"', finalUrl: URL_A });
    expect(net.sent.at(-1)?.['if-modified-since']).toBe('Sat, 21 Nov 2026 10:00:00 GMT');
  });

  it('never gets "not modified" without a conditional request', async () => {
    expect(await failure(new Response(null, { status: 304 }))).toMatchObject({ code: 'http_error', statusCode: 304 });
  });
});

describe('the limit per host', () => {
  it('allows few requests at a time and releases slots', async () => {
    let open = 0;
    let most = 0;
    const slow: Route = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return page(WORDS);
    };
    const urls = Array.from({ length: 10 }, (_, index) => `https://site.com/${index}`);
    const net = world(Object.fromEntries(urls.map((url) => [url, slow])), { env: { RESPECT_ROBOTS: 'false' } });
    net.sleep = () => new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all(urls.map((url) => loadPage({ requestedUrl: url }, net)));
    expect(most).toBe(HOST_PERMIT_RULE.max);
    expect(net.hostPermits.size).toBe(0);
  });

  it('always has a slot for another person, and names the wait for pages of the same person', async () => {
    const silent: Route = () => new Promise<never>(() => undefined);
    const slow = Array.from({ length: 10 }, (_, index) => `https://site.com/slow/${index}`);
    const routes = { ...Object.fromEntries(slow.map((url) => [url, silent])), [URL_A]: page(WORDS) };
    const net = world(routes, { env: { RESPECT_ROBOTS: 'false' } });
    net.sleep = (_, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, 1);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      });
    const hurried = { ...net.policy, timeoutMs: 50 };
    const leaving = new AbortController();
    const waiting = slow.map((url) => loadPage({ requestedUrl: url, signal: leaving.signal }, { ...net, person: 'a' }));
    const all = Promise.allSettled(waiting);
    await vi.waitFor(() => expect(net.hostPermits.get('site.com for a')).toHaveLength(PERSON_HOST_PERMITS_MAX));
    expect((await loadPage({ requestedUrl: URL_A }, { ...net, person: 'b' })).status).toBe(200);
    const failed = failureOf(loadPage({ requestedUrl: URL_A }, { ...net, policy: hurried, person: 'a' }));
    expect(await failed).toMatchObject({ code: 'timeout', ownPages: PERSON_HOST_PERMITS_MAX });
    leaving.abort(new Error('gone'));
    await all;
    await vi.waitFor(() => expect([...net.hostPermits]).toEqual([]));
  });

  it('releases the slots of requests that were killed', async () => {
    const net = world({ [URL_A]: page(WORDS) }, { env: { RESPECT_ROBOTS: 'false' } });
    net.hostPermits.set(
      'site.com',
      Array.from({ length: HOST_PERMIT_RULE.max }, () => ({ until: net.now() + 1_000 })),
    );
    expect((await loadPage({ requestedUrl: URL_A }, net)).status).toBe(200);
    expect(net.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(1_000);
  });
});
