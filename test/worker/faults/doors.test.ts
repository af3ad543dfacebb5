import { createScheduledController, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import worker from '#index.ts';
import type { Ended } from '#support/every-call-site.ts';
import { deed, describeDeeds, nothingLeft, shown, told } from '#support/faulty-deeds.ts';
import { grantTokens } from '#support/grants.ts';
import { MCP_URL } from '#support/mcp-call.ts';
import { leftTo, pageOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import {
  allow,
  authorizationRequest,
  codeFields,
  consentPage,
  ORIGIN,
  PASSPHRASE,
  personsBrowser,
  REDIRECT,
  register,
  tokenRequest,
} from '#support/oauth-journey.ts';

async function signedIn(path = '/console'): Promise<Browser> {
  const browser = personsBrowser();
  await browser.submit(pageOf(await browser.get(ORIGIN + path)), '/sign-in', { passphrase: PASSPHRASE });
  return browser;
}

async function onConsentPage() {
  const client = await register();
  const asked = await authorizationRequest(client);
  const browser = personsBrowser();
  return { client, browser, ...asked, page: await consentPage(browser, asked.url) };
}

async function codeOf({ browser, page }: Awaited<ReturnType<typeof onConsentPage>>): Promise<string> {
  return leftTo(await allow(browser, page)).searchParams.get('code') ?? '';
}

async function worksAt(token: unknown): Promise<boolean> {
  const headers = { authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return (await exports.default.fetch(MCP_URL, { method: 'POST', headers, body })).status !== 401;
}

const fieldsOf = ({ text }: Ended): Record<string, unknown> => JSON.parse(text);

/** A token that was promised must work; where none was, asking again must give one. */
async function tokenLeft(ended: Ended, again: () => Promise<Response>): Promise<string | null> {
  const { ok, text } = ended.ok ? ended : await told(again());
  if (!ok) return `asking again: ${text}`;
  return (await worksAt(fieldsOf({ ok, text })['access_token'])) ? null : 'the token that was given does not work';
}

async function clientsUncounted(): Promise<string | null> {
  const { keys } = await env.OAUTH_KV.list({ prefix: 'client:' });
  const counted = await runInDurableObject(env.DEPLOYMENT.get(env.DEPLOYMENT.idFromName('deployment')), (_, state) =>
    state.storage.sql.exec<{ id: string }>('SELECT id FROM unused_clients').toArray(),
  );
  const known = new Set(counted.map(({ id }) => `client:${id}`));
  const uncounted = keys.filter(({ name }) => !known.has(name));
  return uncounted.length === 0 ? null : `${uncounted.length} clients that nobody counts`;
}

const listed = async () => {
  const { results } = await env.DB.prepare('SELECT id, name FROM access_tokens').all<{ id: string; name: string }>();
  return results;
};

const DEEDS = {
  'exchanging a code': deed({
    prepare: async () => {
      const asked = await onConsentPage();
      return codeFields(asked.client, await codeOf(asked), asked.verifier);
    },
    run: (fields) => told(tokenRequest(fields)),
    left: (fields, ended) => tokenLeft(ended, () => tokenRequest(fields)),
  }),
  'renewing a token': deed({
    prepare: async () => {
      const { client, refresh_token } = await grantTokens('somebody-who-renews', ['web:read']);
      return { grant_type: 'refresh_token', client_id: client.id, refresh_token };
    },
    run: (fields) => told(tokenRequest(fields)),
    left: (fields, ended) => tokenLeft(ended, () => tokenRequest(fields)),
  }),
  'ending a token': deed({
    prepare: async () => {
      const { client, access_token: token } = await grantTokens('somebody-who-ends', ['web:read']);
      return { client_id: client.id, token };
    },
    run: (fields) => told(tokenRequest(fields, '/revoke')),
    left: async ({ token }, { ok }) => (ok && (await worksAt(token)) ? 'the token still works' : null),
  }),
  registering: deed({
    prepare: async () => undefined,
    run: () => {
      const body = JSON.stringify({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' });
      const headers = { 'content-type': 'application/json' };
      return told(exports.default.fetch(`${ORIGIN}/register`, { method: 'POST', headers, body }));
    },
    left: async (_, { ok, text }) => {
      if (!ok) return clientsUncounted();
      const client = { id: String(fieldsOf({ ok, text })['client_id']), redirect: REDIRECT };
      const { url } = await authorizationRequest(client);
      return pageOf(await personsBrowser().get(url)).status === 200 ? null : 'the client is not known';
    },
  }),
  'the sign-in page': deed({
    prepare: async () => personsBrowser(),
    run: (browser) => shown(browser.get(`${ORIGIN}/sign-in`)),
    left: nothingLeft,
  }),
  'signing in': deed({
    prepare: async () => {
      const browser = personsBrowser();
      // Continues to a page that asks nothing of the platform, so that the result is that of signing in.
      return { browser, page: pageOf(await browser.get(`${ORIGIN}/sign-in?next=/`)) };
    },
    run: ({ browser, page }) => shown(browser.submit(page, '/sign-in', { passphrase: PASSPHRASE })),
    left: async ({ browser }, { ok }) => {
      const { html } = pageOf(await browser.get(`${ORIGIN}/console`));
      return ok === html.includes('action="/sign-out"') ? null : 'what was said of being signed in is not so';
    },
  }),
  'signing out': deed({
    prepare: async () => {
      const browser = await signedIn();
      const cookies = new Map(browser.cookies);
      return { browser, cookies, page: pageOf(await browser.get(`${ORIGIN}/console`)) };
    },
    run: ({ browser, page }) => shown(browser.submit(page, '/sign-out', {})),
    left: async ({ browser, cookies }, { ok }) => {
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      const { html } = pageOf(await browser.get(`${ORIGIN}/console`));
      return !ok || html.includes('action="/sign-in"')
        ? null
        : 'the cookie still works after it was said that it does not';
    },
  }),
  'the consent page': deed({
    prepare: async () => {
      const browser = await signedIn();
      return { browser, url: (await authorizationRequest(await register())).url };
    },
    run: ({ browser, url }) => shown(browser.get(url)),
    left: nothingLeft,
  }),
  allowing: deed({
    prepare: onConsentPage,
    run: ({ browser, page }) => shown(allow(browser, page)),
    left: async ({ client, verifier, browser, url }, { ok, text }) => {
      const to = ok ? text : leftTo(await allow(browser, pageOf(await browser.get(url)))).href;
      const code = new URL(to).searchParams.get('code') ?? '';
      const { status } = await tokenRequest(codeFields(client, code, verifier));
      return status === 200 ? null : 'the code that was given is worth nothing';
    },
  }),
  denying: deed({
    prepare: onConsentPage,
    run: ({ browser, page }) => shown(browser.submit(page, '/authorize', { decision: 'deny' })),
    left: nothingLeft,
  }),
  'the console': deed({
    prepare: () => signedIn(),
    run: (browser) => shown(browser.get(`${ORIGIN}/console`)),
    left: nothingLeft,
  }),
  'the page of tokens': deed({
    prepare: () => signedIn(),
    run: (browser) => shown(browser.get(`${ORIGIN}/console/tokens`)),
    left: nothingLeft,
  }),
  'making a token': deed({
    prepare: async () => {
      const browser = await signedIn();
      const name = crypto.randomUUID();
      return { browser, name, page: pageOf(await browser.get(`${ORIGIN}/console/tokens`)) };
    },
    run: ({ browser, page, name }) => shown(browser.submit(page, '/console/tokens', { name })),
    left: async ({ name }, { ok, text }) => {
      const made = (await listed()).filter((token) => token.name === name);
      if (!ok) return made.length === 0 ? null : 'a token is on the list that nobody was shown';
      const token = /psc_[\w-]{43}/.exec(text)?.[0];
      return made.length === 1 && (await worksAt(token)) ? null : 'the token that was shown does not work';
    },
  }),
  'ending an access token': deed({
    prepare: async () => {
      const browser = await signedIn();
      const name = crypto.randomUUID();
      const page = pageOf(await browser.get(`${ORIGIN}/console/tokens`));
      await browser.submit(page, '/console/tokens', { name });
      const id = (await listed()).find((token) => token.name === name)?.id ?? '';
      const tokens = pageOf(await browser.get(`${ORIGIN}/console/tokens`));
      const asked = pageOf(await browser.submit(tokens, '/console/tokens/revoke', { id }));
      return { browser, id, asked };
    },
    run: ({ browser, asked }) => shown(browser.submit(asked, '/console/tokens/revoke', {})),
    left: async ({ id }, { ok }) =>
      ok && (await listed()).some((token) => token.id === id) ? 'it is said to be gone, and is not' : null,
  }),
  'the hourly trigger': deed({
    prepare: async () => undefined,
    // Its failures are in the log. It ends anyway, and so does the next one.
    run: async () => {
      await worker.scheduled(createScheduledController(), env);
      return { ok: true, text: '' };
    },
    left: nothingLeft,
  }),
};

/**
 * Losses that cannot be prevented: the platform carried out the last call, lost the answer, and accepted nothing more.
 */
const LOST: Readonly<Record<string, RegExp>> = {
  'exchanging a code': /invalid_grant/,
  'making a token': /a token is on the list/,
  registering: /clients that nobody counts/,
};

describeDeeds(DEEDS, LOST);
