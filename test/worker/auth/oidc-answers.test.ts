import { describe, expect, it } from 'vitest';
import type { Wrongs } from '../../support/fake-provider.ts';
import { textOf } from '../../support/oauth-browser.ts';
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
import { signInObject } from '../../support/stored-people.ts';

describe('an answer of the provider', () => {
  const now = Math.floor(Date.now() / 1000);
  const wrongs: [string, Wrongs][] = [
    ['with the nonce of another sign-in', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another client', { claims: { aud: 'another-client' } }],
    ['for several clients, made for another', { claims: { aud: ['periscope-at-the-provider', 'x'], azp: 'x' } }],
    ['for several clients, made for nobody', { claims: { aud: ['periscope-at-the-provider', 'x'] } }],
    ['of another issuer', { claims: { iss: 'https://evil.dev' } }],
    ['that has expired', { claims: { iat: now - 900, exp: now - 600 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a time', { claims: { iat: undefined } }],
    ['from the future', { claims: { iat: now + 7_200, exp: now + 10_800 } }],
    ['that is not valid yet', { claims: { nbf: now + 7_200 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['that is not signed', { signature: 'none' }],
    [
      'that is not signed, at a provider that says it may be',
      { signature: 'none', metadata: { id_token_signing_alg_values_supported: ['none', 'ES256'] } },
    ],
    ['signed with the public key as a shared secret', { signature: 'hmac' }],
    [
      'signed with a shared secret, at a provider that says it may be',
      { signature: 'hmac', metadata: { id_token_signing_alg_values_supported: ['HS256'] } },
    ],
    ['signed with a key nobody published', { signature: 'unpublished' }],
    [
      'signed with another algorithm than announced',
      { metadata: { id_token_signing_alg_values_supported: ['RS256'] } },
    ],
    ['with a key that it brings along', { signature: 'unpublished', header: { kid: 'own', jwk: { kty: 'EC' } } }],
  ];

  it.each(wrongs)('%s is refused', async (_, wrong) => {
    const { provider, at } = await world();
    provider.wrongs = wrong;
    const browser = at.browser();
    const page = expectRefused(await signInAs(provider, browser, ANA), browser, at);
    expect(textOf(page.html)).toContain('does not prove who you are');
    expect(at.refusals).toEqual([expect.stringMatching(/^upstream_refused:\w+$/)]);
    provider.wrongs = {};
    await signInAs(provider, browser, ANA);
    expect(isSignedIn(browser)).toBe(true);
  });

  it('that names another issuer, or none, is refused before its code is used (mix-up)', async () => {
    for (const iss of ['https://evil.dev', 'https://login-0.acme.dev/tenant', null]) {
      const { provider, at } = await world();
      const browser = at.browser();
      const back = provider.authorize(await sentTo(browser), ANA);
      if (iss === null) back.searchParams.delete('iss');
      else back.searchParams.set('iss', iss);
      expectRefused(await browser.get(back.href), browser, at);
      expect(provider.asked.get('/token')).toBeUndefined();
    }
  });

  it('works once, only in the browser that requested it, and only for its own state', async () => {
    const { provider, at } = await world();
    const browser = at.browser();
    const away = await sentTo(browser);
    const back = provider.authorize(away, ANA);
    const stranger = at.browser();
    expectRefused(await stranger.get(back.href), stranger, at);
    await sentTo(stranger);
    expectRefused(await stranger.get(back.href), stranger, at);
    const other = new URL(back);
    other.searchParams.set('state', 'another');
    expectRefused(await browser.get(other.href), browser, at);
    expect(provider.asked.get('/token')).toBeUndefined();

    await browser.get(back.href);
    expect(isSignedIn(browser)).toBe(true);
    browser.cookies.delete(SESSION);
    const again = provider.authorize(away, ANA);
    expect(textOf(expectRefused(await browser.get(again.href), browser, at).html)).toContain('Start again');
  });

  it('that arrives twice at once signs in once', async () => {
    const { provider, at } = await world();
    const browser = at.browser();
    const back = provider.authorize(await sentTo(browser), ANA).href;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const both = await Promise.all([1, 2].map(() => at.fetch(back, { headers: { cookie } })));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([302, 400]));
    expect(provider.asked.get('/token')).toBe(1);
  });

  it('that arrives too late finds no stored start', async () => {
    const port = signInObject();
    await port.saveUpstream('in time', 'kept', 60_000);
    await port.saveUpstream('too late', 'kept', 0);
    expect([await port.takeUpstream('too late'), await port.takeUpstream('in time')]).toEqual([null, 'kept']);
    expect(await port.takeUpstream('in time')).toBeNull();
  });

  it('at the address of another way to sign in is refused', async () => {
    const { provider } = await world();
    const at = deploymentOf(provider, { GITHUB_CLIENT_ID: 'c', GITHUB_CLIENT_SECRET: 's' });
    const browser = at.browser();
    const back = provider.authorize(await sentTo(browser), ANA);
    back.pathname = '/sign-in/github/callback';
    expect(expectRefused(await browser.get(back.href), browser, at).status).toBe(400);
  });

  it('with a missing or repeated state or code is refused', async () => {
    const { provider, at } = await world();
    for (const change of [
      (back: URL) => back.searchParams.append('code', 'x'),
      (back: URL) => back.searchParams.append('state', 'x'),
      (back: URL) => back.searchParams.delete('code'),
      (back: URL) => back.searchParams.delete('state'),
      (back: URL) => back.searchParams.set('code', 'x'),
      (back: URL) => (back.search = ''),
    ]) {
      const browser = at.browser();
      const back = provider.authorize(await sentTo(browser), ANA);
      change(back);
      expect(expectRefused(await browser.get(back.href), browser, at).status).toBe(400);
    }
  });

  it("that reports a refusal by the user leads to a page in the server's own words", async () => {
    const { provider, at } = await world();
    for (const [error, words] of [
      ['access_denied', 'was cancelled'],
      ['<script>alert(1)</script>', 'does not prove who you are'],
    ] as const) {
      const browser = at.browser();
      const back = provider.authorize(await sentTo(browser), ANA);
      back.searchParams.delete('code');
      back.searchParams.set('error', error);
      back.searchParams.set('error_description', 'UNCONTROLLED');
      const page = expectRefused(await browser.get(back.href), browser, at);
      expect(textOf(page.html)).toContain(words);
      expect(page.html).not.toContain('alert(1)');
      await signInAs(provider, browser, ANA);
      expect(isSignedIn(browser)).toBe(true);
    }
  });
});
