import { describe, expect, it } from 'vitest';
import { UPSTREAM_STARTS_PER_IP_MAX } from '#auth/limits.ts';
import { deployment } from '../../support/deployment.ts';
import type { Browser } from '../../support/oauth-browser.ts';
import { leftTo, pageOf, textOf } from '../../support/oauth-browser.ts';
import { ORIGIN } from '../../support/oauth-journey.ts';

const SECRET = 'the-secret-of-the-app';
const OCTO = { id: 583231, login: 'Octo-Cat' };

/** GitHub as far as signing in goes, for one person. @param answers over its own, by path */
function github(person: object = OCTO, answers: Record<string, () => Response> = {}, emails: unknown = []) {
  const asked: { url: string; authorization: string | null; body: URLSearchParams }[] = [];
  const own: Record<string, () => Response> = {
    '/login/oauth/access_token': () => {
      const form = asked.at(-1)?.body;
      if (form?.get('client_secret') !== SECRET || form.get('code') !== 'the-code') {
        // GitHub reports this error with status 200.
        return Response.json({ error: 'bad_verification_code', error_description: 'UNCONTROLLED' });
      }
      return Response.json({ access_token: 'gho_for_tests', token_type: 'bearer', scope: 'user:email' });
    },
    '/user': () => Response.json(person),
    '/user/emails': () => Response.json(emails),
  };
  return {
    asked,
    fetch: async (url: string, init: { headers: Record<string, string>; body: string | null }) => {
      const headers = new Headers(init.headers);
      asked.push({ url, authorization: headers.get('authorization'), body: new URLSearchParams(init.body ?? '') });
      const { pathname } = new URL(url);
      return (answers[pathname] ?? own[pathname])?.() ?? new Response('not here', { status: 404 });
    },
  };
}

function at(hub: ReturnType<typeof github>, users = 'octo-cat', more: Record<string, string> = {}) {
  const settings = { ...more, GITHUB_CLIENT_ID: 'the-app', GITHUB_CLIENT_SECRET: SECRET, ALLOWED_USERS: users };
  return deployment(settings, hub.fetch);
}

async function sentTo(browser: Browser): Promise<URL> {
  const page = pageOf(await browser.get(`${browser.origin}/sign-in`));
  return leftTo(await browser.submit(page, '/sign-in/upstream', { way: 'github', next: '/console/tokens' }));
}

async function comeBack(browser: Browser, changes: Record<string, string> = {}) {
  const away = await sentTo(browser);
  const back = new URL(away.searchParams.get('redirect_uri') ?? '');
  const state = away.searchParams.get('state') ?? '';
  const iss = 'https://github.com/login/oauth';
  back.search = new URLSearchParams({ code: 'the-code', state, iss, ...changes }).toString();
  return browser.get(back.href);
}

const isSignedIn = (browser: Browser) => browser.cookies.has('periscope--session');

describe('signing in with GitHub', () => {
  it('starts with PKCE and asks only for the identity, unless addresses decide', async () => {
    const away = await sentTo(at(github()).browser());
    expect(away.origin + away.pathname).toBe('https://github.com/login/oauth/authorize');
    expect(Object.fromEntries(away.searchParams)).toEqual({
      client_id: 'the-app',
      redirect_uri: `${ORIGIN}/sign-in/github/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const withEmails = await sentTo(at(github(), '@acme.dev').browser());
    expect(withEmails.searchParams.get('scope')).toBe('user:email');
  });

  it('redeems the code with secret and verifier, and lets the person in', async () => {
    const hub = github();
    const browser = at(hub).browser();
    await comeBack(browser);
    expect(isSignedIn(browser)).toBe(true);
    const [exchange, user, ...more] = hub.asked;
    expect(exchange?.url).toBe('https://github.com/login/oauth/access_token');
    expect(exchange?.body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(exchange?.body.get('redirect_uri')).toBe(`${ORIGIN}/sign-in/github/callback`);
    expect(user).toMatchObject({ url: 'https://api.github.com/user', authorization: 'Bearer gho_for_tests' });
    expect(more).toEqual([]);
    expect([...browser.cookies.values()].join()).not.toContain('gho_');
  });

  it('recognizes people by login in any case, by id, and by verified addresses', async () => {
    const emails = [
      { email: 'Octo@Acme.dev', verified: true },
      { email: 'octo@unverified.dev', verified: false },
    ];
    for (const [users, isIn] of [
      ['OCTO-CAT', true],
      ['583231', true],
      ['@acme.dev', true],
      ['octo@acme.dev', true],
      ['octo', false],
      ['58323', false],
      ['@unverified.dev', false],
      ['octo@unverified.dev', false],
      ['', false],
    ] as const) {
      const browser = at(github(OCTO, {}, emails), users).browser();
      const visit = await comeBack(browser);
      expect([users, isSignedIn(browser)]).toEqual([users, isIn]);
      if (!isIn) expect(textOf(pageOf(visit).html)).toContain('may not sign in here');
    }
  });

  it('ends on a page when GitHub does not answer, answers nonsense, or refuses', async () => {
    const nonsense = () => Response.json({ id: 'UNCONTROLLED' });
    const down = () => new Response('UNCONTROLLED', { status: 503 });
    const denied = () => Response.json({ message: 'UNCONTROLLED' }, { status: 401 });
    for (const answer of [nonsense, down, denied]) {
      for (const path of ['/login/oauth/access_token', '/user', '/user/emails']) {
        const there = at(github(OCTO, { [path]: answer }), '@acme.dev');
        const browser = there.browser();
        const page = pageOf(await comeBack(browser));
        expect([400, 502]).toContain(page.status);
        expect(page.html).not.toContain('UNCONTROLLED');
        expect(isSignedIn(browser)).toBe(false);
        expect(there.unexpected).toEqual([]);
      }
    }
  });

  it.each([
    { iss: 'https://evil.dev' },
    { code: 'another' },
    { state: 'another' },
    { error: 'access_denied' },
    { iss: 'https://github.com' },
  ])('refuses an answer with %j', async (changes) => {
    const there = at(github());
    const browser = there.browser();
    expect([400, 403]).toContain(pageOf(await comeBack(browser, changes)).status);
    expect(isSignedIn(browser)).toBe(false);
    expect(there.unexpected).toEqual([]);
  });

  it('can be started only a limited number of times from one address, and successes do not count', async () => {
    const browser = at(github(), 'octo-cat', { PUBLIC_URL: 'https://periscope.acme.dev' }).browser();
    await comeBack(browser);
    for (let n = 0; n < UPSTREAM_STARTS_PER_IP_MAX; n += 1) await sentTo(browser);
    const page = pageOf(await browser.get(`${browser.origin}/sign-in`));
    const refused = pageOf(await browser.submit(page, '/sign-in/upstream', { way: 'github' }));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
