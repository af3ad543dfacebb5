import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import worker from '#index.ts';
import type { Ended } from '#support/every-call-site.ts';
import { deed, describeDeeds, shown } from '#support/faulty-deeds.ts';
import { Browser, leftTo, pageOf } from '#support/oauth-browser.ts';
import type { Shown } from '#support/oauth-browser.ts';
import { allow, authorizationRequest, codeFields, ORIGIN, register } from '#support/oauth-journey.ts';
import { ANA, deploymentOf, wayOn, world } from '#support/provider-world.ts';

/** A person whom a client has sent here, on the page that asks her to sign in. No isolate has served her deployment yet. */
async function sentHere() {
  const { provider } = await world();
  const client = await register();
  const asked = await authorizationRequest(client);
  const browser = deploymentOf(provider).browser();
  const page = pageOf(await browser.get(asked.url));
  return { provider, client, ...asked, page, at: deploymentOf(provider), cookies: browser.cookies };
}

type Sent = Awaited<ReturnType<typeof sentHere>> & { browser: Browser };

async function onSignInPage(): Promise<Sent> {
  const sent = await sentHere();
  return { ...sent, browser: sameIn(sent) };
}

/** Her browser, as what was not yet asked for anything sees it. */
function sameIn({ at, cookies }: Awaited<ReturnType<typeof sentHere>>): Browser {
  const browser = at.browser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

const leave = ({ browser }: Sent, page: Shown) => browser.submit(page, '/sign-in/upstream', { way: 'oidc' });

async function onTheWayBack(): Promise<Sent & { back: string }> {
  const sent = await onSignInPage();
  const first = deploymentOf(sent.provider).browser();
  for (const [name, value] of sent.cookies) first.cookies.set(name, value);
  const away = leftTo(await leave({ ...sent, browser: first }, sent.page));
  for (const [name, value] of first.cookies) sent.browser.cookies.set(name, value);
  return { ...sent, back: sent.provider.authorize(away, ANA).href };
}

/** Follows what a page says about going on, as far as the consent page. */
async function goesOn(sent: Sent, { ok, text }: Ended): Promise<Shown> {
  const { browser, provider, page: start, url } = sent;
  // Without a link to continue, the page asks her to go back: to the form, or to the client.
  const to = ok ? url : wayOn({ html: text });
  const isBack = to === `${ORIGIN}/` && text.includes('Go back');
  const isClient = text.includes('go back to it and connect again');
  const page = isBack ? start : pageOf(await browser.get(isClient ? url : to));
  if (page.status >= 400) return goesOn(sent, { ok: false, text: page.html });
  if (!page.html.includes('action="/sign-in/upstream"')) return page;
  return pageOf(await browser.get(provider.authorize(leftTo(await leave(sent, page)), ANA).href));
}

/** The problem with her last page; `null` if it is consent to her client, followed by a token that works. */
async function endsWell(sent: Sent, ended: Ended): Promise<string | null> {
  const { at, client, verifier, url, browser } = sent;
  const consent = await goesOn(sent, ended);
  if (consent.url !== url) return `she ends at ${consent.url}`;
  const code = leftTo(await allow(browser, consent)).searchParams.get('code') ?? '';
  const body = new URLSearchParams(codeFields(client, code, verifier)).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const exchanged = await at.fetch(`${ORIGIN}/token`, { method: 'POST', headers, body });
  const { access_token: token } = await exchanged.json<{ access_token?: string }>();
  const called = await at.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  const { keys } = await env.OAUTH_KV.list({ prefix: 'grant:' });
  if (called.status !== 200) return 'the token that was given does not work';
  return keys.length === 1 ? null : `${keys.length} grants are stored`;
}

describeDeeds({
  'the first page of an isolate': deed({
    prepare: async () => {
      const fresh = { ...env };
      return new Browser(ORIGIN, async (url, init) =>
        worker.fetch(new Request(url, init), fresh, createExecutionContext()),
      );
    },
    run: (browser) => shown(browser.get(`${ORIGIN}/sign-in`)),
    left: async (browser, { ok, text }) => {
      const page = pageOf(await browser.get(ok ? `${ORIGIN}/sign-in` : wayOn({ html: text })));
      return page.html.includes('action="/sign-in"') ? null : 'the way on does not lead to the page';
    },
  }),
  'leaving for a provider': deed({
    prepare: onSignInPage,
    run: (sent) => shown(leave(sent, sent.page)),
    left: endsWell,
  }),
  'coming back from a provider': deed({
    prepare: onTheWayBack,
    run: ({ browser, back }) => shown(browser.get(back)),
    left: endsWell,
  }),
});
