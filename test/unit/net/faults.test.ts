import { createExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { compose, partsOf } from '#compose.ts';
import { parseConfig } from '#core/config.ts';
import { HOST_PLACES } from '#net/limits.ts';
import { describeFailure } from '#core/describe-failure.ts';
import { PeriscopeError } from '#core/errors.ts';
import { gate } from '#net/gate.ts';
import { loadPage } from '#net/load.ts';
import {
  brokenBody,
  endlessBody,
  failureOf,
  page,
  redirect,
  silentBody,
  world,
  type Route,
} from '../../support/net-world.ts';

const URL_A = 'https://site.com/a';
const WORDS = '<p>Some words to read.</p>';

function load(route: Route, options: Parameters<typeof world>[1] = {}) {
  const net = world({ [URL_A]: route }, { env: { RESPECT_ROBOTS: 'false' }, ...options });
  return { net, result: loadPage({ url: URL_A }, net) };
}

async function failure(route: Route, options: Parameters<typeof world>[1] = {}) {
  return failureOf(load(route, options).result);
}

describe('connections that fail', () => {
  it('names a refused one and does not insist', async () => {
    const { net, result } = load(
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
    );
    expect(await failureOf(result)).toEqual({ code: 'fetch_failed', url: URL_A, reason: 'the connection was refused' });
    expect(net.requested).toHaveLength(1);
  });

  it('tries a reset one again, and names it when it stays', async () => {
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

  it('names a failed TLS handshake and shows no foreign words', async () => {
    expect(await failure(new Error('certificate has expired for 10.1.2.3'))).toEqual({
      code: 'fetch_failed',
      url: URL_A,
      reason: 'a secure connection could not be made',
    });
    expect(await failure(new Error('weird: secret'))).toMatchObject({ reason: 'the request failed' });
  });
});

describe('an answer that Cloudflare gives in place of a site', () => {
  it.each([
    [520, 'the connection broke off', 3],
    [521, 'the connection was refused', 1],
    [522, 'the connection could not be made or broke off', 3],
    [523, 'the connection could not be made or broke off', 3],
    [524, 'the connection broke off', 3],
    [525, 'a secure connection could not be made', 1],
    [526, 'a secure connection could not be made', 1],
    [527, 'the connection broke off', 3],
    [530, 'the host name could not be looked up', 1],
  ])('with status %i is named and retried like the exception: %s', async (status, reason, tries) => {
    const { net, result } = load(() => new Response('error code: 1016', { status }));
    expect(await failureOf(result)).toEqual({ code: 'fetch_failed', url: URL_A, reason });
    expect(net.requested).toHaveLength(tries);
  });

  it('for robots.txt keeps us from the page, and is not kept as a closed site', async () => {
    const net = world({ 'https://site.com/robots.txt': () => new Response('', { status: 530 }), [URL_A]: page(WORDS) });
    const reason = 'the host name could not be looked up (while fetching robots.txt, which comes first)';
    expect(await failureOf(loadPage({ url: URL_A }, net))).toMatchObject({ code: 'fetch_failed', reason });
    expect(net.robotsEntries.size).toBe(0);
  });

  it('that goes away is tried again, and its page read', async () => {
    const { result } = load((_, times) => (times === 1 ? new Response('', { status: 522 }) : page(WORDS)));
    expect((await result).status).toBe(200);
  });
});

describe('the cache of the platform', () => {
  it('is skipped, for the page and for robots.txt', async () => {
    const caches: string[] = [];
    const seen =
      (answer: Response): Route =>
      (init) => {
        caches.push(init.cache);
        return answer;
      };
    const net = world({ 'https://site.com/robots.txt': seen(page('')), [URL_A]: seen(page(WORDS)) });
    await loadPage({ url: URL_A }, net);
    expect(caches).toEqual(['no-store', 'no-store']);
  });
});

describe('an address that is a number', () => {
  const NUMBER = 'http://93.184.216.34/a';
  const routes = { [NUMBER]: page(WORDS), [URL_A]: redirect(NUMBER) };
  const onCloudflare = (env: Record<string, string> = {}) => {
    const net = world(routes, { env: { RESPECT_ROBOTS: 'false', ...env } });
    return { ...net, policy: { ...net.policy, fetchesNumbers: false } };
  };

  it('is refused in our own words where it cannot be fetched, also as the end of a redirect', async () => {
    for (const url of [NUMBER, URL_A, 'http://[2606:2800:220:1:248:1893:25c8:1946]/']) {
      const net = onCloudflare();
      const refused = await failureOf(loadPage({ url }, net));
      expect(refused).toMatchObject({ code: 'fetch_failed', reason: expect.stringContaining('by host name only') });
      expect(describeFailure(refused).hint).toContain('browser_navigate');
      expect(net.requested).toEqual(url === URL_A ? [URL_A] : []);
    }
  });

  it('is fetched elsewhere, and where the operator exempts it', async () => {
    const elsewhere = world(routes, { env: { RESPECT_ROBOTS: 'false' } });
    for (const net of [elsewhere, onCloudflare({ ALLOWED_PRIVATE_HOSTS: '93.184.216.34:80' })]) {
      expect((await loadPage({ url: NUMBER }, net)).status).toBe(200);
    }
  });

  it('that is not a public one is refused as before, and the browser may open those that are', async () => {
    const refused = await failureOf(loadPage({ url: 'http://10.0.0.1/' }, onCloudflare()));
    expect(refused).toMatchObject({ code: 'ssrf_blocked' });
    await expect(gate(NUMBER, onCloudflare(), new AbortController().signal)).resolves.toBeUndefined();
  });

  it.each([
    ['periscope.acme.dev', {}, 'fetch_failed'],
    ['periscope.acme.dev', { TRUST_CONNECTING_IP: 'false' }, 'http_error'],
    ['localhost', {}, 'http_error'],
  ])('ends for a deployment at %s with %j as %s', async (host, settings, code) => {
    const principal = { subject: 'o_numbers', scopes: ['web:read'] } as const;
    const parts = partsOf(bindings, parseConfig({ RESPECT_ROBOTS: 'false', ...settings }), `https://${host}`);
    const { services } = compose(parts, createExecutionContext(), principal);
    expect(await failureOf(services.load({ url: NUMBER }))).toMatchObject({ code });
  });
});

describe('bodies that fail', () => {
  it('refuses one that breaks off in the middle', async () => {
    const broken = await failure(() => page(brokenBody('<p>The first half')));
    expect(broken).toMatchObject({
      code: 'fetch_failed',
      reason: 'the connection broke off before the page was complete',
    });
  });

  it('refuses one that ends before its announced length', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(WORDS));
        controller.close();
      },
    });
    expect(await failure(() => page(body, { 'content-length': '5000' }))).toMatchObject({ code: 'fetch_failed' });
  });

  it('gives up on headers followed by silence, and when there is no answer', async () => {
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

  it('stops an endless one at the limit', async () => {
    const endless = endlessBody(new Uint8Array(64_000).fill(0x61));
    const tooLarge = await failure(() => page(endless.stream), {
      env: { RESPECT_ROBOTS: 'false', MAX_BYTES: '1000000' },
    });
    expect(tooLarge).toEqual({ code: 'too_large', url: URL_A, limitBytes: 1_000_000 });
    expect(endless.pulled()).toBeLessThan(1_300_000);
    expect(endless.cancelled()).toBe(true);
  });

  it('refuses 100 MB by its announcement, before reading', async () => {
    const endless = endlessBody(new Uint8Array(64_000));
    expect(await failure(() => page(endless.stream, { 'content-length': '100000000' }))).toMatchObject({
      code: 'too_large',
    });
    expect(endless.pulled()).toBeLessThan(200_000);
    expect(endless.cancelled()).toBe(true);
  });

  it('counts a compressed bomb by what comes out of it', async () => {
    const zeros = new Response(new Uint8Array(40_000_000)).body;
    const packed = new Uint8Array(await new Response(zeros?.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
    expect(packed.byteLength).toBeLessThan(100_000);
    const bomb = () => page(new Response(packed).body?.pipeThrough(new DecompressionStream('gzip')) ?? '');
    expect(await failure(bomb)).toEqual({ code: 'too_large', url: URL_A, limitBytes: 5_000_000 });
  });

  it('accepts a body of exactly the limit', async () => {
    const env = { RESPECT_ROBOTS: 'false', MAX_BYTES: '10000' };
    expect((await load(page('a'.repeat(10_000)), { env }).result).status).toBe(200);
    expect(await failure(page('a'.repeat(10_001)), { env })).toMatchObject({ code: 'too_large' });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['a byte order mark', '\ufeff'],
  ])('calls %s an empty body', async (_, body) => {
    expect(await failure(page(body))).toEqual({ code: 'extract_failed', url: URL_A, reason: 'the body is empty' });
  });
});

describe('redirects', () => {
  it('reports every hop without its secrets and resolves relative targets', async () => {
    const net = world({
      'http://site.com/start?token=abc': redirect('https://site.com/a/b', 301),
      'https://site.com/a/b': redirect('../c#part', 308),
      'https://site.com/c': page(WORDS),
    });
    const loaded = await loadPage({ url: 'http://site.com/start?token=abc' }, net);
    expect(loaded.finalUrl).toBe('https://site.com/c');
    expect(loaded.redirects).toEqual([
      { url: 'http://site.com/start?token=REDACTED', status: 301 },
      { url: 'https://site.com/a/b', status: 308 },
    ]);
  });

  it('names a loop, also one over several pages', async () => {
    expect(await failure(redirect('/a'))).toMatchObject({ code: 'fetch_failed', reason: 'it redirects in a loop' });
    const net = world({ [URL_A]: redirect('/b'), 'https://site.com/b': redirect('/a#again') });
    expect(await failureOf(loadPage({ url: URL_A }, net))).toMatchObject({ reason: 'it redirects in a loop' });
  });

  it('follows five redirects and refuses the sixth', async () => {
    const chain = (length: number) =>
      Object.fromEntries([
        ...Array.from({ length }, (_, index) => [`https://site.com/${index}`, redirect(`/${index + 1}`)] as const),
        [`https://site.com/${length}`, page(WORDS)] as const,
      ]);
    expect((await loadPage({ url: 'https://site.com/0' }, world(chain(5)))).redirects).toHaveLength(5);
    expect(await failureOf(loadPage({ url: 'https://site.com/0' }, world(chain(6))))).toMatchObject({
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
  ])('does not follow one to %s', async (location, code) => {
    const { net, result } = load(redirect(location), { addresses: { 'inside.example.net': ['8.8.8.8', '10.0.0.1'] } });
    expect(await failureOf(result)).toMatchObject({ code });
    expect(net.requested).toEqual([URL_A]);
  });

  it('sends the conditions of one origin to no other', async () => {
    const net = world({
      [URL_A]: redirect('https://site.com/b'),
      'https://site.com/b': redirect('https://other.com/c'),
      'https://other.com/c': page(WORDS),
    });
    net.policy = { ...net.policy, respectRobots: false };
    await loadPage({ url: URL_A, conditional: { etag: '"v1"', lastModified: null } }, net);
    expect(net.sent.map((headers) => headers['if-none-match'])).toEqual(['"v1"', '"v1"', undefined]);
  });

  it('calls one without a target an HTTP error', async () => {
    expect(await failure(new Response(null, { status: 302 }))).toEqual({
      code: 'http_error',
      url: URL_A,
      statusCode: 302,
    });
  });
});

describe('HTTP errors', () => {
  it.each([400, 403, 404, 410, 418, 500, 501])('names HTTP %i at once', async (status) => {
    const { net, result } = load(
      new Response('<h1>upstream words</h1>', { status, headers: { 'content-type': 'text/html' } }),
    );
    expect(await failureOf(result)).toEqual({ code: 'http_error', url: URL_A, statusCode: status });
    expect(net.requested).toHaveLength(1);
  });

  it('waits as long as 429 asks, when that is within the deadline', async () => {
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

  it('hands the wait on when it is longer than the call', async () => {
    const { net, result } = load(new Response('', { status: 429, headers: { 'retry-after': '120' } }));
    expect(await failureOf(result)).toEqual({
      code: 'http_error',
      url: URL_A,
      statusCode: 429,
      retryAfterSeconds: 120,
    });
    expect(net.slept).toEqual([]);
  });

  it('tries 502, 503 and 504 again, three times in all, with growing delays', async () => {
    for (const status of [502, 503, 504]) {
      const { net, result } = load(() => new Response('busy', { status }));
      expect(await failureOf(result)).toEqual({ code: 'http_error', url: URL_A, statusCode: status });
      expect(net.requested).toHaveLength(3);
      expect(net.slept).toEqual([250, 500]);
    }
    const { result } = load((_, times) => (times === 1 ? new Response('busy', { status: 503 }) : page(WORDS)));
    expect((await result).status).toBe(200);
  });

  it('stops reading an endless error page after what it needs', async () => {
    const endless = endlessBody(new Uint8Array(64_000).fill(0x61));
    expect(await failure(() => new Response(endless.stream, { status: 404 }))).toMatchObject({ code: 'http_error' });
    expect(endless.pulled()).toBeLessThan(600_000);
  });
});

describe('the caller', () => {
  it('ends the load by its signal, before or during the request', async () => {
    const net = world({ [URL_A]: () => new Promise<Response>(() => {}) }, { env: { RESPECT_ROBOTS: 'false' } });
    const early = loadPage({ url: URL_A, signal: AbortSignal.abort() }, net);
    expect(await failureOf(early)).toMatchObject({ code: 'fetch_failed', reason: 'the call was cancelled' });
    expect(net.requested).toEqual([]);
    const controller = new AbortController();
    const late = loadPage({ url: URL_A, signal: controller.signal }, net);
    controller.abort(new PeriscopeError({ code: 'timeout', what: 'The call', afterMs: 45_000 }));
    expect(await failureOf(late)).toEqual({ code: 'timeout', what: 'The call', afterMs: 45_000 });
  });

  it('is told of a copy that still holds', async () => {
    const net = world({
      [URL_A]: (init) =>
        new Response(null, { status: init.headers['if-none-match'] === '"v1"' ? 304 : 500, headers: { etag: '"v1"' } }),
    });
    const loaded = await loadPage(
      { url: URL_A, conditional: { etag: '"v1"', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' } },
      net,
    );
    expect(loaded).toMatchObject({ notModified: true, status: 304, etag: '"v1"', finalUrl: URL_A });
    expect(net.sent.at(-1)?.['if-modified-since']).toBe('Sat, 21 Nov 2026 10:00:00 GMT');
  });

  it('never gets "not modified" without having asked', async () => {
    expect(await failure(new Response(null, { status: 304 }))).toMatchObject({ code: 'http_error', statusCode: 304 });
  });
});

describe('politeness', () => {
  it('asks one host for few pages at a time and gives slots back', async () => {
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
    await Promise.all(urls.map((url) => loadPage({ url }, net)));
    expect(most).toBe(HOST_PLACES.max);
    expect(net.hostPlaces.size).toBe(0);
  });

  it('frees the slots of requests that were killed', async () => {
    const net = world({ [URL_A]: page(WORDS) }, { env: { RESPECT_ROBOTS: 'false' } });
    net.hostPlaces.set(
      'site.com',
      Array.from({ length: HOST_PLACES.max }, () => ({ until: net.now() + 1_000 })),
    );
    expect((await loadPage({ url: URL_A }, net)).status).toBe(200);
    expect(net.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(1_000);
  });
});
