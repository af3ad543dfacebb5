import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../support/deployment.ts';
import { fakeProvider, SIGNING_ALGORITHMS } from '../../support/fake-provider.ts';
import { leftTo, pageOf, textOf } from '../../support/oauth-browser.ts';
import { allow, authorizationRequest, codeFields, ORIGIN, PASSPHRASE, register } from '../../support/oauth-journey.ts';
import {
  ANA,
  deploymentOf,
  expectRefused,
  isSignedIn,
  sentTo,
  SESSION,
  signInAs,
  world,
} from '../../support/provider-world.ts';

describe('signing in at an OpenID Connect provider', () => {
  it('leads from a client over the provider and consent to a token that is the person', async () => {
    const { provider, at } = await world();
    const client = await register();
    const { url, verifier } = await authorizationRequest(client);
    const browser = at.browser();
    const away = await sentTo(browser, url);
    expect(away.origin + away.pathname).toBe(`${provider.issuer}/authorize`);
    expect(away.searchParams.get('scope')).toBe('openid email profile');
    expect(away.searchParams.get('code_challenge_method')).toBe('S256');
    const consent = pageOf(await browser.get(provider.authorize(away, ANA).href));
    expect(consent.url).toBe(url);
    expect(textOf(consent.html)).toMatch(/You are signed in as .+ , the owner of this server\./);
    const code = leftTo(await allow(browser, consent)).searchParams.get('code') ?? '';
    const exchanged = await at.fetch(`${ORIGIN}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(codeFields(client, code, verifier)).toString(),
    });
    const { access_token: token, refresh_token: refreshToken } = await exchanged.json<{
      access_token: string;
      refresh_token: string;
    }>();
    const headers = { authorization: `Bearer ${token}` };
    const caller = await (await at.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers })).json();
    expect(caller).toEqual({
      subject: expect.stringMatching(/^u_[\w-]{22}$/),
      scopes: expect.arrayContaining(['web:read']),
      client: client.id,
    });
    expect(token).not.toMatch(/ana|acme/);

    const without = deploymentOf(provider, { ALLOWED_USERS: 'bob@acme.dev' });
    const refused = await without.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers });
    const unknown = await without.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers: { authorization: 'Bearer x' } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(unknown.headers.get('www-authenticate'));
    const renewed = (there: Deployment) =>
      there.fetch(`${ORIGIN}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: client.id,
          refresh_token: refreshToken,
        }).toString(),
      });
    expect((await renewed(at)).status).toBe(200);
    expect(await (await renewed(without)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await (await renewed(at)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  it.each(SIGNING_ALGORITHMS)('accepts tokens signed with %s', async (algorithm) => {
    const { provider, at } = await world({}, algorithm);
    const browser = at.browser();
    await signInAs(provider, browser, ANA);
    expect(isSignedIn(browser)).toBe(true);
  });

  it('works where the issuer ends in a slash', async () => {
    const provider = await fakeProvider('https://login-with-slash.acme.dev/');
    const at = deploymentOf(provider);
    const browser = at.browser();
    await signInAs(provider, browser, ANA);
    expect(isSignedIn(browser)).toBe(true);
  });

  it('sends its secret in the way that the provider accepts', async () => {
    for (const methods of [['client_secret_basic'], ['client_secret_post'], undefined]) {
      const { provider, at } = await world();
      provider.wrongs = { metadata: { token_endpoint_auth_methods_supported: methods } };
      const browser = at.browser();
      await signInAs(provider, browser, ANA);
      expect(isSignedIn(browser)).toBe(true);
    }
  });

  it('recognizes people by verified address, by domain, and by subject', async () => {
    const { provider, at } = await world();
    for (const [person, isIn] of [
      [ANA, true],
      [{ ...ANA, email: 'Ana@ACME.dev' }, true],
      [{ sub: 'x', email: 'bob@friends.dev', email_verified: true }, true],
      [{ sub: 'sub-of-a-friend' }, true],
      [{ ...ANA, email_verified: false }, false],
      [{ ...ANA, email_verified: 'true' }, false],
      [{ sub: 'x', email: 'ana@acme.dev' }, false],
      [{ sub: 'x', email: 'bob@friends.dev', email_verified: false }, false],
      [{ sub: 'x', email: 'bob@acme.dev', email_verified: true }, false],
      [{ sub: 'x', email: 'a@x.friends.dev', email_verified: true }, false],
      [{ sub: 'ana@acme.dev' }, false],
    ] as const) {
      const browser = at.browser();
      const visit = await signInAs(provider, browser, person);
      expect(isSignedIn(browser)).toBe(isIn);
      if (!isIn) expect(textOf(pageOf(visit).html)).toContain('may not sign in here');
    }
    expect(at.unexpected).toEqual([]);
  });

  it('shows people who are not on the list the account name to give to the owner, if it is safe to show', async () => {
    const { provider, at } = await world();
    const shown = async (sub: string) => pageOf(await signInAs(provider, at.browser(), { sub })).html;
    expect(await shown('auth0|5f7c8ec7')).toContain('ALLOWED_USERS as oidc:auth0|5f7c8ec7, or');
    for (const sub of ['<b>x</b>', 'a b', 'x'.repeat(200), 'a,b']) {
      expect(await shown(sub)).toContain('to ALLOWED_USERS, or');
    }
  });

  it('can be tried again with another account, on the way to the same client', async () => {
    const { provider, at } = await world();
    const { url } = await authorizationRequest(await register());
    const browser = at.browser();
    const refused = pageOf(await browser.get(provider.authorize(await sentTo(browser, url), { sub: 'x' }).href));
    const again = /href="(\/sign-in\?[^"]*)"/.exec(refused.html)?.[1] ?? '';
    const away = await sentTo(browser, ORIGIN + again.replaceAll('&amp;', '&'));
    expect(pageOf(await browser.get(provider.authorize(away, ANA).href)).url).toBe(url);
  });

  it('asks for the address when the token has none, and accepts it for the same person only', async () => {
    const { provider, at } = await world();
    const browser = at.browser();
    await signInAs(provider, browser, { ...ANA, hidden: ['email', 'email_verified'] });
    expect(isSignedIn(browser)).toBe(true);
    provider.wrongs = { claims: { sub: 'mallory' } };
    const other = at.browser();
    expectRefused(await signInAs(provider, other, { ...ANA, hidden: ['email', 'email_verified'] }), other, at);
  });

  it('does not ask for addresses when none is on the list', async () => {
    const { at } = await world({ ALLOWED_USERS: 'sub-ana' });
    expect((await sentTo(at.browser())).searchParams.get('scope')).toBe('openid profile');
  });

  it('shows people their name or host, never their subject', async () => {
    const { provider, at } = await world({ ALLOWED_USERS: 'sub-ana, sub-of-a-friend' });
    const host = new URL(provider.issuer).host;
    const { url } = await authorizationRequest(await register());
    const name = 'Frieda Fox \u202e<b>';
    const shown = async (person: Record<string, unknown>) => {
      const browser = at.browser();
      await signInAs(provider, browser, { sub: 'sub-of-a-friend', ...person });
      const { html } = pageOf(await browser.get(url));
      expect(html).not.toContain('sub-of-a-friend');
      return /You are signed in as (.*?) \. /u.exec(textOf(html).replace(/\s+/gu, ' '))?.[1];
    };
    expect(await shown({ name, preferred_username: 'frieda' })).toBe('Frieda Fox <b>');
    expect(await shown({ name, hidden: ['name'] })).toBe('Frieda Fox <b>');
    expect(await shown({ preferred_username: 'frieda' })).toBe('frieda');
    expect(await shown({ email: 'Frieda@Friends.dev', email_verified: true })).toBe('frieda@friends.dev');
    expect(await shown({ email: 'ana@acme.dev' })).toBe(`an account at ${host}`);
    expect(await shown({ name: 'ana@acme.dev', preferred_username: ' ' })).toBe(`an account at ${host}`);
    provider.wrongs = { answers: { '/userinfo': () => new Response('UNCONTROLLED', { status: 500 }) } };
    expect(await shown({})).toBe(`an account at ${host}`);
  });

  it('ends immediately for a person who is removed from the list', async () => {
    const { provider, at } = await world();
    const browser = at.browser();
    await signInAs(provider, browser, ANA);
    const headers = { cookie: `${SESSION}=${browser.cookies.get(SESSION)}` };
    const { url } = await authorizationRequest(await register());
    const asks = async (there: Deployment) => (await (await there.fetch(url, { headers })).text()).includes('Sign in');
    expect(await asks(at)).toBe(false);
    expect(await asks(deploymentOf(provider, { ALLOWED_USERS: 'bob@acme.dev' }))).toBe(true);
    expect(await asks(deploymentOf(provider, { ALLOWED_USERS: '' }))).toBe(true);
  });

  it('is offered next to the passphrase only if a passphrase is set', async () => {
    const { at, provider } = await world();
    const page = pageOf(await at.browser().get(`${ORIGIN}/sign-in`));
    expect(page.html).not.toContain('action="/sign-in"');
    expect(textOf(page.html)).toContain(`Sign in with ${new URL(provider.issuer).host}`);
    const both = deploymentOf(provider, { OWNER_PASSPHRASE: PASSPHRASE });
    expect(pageOf(await both.browser().get(`${ORIGIN}/sign-in`)).html).toContain('action="/sign-in"');
    const post = await at.browser().post('/sign-in', [['passphrase', '']]);
    expect(pageOf(post).status).toBe(403);
  });
});

describe('a provider', () => {
  it('that does not answer, answers nonsense, or too much ends on a page', async () => {
    const broken: (() => Response | Promise<Response>)[] = [
      () => Promise.reject(new Error('UNCONTROLLED')),
      () => new Response('UNCONTROLLED', { status: 500 }),
      () => new Response('UNCONTROLLED', { status: 200, headers: { 'content-type': 'text/html' } }),
      () => Response.json(['UNCONTROLLED']),
      () => Response.json({ error: 'UNCONTROLLED text', error_description: 'UNCONTROLLED' }, { status: 400 }),
      () => new Response(null, { status: 302, headers: { location: 'https://evil.dev/' } }),
      () => new Response(`{"a":"${'x'.repeat(600_000)}"}`, { headers: { 'content-type': 'application/json' } }),
    ];
    for (const answer of broken) {
      for (const path of ['/.well-known/openid-configuration', '/token', '/keys', '/userinfo']) {
        const { provider, at } = await world();
        provider.wrongs = { answers: { [path]: answer } };
        const browser = at.browser();
        const page = pageOf(await browser.get(`${ORIGIN}/sign-in`));
        const visit = await browser.submit(page, '/sign-in/upstream', { way: 'oidc' });
        const isAway = visit.left !== null;
        expect(isAway).toBe(path !== '/.well-known/openid-configuration');
        const person = { ...ANA, hidden: ['email'] };
        expectRefused(isAway ? await browser.get(provider.authorize(visit.left, person).href) : visit, browser, at);
        expect(at.refusals.join()).not.toContain('UNCONTROLLED');
      }
    }
  });

  it('whose metadata names another issuer, or the same one in another spelling, is not used', async () => {
    for (const change of ['/', '/x']) {
      const { provider, at } = await world();
      provider.wrongs = { metadata: { issuer: provider.issuer + change } };
      const browser = at.browser();
      const own = pageOf(await browser.get(`${ORIGIN}/sign-in`));
      const visit = await browser.submit(own, '/sign-in/upstream', { way: 'oidc' });
      expect(expectRefused(visit, browser, at).status).toBe(400);
    }
  });

  it('whose endpoints are not encrypted is not used', async () => {
    const { provider, at } = await world();
    provider.wrongs = { metadata: { authorization_endpoint: 'http://login.acme.dev/authorize' } };
    const browser = at.browser();
    const page = pageOf(await browser.get(`${ORIGIN}/sign-in`));
    const visit = await browser.submit(page, '/sign-in/upstream', { way: 'oidc' });
    expect(expectRefused(visit, browser, at).status).toBe(400);
  });

  it('is asked for its keys once, and again when it has new ones', async () => {
    const { provider, at } = await world();
    const enter = async () => {
      const browser = at.browser();
      await signInAs(provider, browser, ANA);
      return isSignedIn(browser);
    };
    expect([await enter(), await enter()]).toEqual([true, true]);
    expect(provider.asked.get('/keys')).toBe(1);
    await provider.rotateKeys();
    expect([await enter(), await enter()]).toEqual([true, true]);
    expect(provider.asked.get('/keys')).toBe(2);
    provider.wrongs = { signature: 'unpublished', header: { kid: 'unknown' } };
    expect(await enter()).toBe(false);
    expect(provider.asked.get('/keys')).toBe(3);
    expect(provider.asked.get('/.well-known/openid-configuration')).toBe(1);
  });

  it("is reached only from this server's own form", async () => {
    const { at } = await world();
    const browser = at.browser();
    const page = pageOf(await browser.get(`${ORIGIN}/sign-in`));
    const fields: [string, string][] = [
      ['way', 'oidc'],
      ['next', '/'],
      ['form', 'x.y'],
    ];
    expect(pageOf(await browser.post('/sign-in/upstream', fields)).status).toBe(403);
    const crossSite = await browser.post('/sign-in/upstream', fields, { origin: 'https://evil.dev' });
    expect(pageOf(crossSite).status).toBe(403);
    expect(pageOf(await browser.submit(page, '/sign-in/upstream', { way: 'unknown' })).status).toBe(403);
    expect((await at.fetch(`${ORIGIN}/sign-in/upstream`)).status).toBe(404);
  });

  it.each(['https://evil.dev/', '//evil.dev', '/mcp', '/console/../authorize/x', '/console/%2e%2e/x'])(
    "leads back only to this server's own pages, not to %s",
    async (next) => {
      const { provider, at } = await world();
      const browser = at.browser();
      const page = pageOf(await browser.get(`${ORIGIN}/sign-in`));
      const away = leftTo(await browser.submit(page, '/sign-in/upstream', { way: 'oidc', next }));
      const after = pageOf(await browser.get(provider.authorize(away, ANA).href));
      expect(new URL(after.url).pathname).toBe('/');
      expect(isSignedIn(browser)).toBe(true);
    },
  );
});
