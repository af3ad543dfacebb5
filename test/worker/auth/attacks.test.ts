import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { GRANTS_PER_CLIENT_MAX, REFRESH_TOKEN_IDLE_TTL_SECONDS } from '#auth/limits.ts';
import { grantTokens, oauthApi } from '../../support/grants.ts';
import { MCP_URL, rpc } from '../../support/mcp-call.ts';
import { leftTo, pageOf, textOf } from '../../support/oauth-browser.ts';
import { signInObject } from '../../support/stored-people.ts';
import {
  allow,
  authorizationRequest,
  codeFields,
  connect,
  consentPage,
  exchange,
  ORIGIN,
  personsBrowser,
  REDIRECT,
  refresh,
  register,
  signIn,
  tokenRequest,
} from '../../support/oauth-journey.ts';

/** A code that a person has just allowed, and what belongs to it. */
async function allowedCode(metadata: Record<string, unknown> = {}) {
  const client = await register(metadata);
  const { url, verifier } = await authorizationRequest(client);
  const browser = personsBrowser();
  const left = leftTo(await allow(browser, await consentPage(browser, url)));
  return { client, verifier, code: left.searchParams.get('code') ?? '', left, browser };
}

async function ownersBrowser() {
  const browser = personsBrowser();
  await signIn(browser, `${ORIGIN}/sign-in`);
  return browser;
}

const linksOf = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)"/gu)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

const isAccepted = async (token: string) => (await rpc('modern', 'tools/list', {}, { token })).result !== undefined;

async function errorOf(response: Response): Promise<string> {
  return `${response.status} ${(await response.json<{ error: string }>()).error}`;
}

describe('an authorization code', () => {
  it('works once: a second use ends the grant of the first one', async () => {
    const { client, code, verifier } = await allowedCode();
    const tokens = await exchange(client, code, verifier);
    expect(await isAccepted(tokens.access_token)).toBe(true);
    expect(await errorOf(await tokenRequest(codeFields(client, code, verifier)))).toBe('400 invalid_grant');
    expect(await isAccepted(tokens.access_token)).toBe(false);
  });

  it('is useless without the verifier, to another client, or for another address', async () => {
    const { client, code, verifier } = await allowedCode();
    const other = await register();
    const right = codeFields(client, code, verifier);
    for (const wrong of [
      { ...right, code_verifier: 'w'.repeat(64) },
      { ...right, code_verifier: '' },
      { ...right, client_id: other.id },
      { ...right, redirect_uri: 'https://client.acme.dev/other' },
    ]) {
      expect(await errorOf(await tokenRequest(wrong))).toMatch(/^400 (invalid_grant|invalid_request)$/);
    }
  });

  it('cannot be exchanged for a token of another server', async () => {
    const { client, code, verifier } = await allowedCode();
    const fields = { ...codeFields(client, code, verifier), resource: 'https://elsewhere.acme.dev/mcp' };
    expect(await errorOf(await tokenRequest(fields))).toBe('400 invalid_target');
  });
});

describe('an authorization request', () => {
  const S256 = { code_challenge_method: 'S256' };

  it.each<[string, Record<string, string | null>, string]>([
    ['with a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['with a challenge of 42 characters', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
    ['with a challenge of 129 characters', { code_challenge: 'a'.repeat(129) }, 'invalid_request'],
    ['with a padded challenge', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE of no method', { code_challenge_method: null }, 'invalid_request'],
    ['with a method and no challenge', { code_challenge: null, ...S256 }, 'invalid_request'],
    ['for another server', { resource: 'https://elsewhere.acme.dev/mcp' }, 'invalid_target'],
    ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['for two things at once', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['for nothing', { response_type: null }, 'invalid_request'],
  ])(
    'that is invalid (%s) ends on a page; the client gets the error, with iss and state, when the user follows the link',
    async (_, changes, error) => {
      for (const method of ['none', 'client_secret_post']) {
        for (const prompt of ['none', 'login', null]) {
          const client = await register({ token_endpoint_auth_method: method });
          const { url } = await authorizationRequest(client, { ...changes, prompt });
          for (const browser of [personsBrowser(), await ownersBrowser()]) {
            const shown = pageOf(await browser.get(url));
            expect(shown.status).toBe(400);
            expect(textOf(shown.html)).toContain('This request cannot be answered');
            expect(textOf(shown.html)).toContain('Tell the client at client.acme.dev');
            expect(shown.html).not.toContain('http-equiv="refresh"');
            const to = new URL(linksOf(shown.html).find((href) => href.startsWith(REDIRECT)) ?? '');
            expect(Object.fromEntries(to.searchParams)).toMatchObject({ error, iss: ORIGIN, state: 'the-state' });
          }
        }
      }
    },
  );

  it.each(['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code_challenge_method'])(
    'that names %s twice ends on a page without a way out',
    async (name) => {
      const { url } = await authorizationRequest(await register());
      for (const value of ['https://visit-evil.dev/now', new URL(url).searchParams.get(name) ?? '', '']) {
        const twice = `${url}&${new URLSearchParams([[name, value]]).toString()}`;
        for (const browser of [personsBrowser(), await ownersBrowser()]) {
          const shown = pageOf(await browser.get(twice));
          expect(shown.status).toBe(400);
          expect(textOf(shown.html)).toContain('names a parameter twice');
          expect(shown.html).not.toMatch(/visit-evil|client\.acme\.dev|http-equiv="refresh"/);
        }
      }
    },
  );

  it('may contain parameters twice that this server does not know', async () => {
    const { url } = await authorizationRequest(await register());
    expect(pageOf(await personsBrowser().get(`${url}&other=1&other=2`)).status).toBe(200);
  });

  it('is not quoted on the page that refuses it', async () => {
    const client = await register();
    for (const name of ['response_type', 'code_challenge_method', 'resource', 'client_id', 'redirect_uri']) {
      const { url } = await authorizationRequest(client, { [name]: 'https://visit-evil.dev/now' });
      const shown = pageOf(await personsBrowser().get(url));
      expect(shown.status).toBe(400);
      expect(textOf(shown.html)).not.toContain('visit-evil');
    }
  });

  it('redirects no user before they have seen which client asks: neither strangers nor with prompt=none', async () => {
    const { url } = await authorizationRequest(await register(), { prompt: 'none', scope: 'nonsense' });
    expect(pageOf(await personsBrowser().get(url)).html).toContain('action="/sign-in"');
    expect(textOf(pageOf(await (await ownersBrowser()).get(url)).html)).toContain('Give access to client.acme.dev ?');
  });

  it.each([
    'https://client.acme.dev/callback/',
    'https://client.acme.dev/other',
    'https://client.acme.dev:8443/callback',
    'https://evil.dev/callback',
    'https://client.acme.dev.evil.dev/callback',
    'http://client.acme.dev/callback',
    'https://user@client.acme.dev/callback',
    'javascript:alert(1)',
    '//evil.dev',
    '',
  ])('never redirects to an address that was not registered: %s', async (redirect) => {
    const { url } = await authorizationRequest(await register(), { redirect_uri: redirect });
    const shown = pageOf(await personsBrowser().get(url));
    expect(shown.status).toBe(400);
    expect(textOf(shown.html)).toContain('This request cannot be answered');
  });

  it.each([
    ['http://127.0.0.1:6000/callback', true],
    ['http://127.0.0.1:5000/other', false],
    ['http://localhost:5000/callback', false],
    ['https://127.0.0.1:5000/callback', false],
    ['http://127.0.0.1.evil.dev:5000/callback', false],
  ])(
    'of a program on the own computer may name another port and no other change (RFC 8252 §7.3): %s',
    async (to, isFine) => {
      const client = await register({ redirect_uris: ['http://127.0.0.1:5000/callback'] });
      const { url } = await authorizationRequest(client, { redirect_uri: to });
      expect(pageOf(await personsBrowser().get(url)).status).toBe(isFine ? 200 : 400);
    },
  );

  it('from an unregistered client ends on a page', async () => {
    const { url } = await authorizationRequest({ id: 'nobody', redirect: REDIRECT });
    expect(pageOf(await personsBrowser().get(url)).status).toBe(400);
  });

  it.each([
    'https://127.0.0.1/client.json',
    'https://metadata.google.internal/c',
    'https://inside.acme.dev/client.json',
    'https://docs.acme.dev:22/client.json',
  ])('of a client that describes itself at %s ends on a page, and its token requests as invalid', async (id) => {
    const { url } = await authorizationRequest({ id, redirect: REDIRECT });
    const shown = pageOf(await personsBrowser().get(url));
    expect(shown.status).toBe(400);
    expect(textOf(shown.html)).toContain('The client is not known');
    const answers = [
      await tokenRequest({ grant_type: 'refresh_token', client_id: id, refresh_token: 'a:b:c' }),
      await tokenRequest({ token: 'a:b:c', client_id: id }, '/revoke'),
      await tokenRequest({ grant_type: 'refresh_token', refresh_token: 'a:b:c' }, '/token', {
        authorization: `Basic ${btoa(`${encodeURIComponent(id)}:x`)}`,
      }),
      await tokenRequest({
        grant_type: 'refresh_token',
        refresh_token: 'a:b:c',
        client_assertion: `e30.${btoa(JSON.stringify({ iss: id }))}.x`,
      }),
    ];
    for (const answer of answers) expect((await answer.json<{ error: string }>()).error).toBe('invalid_client');
  });
});

describe('the document of a client', () => {
  const visitsInside = async () => (await fetch('https://client.acme.dev/visits-inside')).json<number>();

  it.each(['moved-inside.json', 'moved.json'])('is not fetched from the target of a redirect: %s', async (name) => {
    const id = `https://client.acme.dev/oauth/${name}`;
    const { url } = await authorizationRequest({ id, redirect: REDIRECT });
    const shown = pageOf(await personsBrowser().get(url));
    expect(shown.status).toBe(400);
    expect(textOf(shown.html)).toContain('The client is not known');
    const answer = await tokenRequest({ grant_type: 'refresh_token', client_id: id, refresh_token: 'a:b:c' });
    expect(await errorOf(answer)).toBe('401 invalid_client');
    expect(await visitsInside()).toBe(0);
  });

  it('cannot name keys at a private address', async () => {
    const id = 'https://client.acme.dev/oauth/keys-inside.json';
    const { url, verifier } = await authorizationRequest({ id, redirect: REDIRECT });
    const browser = personsBrowser();
    const left = leftTo(await allow(browser, await consentPage(browser, url)));
    const now = Math.floor(Date.now() / 1_000);
    const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
    const claims = { iss: id, sub: id, aud: ORIGIN, iat: now, exp: now + 60, jti: crypto.randomUUID() };
    const answer = await tokenRequest({
      ...codeFields({ id, redirect: REDIRECT }, left.searchParams.get('code') ?? '', verifier),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part({ alg: 'ES256', typ: 'JWT', kid: 'a-key' })}.${part(claims)}.${'x'.repeat(86)}`,
    });
    expect(await errorOf(answer)).toBe('401 invalid_client');
    expect(await visitsInside()).toBe(0);
  });
});

describe('tokens', () => {
  it('are ignored in the query string', async () => {
    const { access_token: token } = await connect(personsBrowser(), await register());
    const response = await exports.default.fetch(`${MCP_URL}?access_token=${token}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });

  it('expire, and leave the connection to be refreshed', async () => {
    const tokens = await connect(personsBrowser(), await register());
    expect(await isAccepted(tokens.access_token)).toBe(true);
    const [subject, grant] = tokens.access_token.split(':');
    const { keys } = await env.OAUTH_KV.list({ prefix: `token:${subject}:${grant}:` });
    for (const { name } of keys) {
      const kept = await env.OAUTH_KV.get<Record<string, unknown>>(name, 'json');
      await env.OAUTH_KV.put(name, JSON.stringify({ ...kept, expiresAt: Math.floor(Date.now() / 1_000) - 1 }));
    }
    expect(keys).toHaveLength(1);
    const refused = await exports.default.fetch(MCP_URL, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}` },
      body: '{}',
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await isAccepted((await refresh(tokens)).access_token)).toBe(true);
  });

  it('extend their connection by being used: each refresh restarts its lifetime', async () => {
    const tokens = await connect(personsBrowser(), await register());
    const [subject, grant] = tokens.access_token.split(':');
    const name = `grant:${subject}:${grant}`;
    const kept = () => env.OAUTH_KV.get<{ expiresAt: number }>(name, 'json');
    const soon = Math.floor(Date.now() / 1_000) + 3_600;
    await env.OAUTH_KV.put(name, JSON.stringify({ ...(await kept()), expiresAt: soon }));
    await refresh(tokens);
    expect((await kept())?.expiresAt).toBeGreaterThan(soon + REFRESH_TOKEN_IDLE_TTL_SECONDS / 2);
  });

  it('cannot be refreshed by another client', async () => {
    const tokens = await connect(personsBrowser(), await register());
    await expect(refresh({ ...tokens, client: await register() })).rejects.toThrow('invalid_grant');
  });

  it('cannot be refreshed into more than was granted', async () => {
    const tokens = await connect(personsBrowser(), await register());
    const wider = await refresh(tokens, { scope: 'web:read cache:purge' }).catch(() => null);
    expect(wider?.scope ?? 'web:read').toBe('web:read');
  });

  it('can be ended at /revoke, which never creates one', async () => {
    const tokens = await connect(personsBrowser(), await register());
    const { client, refresh_token: token } = tokens;
    const misuse = await tokenRequest(
      { grant_type: 'refresh_token', client_id: client.id, refresh_token: token },
      '/revoke',
    );
    expect(await errorOf(misuse)).toBe('400 invalid_request');
    expect((await tokenRequest({ token, client_id: client.id }, '/revoke')).status).toBe(200);
    expect(await isAccepted(tokens.access_token)).toBe(false);
    await expect(refresh(tokens)).rejects.toThrow('invalid_grant');
  });

  it('of one client are valid side by side up to a number; then the oldest end', async () => {
    const client = await register();
    const browser = personsBrowser();
    const all = [];
    for (let n = 0; n < GRANTS_PER_CLIENT_MAX + 2; n += 1) all.push(await connect(browser, client));
    const { ownerSubject } = await deploymentIdentity(signInObject());
    const { items } = await oauthApi().listUserGrants(ownerSubject);
    expect(items.filter((grant) => grant.clientId === client.id)).toHaveLength(GRANTS_PER_CLIENT_MAX);
    const last = all.at(-1);
    expect(last !== undefined && (await isAccepted(last.access_token))).toBe(true);
  });

  it('of another person do not reveal the owner, because a subject is opaque', async () => {
    const tokens = await grantTokens('mallory', ['web:read']);
    const { ownerSubject } = await deploymentIdentity(signInObject());
    expect(ownerSubject).toMatch(/^o_[\w-]{22}$/);
    expect(tokens.access_token.startsWith('mallory:')).toBe(true);
    expect(await isAccepted(tokens.access_token.replace('mallory:', `${ownerSubject}:`))).toBe(false);
  });
});

describe('an open redirect', () => {
  it.each([
    'https://evil.dev/',
    '//evil.dev/',
    '/\\evil.dev',
    'javascript:alert(1)',
    '/mcp',
    'http://localhost@evil.dev/authorize',
    '/authorize/../x',
  ])('cannot be caused by the sign-in form: %s', async (next) => {
    const browser = personsBrowser();
    const form = pageOf(await browser.get(`${ORIGIN}/sign-in`));
    const after = pageOf(
      await browser.submit(form, '/sign-in', { passphrase: 'a passphrase made for tests only', next }),
    );
    expect(new URL(after.url).pathname).toBe('/');
  });

  it('can only lead to the target of the request itself', async () => {
    const { url } = await authorizationRequest(await register());
    const browser = personsBrowser();
    expect(pageOf(await signIn(browser, url)).url).toBe(url);
  });
});
