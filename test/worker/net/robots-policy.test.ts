import { describe, expect, it } from 'vitest';
import { ROBOTS_TTL_MS, ROBOTS_UNREACHABLE_TTL_MS } from '#net/limits.ts';
import { loadPage } from '#net/fetch/load.ts';
import { withMemoryCache } from '#core/origin-store.ts';
import type { RobotsEntry, RobotsStore } from '#net/robots/robots.ts';
import { endlessBody, failureOf, page, redirect, silentBody, world } from '../../support/net-world.ts';

const PAGE = 'https://site.com/a';
const ROBOTS = 'https://site.com/robots.txt';
const body = () => page('<p>Some words to read.</p>');
const text = (content: string) => new Response(content, { headers: { 'content-type': 'text/plain' } });

describe('robots.txt', () => {
  it('blocks a page before it is requested, and the failure names the line of the rule', async () => {
    const net = world({ [PAGE]: body(), [ROBOTS]: text('user-agent: *\ndisallow: /a') });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toEqual({
      code: 'robots_disallowed',
      url: PAGE,
      robotsUrl: ROBOTS,
      reason: 'one of its rules disallows this address',
    });
    expect(net.requested).toEqual([ROBOTS]);
  });

  it('applies to path and query, and the result names the rule that allowed the page', async () => {
    const net = world({
      'https://site.com/a?x=1': body(),
      [ROBOTS]: text('user-agent: periscope\nallow: /a?x\ndisallow: /a'),
    });
    const loaded = await loadPage({ requestedUrl: 'https://site.com/a?x=1' }, net);
    expect(loaded.robots).toEqual({ checked: true, allowed: true, robotsUrl: ROBOTS, rule: 'allow: /a?x' });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toMatchObject({ code: 'robots_disallowed' });
  });

  it('is requested again for the target of a redirect, on its origin', async () => {
    const net = world({
      [PAGE]: redirect('https://other.com/b'),
      'https://other.com/b': body(),
      'https://other.com/robots.txt': text('user-agent: *\ndisallow: /b'),
    });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toMatchObject({
      code: 'robots_disallowed',
      url: 'https://other.com/b',
      robotsUrl: 'https://other.com/robots.txt',
    });
  });

  it('is not requested when the deployment turns it off, and never for itself', async () => {
    const rules = { [PAGE]: body(), [ROBOTS]: text('user-agent: *\ndisallow: /') };
    const loaded = await loadPage({ requestedUrl: PAGE }, world(rules, { env: { RESPECT_ROBOTS: 'false' } }));
    expect(loaded.robots).toEqual({ checked: false, allowed: true, robotsUrl: ROBOTS, rule: null });
    expect((await loadPage({ requestedUrl: ROBOTS }, world(rules))).status).toBe(200);
  });

  it.each([400, 401, 403, 404, 410, 429])('counts as empty when it answers HTTP %i', async (status) => {
    const net = world({ [PAGE]: body(), [ROBOTS]: new Response('x', { status }) });
    expect((await loadPage({ requestedUrl: PAGE }, net)).robots.allowed).toBe(true);
    expect(net.robotsEntries.get('https://site.com')).toMatchObject({
      outcome: 'open',
      expiresAt: net.now() + ROBOTS_TTL_MS,
    });
  });

  it.each([500, 501, 503])('closes the site for a short time when it answers HTTP %i', async (status) => {
    const net = world({ [PAGE]: body(), [ROBOTS]: new Response('x', { status }) });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toMatchObject({ code: 'robots_disallowed' });
    expect(net.robotsEntries.get('https://site.com')).toMatchObject({
      outcome: 'closed',
      expiresAt: net.now() + ROBOTS_UNREACHABLE_TTL_MS,
    });
  });

  it('closes an unreachable site with the reason, and stores nothing', async () => {
    const net = world({ [PAGE]: body(), [ROBOTS]: new Error('connect ECONNREFUSED: connection refused') });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toEqual({
      code: 'fetch_failed',
      url: PAGE,
      reason: 'the connection was refused (while fetching robots.txt, which comes first)',
    });
    expect(net.robotsEntries.size).toBe(0);
    expect(net.requested).toEqual([ROBOTS]);
  });

  it('times out with the call when it never ends', async () => {
    const silent = silentBody('user-agent');
    const net = world({ [PAGE]: body(), [ROBOTS]: () => new Response(silent.stream) }, { timeoutMs: 30 });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, net))).toMatchObject({ code: 'timeout', url: PAGE });
    expect(silent.cancelled()).toBe(true);
  });

  it('is read through up to five redirects, each of which passes the gate', async () => {
    const moved = world({
      [PAGE]: body(),
      [ROBOTS]: redirect('https://www.site.com/r.txt'),
      'https://www.site.com/r.txt': text('user-agent: *\ndisallow: /a'),
    });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, moved))).toMatchObject({ code: 'robots_disallowed' });

    const hidden = world({ [PAGE]: body(), [ROBOTS]: redirect('https://169.254.169.254/r.txt') });
    expect(await failureOf(loadPage({ requestedUrl: PAGE }, hidden))).toMatchObject({ code: 'robots_disallowed' });
    expect(hidden.requested).toEqual([ROBOTS]);

    const endless = world({ [PAGE]: body(), [ROBOTS]: redirect('/robots.txt') });
    expect((await loadPage({ requestedUrl: PAGE }, endless)).robots.allowed).toBe(true);
  });

  it('is read only up to the limit when it is endless', async () => {
    const endless = endlessBody(new TextEncoder().encode('# nothing but comments\n'.repeat(1_000)));
    const net = world({ [PAGE]: body(), [ROBOTS]: () => new Response(endless.stream) });
    expect((await loadPage({ requestedUrl: PAGE }, net)).status).toBe(200);
    expect(endless.pulled()).toBeLessThan(700_000);
    expect(endless.cancelled()).toBe(true);
  });

  it('is requested once a day', async () => {
    const net = world({ [PAGE]: () => body(), [ROBOTS]: () => text('') });
    await loadPage({ requestedUrl: PAGE }, net);
    await loadPage({ requestedUrl: PAGE }, net);
    expect(net.requested.filter((url) => url === ROBOTS)).toHaveLength(1);
    await net.sleep(ROBOTS_TTL_MS, new AbortController().signal);
    await loadPage({ requestedUrl: PAGE }, net);
    expect(net.requested.filter((url) => url === ROBOTS)).toHaveLength(2);
  });
});

describe('the memory cache for robots.txt', () => {
  const entry = (expiresAt: number, size = 0): RobotsEntry => ({
    outcome: 'rules',
    body: new Uint8Array(size),
    expiresAt,
  });

  it('answers until an entry expires, and does not cache large files', async () => {
    const asked: string[] = [];
    const far = new Map<string, RobotsEntry>();
    const store: RobotsStore = {
      get: async (origin) => (asked.push(origin), far.get(origin) ?? null),
      put: async (origin, value) => void far.set(origin, value),
    };
    let now = 0;
    const robots = withMemoryCache(
      store,
      new Map(),
      (file) => file.body.byteLength < 50_000,
      () => now,
    );
    await robots.put('small', entry(100));
    await robots.put('large', entry(100, 100_000));
    expect(await robots.get('small')).toEqual(entry(100));
    expect(await robots.get('large')).toMatchObject({ expiresAt: 100 });
    expect(asked).toEqual(['large']);
    now = 100;
    await robots.get('small');
    expect(asked).toEqual(['large', 'small']);
  });

  it('treats a failing store as an empty one', async () => {
    const broken: RobotsStore = {
      get: () => Promise.reject(new Error('down')),
      put: () => Promise.reject(new Error('down')),
    };
    const robots = withMemoryCache(
      broken,
      new Map(),
      () => true,
      () => 0,
    );
    expect(await robots.get('x')).toBe(null);
    await robots.put('x', entry(1));
    expect(await robots.get('x')).toEqual(entry(1));
  });
});
