import { createExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { composeServices, createCallParts } from '#compose.ts';
import { parseConfig } from '#core/config/config.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { checkUrl } from '#net/fetch/gate.ts';
import { loadPage } from '#net/fetch/load.ts';
import { failureOf, page, redirect, world, type Route } from '#support/net-world.ts';
import { load, URL_A, WORDS } from '#support/one-page.ts';

describe('a response of Cloudflare in place of a site', () => {
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
  ])('is reported and retried like the exception with status %i: %s', async (status, reason, tries) => {
    const { net, result } = load(() => new Response('error code: 1016', { status }));
    expect(await failureOf(result)).toEqual({ code: 'fetch_failed', url: URL_A, reason });
    expect(net.requested).toHaveLength(tries);
  });

  it('for robots.txt blocks the page, and is not stored as a disallow rule', async () => {
    const net = world({ 'https://site.com/robots.txt': () => new Response('', { status: 530 }), [URL_A]: page(WORDS) });
    const reason = 'the host name could not be looked up (while fetching robots.txt, which comes first)';
    expect(await failureOf(loadPage({ requestedUrl: URL_A }, net))).toMatchObject({ code: 'fetch_failed', reason });
    expect(net.robotsEntries.size).toBe(0);
  });

  it('is retried, and the page is read once it disappears', async () => {
    const { result } = load((_, times) => (times === 1 ? new Response('', { status: 522 }) : page(WORDS)));
    expect((await result).status).toBe(200);
  });
});

describe('the platform cache', () => {
  it('is bypassed for the page and for robots.txt', async () => {
    const caches: string[] = [];
    const seen =
      (answer: Response): Route =>
      (init) => {
        caches.push(init.cache);
        return answer;
      };
    const net = world({ 'https://site.com/robots.txt': seen(page('')), [URL_A]: seen(page(WORDS)) });
    await loadPage({ requestedUrl: URL_A }, net);
    expect(caches).toEqual(['no-store', 'no-store']);
  });
});

describe('a URL with an IP address', () => {
  const NUMBER = 'http://93.184.216.34/a';
  const routes = { [NUMBER]: page(WORDS), [URL_A]: redirect(NUMBER) };
  const onCloudflare = (env: Record<string, string> = {}) => {
    const net = world(routes, { env: { RESPECT_ROBOTS: 'false', ...env } });
    return { ...net, policy: { ...net.policy, fetchesNumbers: false } };
  };

  it('is refused with a clear reason if it cannot be fetched, also at the end of a redirect', async () => {
    for (const url of [NUMBER, URL_A, 'http://[2606:2800:220:1:248:1893:25c8:1946]/']) {
      const net = onCloudflare();
      const refused = await failureOf(loadPage({ requestedUrl: url }, net));
      expect(refused).toMatchObject({ code: 'fetch_failed', reason: expect.stringContaining('by host name only') });
      expect(describeFailure(refused).hint).toContain('browser_navigate');
      expect(net.requested).toEqual(url === URL_A ? [URL_A] : []);
    }
  });

  it('is fetched on other platforms, and if the operator exempts it', async () => {
    const elsewhere = world(routes, { env: { RESPECT_ROBOTS: 'false' } });
    for (const net of [elsewhere, onCloudflare({ ALLOWED_PRIVATE_HOSTS: '93.184.216.34:80' })]) {
      expect((await loadPage({ requestedUrl: NUMBER }, net)).status).toBe(200);
    }
  });

  it('is blocked if the address is not public, and a browser may open public ones', async () => {
    const refused = await failureOf(loadPage({ requestedUrl: 'http://10.0.0.1/' }, onCloudflare()));
    expect(refused).toMatchObject({ code: 'ssrf_blocked' });
    await expect(checkUrl(NUMBER, onCloudflare(), new AbortController().signal)).resolves.toBeUndefined();
  });

  it.each([
    ['periscope.acme.dev', {}, 'fetch_failed'],
    ['periscope.acme.dev', { TRUST_CONNECTING_IP: 'false' }, 'http_error'],
    ['localhost', {}, 'http_error'],
  ])('ends for a deployment at %s with %j as %s', async (host, settings, code) => {
    const principal = { subject: 'o_numbers', scopes: ['web:read'] } as const;
    const parts = createCallParts(bindings, parseConfig({ RESPECT_ROBOTS: 'false', ...settings }), `https://${host}`);
    const { services } = composeServices(parts, createExecutionContext(), principal);
    expect(await failureOf(loadPage({ requestedUrl: NUMBER }, services.net))).toMatchObject({ code });
  });
});
