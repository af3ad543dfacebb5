import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientAddress, listRegistrationLimits, listSignInLimits, listUpstreamLimits } from '#auth/people/attempts.ts';
import { KNOWN_BROWSER_COOKIE_TTL_MS, SIGN_IN_TRIES_MAX, SIGN_IN_TRIES_PER_ADDRESS_MAX } from '#auth/limits.ts';
import { deployment } from '../../support/deployment.ts';
import type { Browser } from '../../support/oauth-browser.ts';
import { pageOf, textOf } from '../../support/oauth-browser.ts';
import { passTime, setTime, useTimeOfDay } from '../../support/wall-clock.ts';

/** Used only in this file, because the isolate caches the derived key of a passphrase. */
const PASSPHRASE = 'a passphrase that only guesses are made at';
const SIGN_IN_KEY = 'a-key-made-for-tests-only-0123456789';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const noProvider = () => Promise.reject(new Error('nothing is asked'));
const START = Date.UTC(2030, 0, 1);

/** A day of each test lies far from those of others: what they use up is over by then. */
let day = 0;
beforeEach(() => {
  day += 1;
  setTime(START + day * 400 * DAY_MS);
});
afterEach(() => {
  useTimeOfDay();
  vi.restoreAllMocks();
});

const settings = { OWNER_PASSPHRASE: PASSPHRASE, SIGN_IN_KEY };
const inTheCloud = () => deployment({ ...settings, PUBLIC_URL: 'https://periscope.acme.dev' }, noProvider);
/** Behind a tunnel, as `npm start` runs it: the addresses of strangers are not verified. */
const atHome = () =>
  deployment({ ...settings, PUBLIC_URL: 'https://periscope.acme.dev', TRUST_CONNECTING_IP: 'false' }, noProvider);

const form = async (browser: Browser) => pageOf(await browser.get(`${browser.origin}/sign-in`));
async function guess(browser: Browser, passphrase: string) {
  return pageOf(await browser.submit(await form(browser), '/sign-in', { passphrase }));
}
const isIn = (page: { status: number; url: string }) => page.status === 200 && new URL(page.url).pathname === '/';

/** Strangers guess for this long, each time from another address. @returns the number of checked guesses */
async function attack(server: ReturnType<typeof deployment>, forMs: number, everyMs: number): Promise<number> {
  const first = server.browser();
  const page = await form(first);
  const looksAt = async () => {
    const stranger = server.browser();
    for (const [name, value] of first.cookies) stranger.cookies.set(name, value);
    return pageOf(await stranger.submit(page, '/sign-in', { passphrase: 'guess' })).status === 401;
  };
  let looked = 0;
  for (let at = 0; at < forMs; at += everyMs) {
    passTime(everyMs);
    if (await looksAt()) looked += 1;
  }
  while (await looksAt()) looked += 1;
  return looked;
}

describe('guesses of one address', () => {
  it('end after ten, parallel or one by one, and continue at one in 90 s', async () => {
    const browser = inTheCloud().browser();
    const page = await form(browser);
    const visits = await Promise.all(
      Array.from({ length: 40 }, (_, n) => browser.submit(page, '/sign-in', { passphrase: `guess ${n}` })),
    );
    const statuses = visits.map((visit) => pageOf(visit).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(SIGN_IN_TRIES_PER_ADDRESS_MAX);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - SIGN_IN_TRIES_PER_ADDRESS_MAX);
    const late = await guess(browser, PASSPHRASE);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBe(90);
    expect(textOf(late.html)).toContain('Too many tries. Try again in 2 minutes. If this happens again,');
    passTime(90_000);
    expect(isIn(await guess(browser, PASSPHRASE))).toBe(true);
  });

  it('are hashed in 100,000 rounds each', async () => {
    const hashed = vi.spyOn(crypto.subtle, 'deriveBits');
    await guess(inTheCloud().browser(), 'guess');
    expect(hashed.mock.lastCall?.[0]).toMatchObject({ name: 'PBKDF2', iterations: 100_000 });
  });

  it('do not count against others', async () => {
    const server = inTheCloud();
    const guesser = server.browser('203.0.113.9');
    for (let n = 0; n < 12; n += 1) await guess(guesser, 'guess');
    expect(isIn(await guess(server.browser(), PASSPHRASE))).toBe(true);
  });
});

describe.each([
  ['on Cloudflare', inTheCloud],
  ['on a machine where anybody can write any address', atHome],
])('guesses from as many addresses as one likes, %s,', (_, server) => {
  it('are limited to a hundred and one every 36 s: 2,500 in a day', async () => {
    const looked = await attack(server(), HOUR_MS / 2, 10_000);
    expect(looked).toBeLessThanOrEqual(SIGN_IN_TRIES_MAX + 50);
    expect(looked).toBeGreaterThan(SIGN_IN_TRIES_MAX + 40);
  });

  it('never delay the owner: neither where they signed in before, nor where they open the sign-in link', async () => {
    const deployed = server();
    const known = deployed.browser();
    await guess(known, PASSPHRASE);
    for (const name of known.cookies.keys()) if (name.endsWith('session')) known.cookies.delete(name);
    await attack(deployed, 1_200_000, 10_000);
    const fresh = deployed.browser();
    expect((await guess(fresh, PASSPHRASE)).status).toBe(429);
    expect(isIn(await guess(known, PASSPHRASE))).toBe(true);
    const opened = pageOf(await fresh.get(`${fresh.origin}/sign-in?key=${SIGN_IN_KEY}`));
    expect(new URL(opened.url).search).not.toContain('key');
    expect(isIn(await guess(fresh, PASSPHRASE))).toBe(true);
  });

  it('delay a stranger with the passphrase for at most 36 s after they end', async () => {
    const deployed = server();
    await attack(deployed, 1_200_000, 10_000);
    const late = await guess(deployed.browser(), PASSPHRASE);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(36);
    passTime(36_000);
    expect(isIn(await guess(deployed.browser(), PASSPHRASE))).toBe(true);
  });
});

describe('the link that npm start prints', () => {
  const here = () =>
    deployment(
      { OWNER_PASSPHRASE: PASSPHRASE, LOCAL_SIGN_IN_KEY: SIGN_IN_KEY, PUBLIC_URL: 'http://localhost:8787' },
      noProvider,
    );
  const opened = async (browser: Browser, key = SIGN_IN_KEY) =>
    pageOf(await browser.get(`${browser.origin}/sign-in?once=${key}&next=%2F`));

  it('signs the owner in once, in one browser', async () => {
    const server = here();
    const first = server.browser();
    expect(isIn(await opened(first))).toBe(true);
    expect([...first.cookies.keys()].some((name) => name.endsWith('session'))).toBe(true);
    const second = server.browser();
    const shown = await opened(second);
    expect([shown.status, textOf(shown.html)]).toEqual([403, expect.stringContaining('This link has been used')]);
    expect([...second.cookies.keys()].some((name) => name.endsWith('session'))).toBe(false);
  });

  it('has no effect with another key, or on an address that others can reach', async () => {
    expect((await opened(here().browser(), `${SIGN_IN_KEY.slice(0, -1)}x`)).status).toBe(403);
    const set = { OWNER_PASSPHRASE: PASSPHRASE, LOCAL_SIGN_IN_KEY: `${SIGN_IN_KEY}2` };
    const outside = deployment({ ...set, PUBLIC_URL: 'https://periscope.acme.dev' }, noProvider).browser();
    expect((await opened(outside, `${SIGN_IN_KEY}2`)).status).toBe(403);
  });
});

describe('the sign-in link', () => {
  it('signs no user in, and allows ten guesses and one every 90 s, in any number of browsers', async () => {
    const server = inTheCloud();
    const statuses: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      const browser = server.browser();
      const opened = pageOf(await browser.get(`${browser.origin}/sign-in?key=${SIGN_IN_KEY}`));
      expect(opened.html).toContain('action="/sign-in"');
      expect([...browser.cookies.keys()].some((name) => name.endsWith('session'))).toBe(false);
      statuses.push((await guess(browser, 'guess')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(SIGN_IN_TRIES_PER_ADDRESS_MAX);
    expect(isIn(await guess(server.browser(), PASSPHRASE))).toBe(true);
  });

  it.each(['', 'x', SIGN_IN_KEY.slice(0, -1), `${SIGN_IN_KEY}x`, SIGN_IN_KEY.toUpperCase(), '%00'])(
    'has no effect with another key: %s',
    async (key) => {
      const browser = inTheCloud().browser();
      const shown = pageOf(await browser.get(`${browser.origin}/sign-in?key=${encodeURIComponent(key)}`));
      expect(shown.status).toBe(403);
      expect(textOf(shown.html)).toContain('This sign-in link is not valid. It may have been replaced by a new one.');
      expect([...browser.cookies.keys()]).toEqual(['__Host-periscope-form']);
    },
  );

  it('does not exist when no key is set', async () => {
    const server = deployment({ OWNER_PASSPHRASE: PASSPHRASE, PUBLIC_URL: 'https://periscope.acme.dev' }, noProvider);
    for (const key of ['', 'undefined', SIGN_IN_KEY]) {
      const browser = server.browser();
      expect(pageOf(await browser.get(`${browser.origin}/sign-in?key=${key}`)).status).toBe(403);
    }
  });

  it('leads on to the requested page, on this server only', async () => {
    const browser = inTheCloud().browser();
    for (const [next, path] of [
      ['/console/tokens', '/console/tokens'],
      ['https://evil.dev/', '/'],
    ] as const) {
      const query = new URLSearchParams({ key: SIGN_IN_KEY, next });
      const opened = pageOf(await browser.get(`${browser.origin}/sign-in?${query.toString()}`));
      expect(new URL(opened.url).searchParams.get('next')).toBe(path);
    }
  });

  it('ends with its key, and with its day', async () => {
    const [before, after] = [SIGN_IN_KEY, `${SIGN_IN_KEY}-new`].map((key) =>
      deployment({ ...settings, SIGN_IN_KEY: key, PUBLIC_URL: 'https://periscope.acme.dev' }, noProvider),
    );
    if (before === undefined || after === undefined) throw new Error('two deployments are made above');
    const browser = before.browser();
    await browser.get(`${browser.origin}/sign-in?key=${SIGN_IN_KEY}`);
    await attack(after, 1_200_000, 10_000);
    const moved = after.browser();
    for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
    expect((await guess(moved, PASSPHRASE)).status).toBe(429);
    passTime(25 * HOUR_MS);
    await attack(before, 1_200_000, 10_000);
    expect((await guess(browser, PASSPHRASE)).status).toBe(429);
  });
});

describe('a browser known before', () => {
  it('is recognized for half a year, but not after the passphrase has changed', async () => {
    const server = inTheCloud();
    const known = server.browser();
    await guess(known, PASSPHRASE);
    const other = deployment(
      { OWNER_PASSPHRASE: 'another passphrase', PUBLIC_URL: 'https://periscope.acme.dev' },
      noProvider,
    );
    await attack(other, 1_200_000, 10_000);
    const moved = other.browser();
    for (const [name, value] of known.cookies) moved.cookies.set(name, value);
    expect((await guess(moved, 'another passphrase')).status).toBe(429);
    passTime(KNOWN_BROWSER_COOKIE_TTL_MS);
    await attack(server, 1_200_000, 10_000);
    expect((await guess(known, PASSPHRASE)).status).toBe(429);
  });
});

describe('the address of a caller', () => {
  const at = (url: string, address: string | null, trust = true) =>
    clientAddress(new Request(url, { headers: address === null ? {} : { 'cf-connecting-ip': address } }), {
      TRUST_CONNECTING_IP: trust,
    });
  const PUBLIC = 'https://periscope.acme.dev/sign-in';

  it('is the one that Cloudflare reports, with one limit for a network, in every spelling', () => {
    expect(at(PUBLIC, '2001:db8:1:2::1')).toBe(at(PUBLIC, '2001:DB8:1:2:ffff:ffff:ffff:ffff'));
    expect(at(PUBLIC, '2001:db8:1:2::1')).not.toBe(at(PUBLIC, '2001:db8:1:3::1'));
    expect(at(PUBLIC, '2001:db8::1')).toBe('2001:db8:0:0');
    expect(at(PUBLIC, '192.0.2.1')).toBe('192.0.2.1');
  });

  it('is unknown on this machine, where the deployment says so, and without the header', () => {
    for (const url of ['http://localhost:8787/', 'http://127.0.0.1/', 'http://[::1]:8787/', 'https://localhost/']) {
      expect(at(url, '192.0.2.1')).toBeNull();
    }
    expect(at(PUBLIC, '192.0.2.1', false)).toBeNull();
    expect(at(PUBLIC, null)).toBeNull();
  });

  it('that is unknown does not use up the limit of others, and a caller’s own attempts are counted separately', () => {
    const keys = (buckets: { key: string }[]) => buckets.map(({ key }) => key);
    expect(keys(listSignInLimits({ address: null, own: null }))).toEqual(['sign-in:all']);
    expect(keys(listUpstreamLimits({ address: null, own: null }))).toEqual(['upstream:all']);
    expect(keys(listRegistrationLimits(null))).toEqual(['register:all']);
    expect(keys(listSignInLimits({ address: '192.0.2.1', own: 'browser:x' }))).toEqual(['sign-in:browser:x']);
    expect(keys(listUpstreamLimits({ address: '192.0.2.1', own: 'link:x' }))).toEqual(['upstream:link:x']);
  });
});
