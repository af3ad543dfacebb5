import { describe, expect, it } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { makeAccessToken } from '#auth/people/access-tokens.ts';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import { parseConfig } from '#core/config/config.ts';
import { deployment } from '../../support/deployment.ts';
import type { Deployment } from '../../support/deployment.ts';
import { formFields, leftTo, pageOf, textOf } from '../../support/oauth-browser.ts';
import type { Browser, Shown } from '../../support/oauth-browser.ts';
import { allow, authorizationRequest, codeFields, ORIGIN, register } from '../../support/oauth-journey.ts';
import { accessTokens, personRows, signInObject } from '../../support/stored-people.ts';

const SETTINGS = { GITHUB_CLIENT_ID: 'c', GITHUB_CLIENT_SECRET: 's', ALLOWED_USERS: 'boss, octo' };
const BOSS: Account = { way: 'github', id: '1', login: 'boss', emails: [] };
const OCTO: Account = { way: 'github', id: '8', login: 'octo', emails: [] };
const BOTH = { scope: 'web:read cache:purge' };

const world = (settings = {}) =>
  deployment({ ...SETTINGS, ...settings }, () => Promise.reject(new Error('nothing is asked')));

/** A browser in which the account has signed in before. */
async function browserOf(at: Deployment, account: Account): Promise<Browser> {
  const { secret } = await deploymentIdentity(signInObject());
  const kept = createSignInCookies(secret, parseConfig(SETTINGS), cookieJar(ORIGIN), Date.now, personRows());
  const browser = at.browser();
  for (const line of await kept.open({ subject: `u_${account.way === 'github' ? account.id : ''}`, account })) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  return browser;
}

const offered = (page: Shown) => [...page.html.matchAll(/name="scope" value="([^"]+)"/gu)].map(([, scope]) => scope);

/** The caller that `/mcp` reports for a token. */
async function callerWith(at: Deployment, token: string): Promise<unknown> {
  return (await at.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })).json();
}

/** Allows everything on the page. @returns the scope of the token */
async function grantedTo(at: Deployment, browser: Browser): Promise<string> {
  const client = await register();
  const { url, verifier } = await authorizationRequest(client, BOTH);
  const page = pageOf(await browser.get(url));
  const left = leftTo(await allow(browser, page, { scope: ['web:read', 'cache:purge'] }));
  const exchanged = await at.fetch(`${ORIGIN}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(codeFields(client, left.searchParams.get('code') ?? '', verifier)).toString(),
  });
  return (await exchanged.json<{ scope: string }>()).scope;
}

describe('the permission to delete pages for everyone', () => {
  it('is offered to an owner on the consent page; other people learn who could allow it', async () => {
    const at = world();
    const { url } = await authorizationRequest(await register(), BOTH);
    const owners = pageOf(await (await browserOf(at, BOSS)).get(url));
    expect(offered(owners)).toContain('cache:purge');
    expect(textOf(owners.html)).not.toContain('only the owner');
    const others = pageOf(await (await browserOf(at, OCTO)).get(url));
    expect(offered(others)).toContain('web:read');
    expect(offered(others)).not.toContain('cache:purge');
    expect(textOf(others.html)).toContain('also asks for cache:purge , which only the owner of this server can allow');
    const unasked = await authorizationRequest(await register());
    const plain = pageOf(await (await browserOf(at, OCTO)).get(unasked.url));
    expect(textOf(plain.html)).not.toContain('cache:purge');
  });

  it('can be granted only by an owner, whatever is posted', async () => {
    const at = world();
    expect(await grantedTo(at, await browserOf(at, BOSS))).toBe('web:read cache:purge');
    expect(await grantedTo(at, await browserOf(at, OCTO))).toBe('web:read');
  });

  it('is in no access token that another user makes', async () => {
    const at = world();
    const browser = await browserOf(at, OCTO);
    const page = pageOf(await browser.get(`${ORIGIN}/console/tokens`));
    expect(offered(page)).not.toContain('cache:purge');
    const fields = formFields(page.html, '/console/tokens').filter(([name]) => name !== 'scope' && name !== 'name');
    const wish: [string, string][] = [...fields, ['name', 'sweeper'], ['scope', 'cache:purge']];
    expect(pageOf(await browser.post('/console/tokens', wish)).status).toBe(400);
    const owners = await browserOf(at, BOSS);
    expect(offered(pageOf(await owners.get(`${ORIGIN}/console/tokens`)))).toContain('cache:purge');
  });

  it('ends with ownership: a token keeps its other permissions', async () => {
    const wish = { name: 'of an owner', scopes: ['web:read', 'cache:purge'] as const, days: 1 };
    const made = await makeAccessToken(accessTokens(), { subject: 'u_1', account: BOSS }, wish, Date.now());
    const token = made?.token ?? '';
    expect(await callerWith(world(), token)).toMatchObject({ scopes: ['web:read', 'cache:purge'] });
    expect(await callerWith(world({ ALLOWED_USERS: 'octo, boss' }), token)).toMatchObject({ scopes: ['web:read'] });
  });
});
