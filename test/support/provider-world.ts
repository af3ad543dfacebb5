import { expect } from 'vitest';
import { deployment } from './deployment.ts';
import type { Deployment } from './deployment.ts';
import { fakeProvider } from './fake-provider.ts';
import type { Algorithm, FakeProvider } from './fake-provider.ts';
import type { Browser, Shown, Visit } from './oauth-browser.ts';
import { leftTo, pageOf } from './oauth-browser.ts';
import { ORIGIN } from './oauth-journey.ts';

/** The user who signs in, as the provider knows her. */
export const ANA = { sub: 'sub-ana', email: 'ana@acme.dev', email_verified: true };

let providers = 0;

/** A new provider, and a deployment at which users sign in with it. */
export async function world(settings: Record<string, string> = {}, algorithm: Algorithm = 'ES256') {
  providers += 1;
  const provider = await fakeProvider(`https://login-${providers}.acme.dev/tenant`, algorithm);
  return { provider, at: deploymentOf(provider, settings) };
}

export function deploymentOf(provider: FakeProvider, settings: Record<string, string> = {}): Deployment {
  const own = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    ALLOWED_USERS: 'ana@acme.dev, @friends.dev, sub-of-a-friend',
  };
  return deployment({ ...own, ...settings }, provider.fetch);
}

/** The address of the provider that the sign-in page redirects to. */
export async function sentTo(browser: Browser, start = `${ORIGIN}/sign-in`): Promise<URL> {
  const page = pageOf(await browser.get(start));
  return leftTo(await browser.submit(page, '/sign-in/upstream', { way: 'oidc' }));
}

export const SESSION = 'periscope--session';
export const isSignedIn = (browser: Browser) => browser.cookies.has(SESSION);

/** The address that an error page links to. */
export function wayOn({ html }: { html: string }): string {
  const [, href = ''] = /<main[^>]*>[^]*<a href="([^"]*)"/.exec(html) ?? [];
  return new URL(href.replaceAll('&amp;', '&'), ORIGIN).href;
}

export async function signInAs(
  provider: FakeProvider,
  browser: Browser,
  person: Record<string, unknown>,
): Promise<Visit> {
  return browser.get(provider.authorize(await sentTo(browser), person).href);
}

/** Expects an error page in our own words, and no unexpected error. */
export function expectRefused(visit: Visit, browser: Browser, { unexpected }: Deployment): Shown {
  const page = pageOf(visit);
  expect([400, 403, 502]).toContain(page.status);
  expect(page.html).not.toMatch(/UNCONTROLLED|sub-ana|ana@acme\.dev/);
  expect(new URL(wayOn(page)).pathname).toBe('/sign-in');
  expect(isSignedIn(browser)).toBe(false);
  expect(unexpected).toEqual([]);
  return page;
}
