import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { buildScopeCheckboxes } from '#auth/people/scopes.ts';
import { abilitiesOf } from '#core/abilities.ts';
import { parseConfig } from '#core/config/config.ts';
import { offeredScopes } from '#tools/catalog.ts';
import { SCOPES } from '#core/principal.ts';
import { Browser, formFields, leftTo, pageOf, textOf } from '../../support/oauth-browser.ts';
import type { Shown } from '../../support/oauth-browser.ts';
import {
  allow,
  authorizationRequest,
  connect,
  consentPage,
  exchange,
  ORIGIN,
  personsBrowser,
  REDIRECT,
  register,
} from '../../support/oauth-journey.ts';
import type { Client } from '../../support/oauth-journey.ts';

const CLAIMS = [
  'Verified as published by claude.ai',
  'Claude”? Verified as published by claude.ai. “',
  'claude.ai is trusted',
];

/** The page's own words: everything except the client's words, which are marked. */
function ownWordsOf({ html }: Shown): string {
  return textOf(
    html.replaceAll(/<bdi class="claimed">“[^”]*”<\/bdi>/gu, '').replaceAll(/aria-label="[^"]*“[^”"]*”"/gu, ''),
  );
}

async function askedBy(client: Client, changes: Record<string, string | null> = {}, browser = personsBrowser()) {
  const { url, verifier } = await authorizationRequest(client, changes);
  return { browser, url, verifier, page: await consentPage(browser, url) };
}

const ticked = (html: string) =>
  formFields(html, '/authorize').flatMap(([name, value]) => (name === 'scope' ? [value] : []));
const offered = (html: string) => [...html.matchAll(/name="scope" value="([^"]+)"/gu)].map(([, scope]) => scope);

describe('the consent page', () => {
  it('names the client, warns that its name is unverified, and shows where access goes', async () => {
    const { page } = await askedBy(await register({ client_name: 'Quite <b>Bold</b> & "quoted"' }));
    expect(page.html).toContain('“Quite &lt;b&gt;Bold&lt;/b&gt; &amp; &#39;quoted&#39;”');
    expect(textOf(page.html)).toContain('It asks to use Periscope on localhost for you.');
    expect(textOf(page.html)).toContain('Access lasts until you end it on the Clients page of the console');
    expect(textOf(page.html)).toMatch(
      /Access goes to client\.acme\.dev Client Not verified\. Nobody vouches for what it calls itself\./,
    );
  });

  it('confirms the host of a client that is described at its own address', async () => {
    const client = { id: 'https://client.acme.dev/oauth/client.json', redirect: REDIRECT };
    const { page, browser, verifier } = await askedBy(client);
    expect(textOf(page.html)).toContain('Verified as published by client.acme.dev');
    const left = leftTo(await allow(browser, page));
    const { scope } = await exchange(client, left.searchParams.get('code') ?? '', verifier);
    expect(scope.split(' ').toSorted()).toEqual(ticked(page.html).toSorted());
  });

  it.each(['someone-elses.json', 'no-json', 'not-there'])('is not shown for an invalid document: %s', async (name) => {
    const { url } = await authorizationRequest({ id: `https://client.acme.dev/oauth/${name}`, redirect: REDIRECT });
    const page = pageOf(await personsBrowser().get(url));
    expect(page.status).toBe(400);
    expect(textOf(page.html)).toContain('The client is not known');
  });

  it('warns of a program on the own computer', async () => {
    const { page } = await askedBy(await register({ redirect_uris: ['http://127.0.0.1:5000/callback'] }));
    expect(textOf(page.html)).toContain('Allow it only if you have just started connecting from there');
    expect(page.html).not.toContain('name="quiet"');
  });

  it('names the scheme of an app, never a host that its address has, and asks each time', async () => {
    const uri = 'cursor://accounts.bank.dev/verified';
    const client = await register({ redirect_uris: [uri], client_name: 'Cursor' });
    const { url } = await authorizationRequest(client);
    const browser = personsBrowser();
    const asked = textOf(pageOf(await browser.get(url)).html);
    expect(asked).toContain('A client at cursor: (an app on this device) wants to connect');
    const page = await consentPage(browser, url);
    const text = textOf(page.html);
    expect(text).toContain('Give access to the app that opens cursor: links ?');
    expect(text).toContain('Access goes to cursor: – an app on this device, not a web site');
    expect(text).toContain('Allow it only if you have just started connecting from that app');
    expect(text).toContain('Not verified.');
    for (const shown of [asked, text]) expect(shown).not.toMatch(/bank|verified(?! –)\b(?<!Not verified)/);
    expect(page.html).not.toContain('name="quiet"');
    const left = leftTo(await allow(browser, page, { quiet: 'yes' }));
    expect(left.href).toMatch(/^cursor:\/\/accounts\.bank\.dev\/verified\?code=/);
    expect(left.searchParams.get('state')).toBe('the-state');
    expect(pageOf(await browser.get(url)).html).toContain('Give access to');
    const clients = textOf(pageOf(await browser.get(`${ORIGIN}/console/clients`)).html);
    expect(clients).toContain('cursor: (an app on this device)');
    expect(clients).not.toContain('bank');
  });

  it('is shown for an app of a document, and not for addresses of other kinds that it lists', async () => {
    const id = 'https://client.acme.dev/oauth/apps.json';
    const { page } = await askedBy({ id, redirect: 'cursor://x/cb' });
    expect(textOf(page.html)).toContain('Verified as published by client.acme.dev');
    for (const redirect of ['intent://x/cb', 'view-source:https://x.dev/', 'webcal://x.dev/cb', 'myapp://cb']) {
      for (const changes of [{}, { code_challenge: null }, { response_type: 'token' }]) {
        const shown = pageOf(await personsBrowser().get((await authorizationRequest({ id, redirect }, changes)).url));
        expect(shown.status).toBe(400);
        expect(shown.html).not.toContain(new URL(redirect).protocol);
        expect(shown.html).not.toContain('Tell the client');
      }
    }
  });

  it('lets an app redeem its code, and reports a refusal to it, at its own address alone', async () => {
    const uri = 'com.example.app:/oauth2redirect';
    const client = await register({ redirect_uris: [uri] });
    const browser = personsBrowser();
    const tokens = await connect(browser, client);
    expect(tokens.scope).toContain('web:read');
    const denied = await askedBy(client, {}, browser);
    const left = leftTo(await browser.submit(denied.page, '/authorize', { decision: 'deny' }));
    expect([left.protocol, left.searchParams.get('error')]).toEqual(['com.example.app:', 'access_denied']);
    for (const other of [
      'com.example.app:/other',
      'com.example.app:/oauth2redirect?x',
      'com.example.ap:/oauth2redirect',
    ]) {
      const { url } = await authorizationRequest(client, { redirect_uri: other });
      const shown = pageOf(await browser.get(url));
      expect(shown.status).toBe(400);
      expect(shown.html).not.toContain('com.example');
    }
  });

  it('shows a name without characters that reverse, hide or extend it', async () => {
    const { page } = await askedBy(await register({ client_name: `Evil\u202eedualC\u200b\n${'x'.repeat(180)}` }));
    const name = /<bdi class="claimed">(.*?)<\/bdi>/su.exec(page.html)?.[1] ?? '';
    expect(name).toContain('EviledualC');
    expect(name.length).toBeLessThan(120);
  });

  it.each(CLAIMS)('shows no sentence that the client wants it to show: %s', async (claim) => {
    const client = await register({ client_name: claim });
    const { url } = await authorizationRequest(client);
    const browser = personsBrowser();
    const asked = pageOf(await browser.get(url));
    expect(textOf(asked.html)).toContain('A client at client.acme.dev wants to connect');
    const again = pageOf(await browser.submit(asked, '/sign-in', { passphrase: 'wrong' }));
    for (const { html } of [asked, again]) expect(textOf(html)).not.toMatch(/verified|trusted|claude/i);
    const page = await consentPage(browser, url);
    expect(ownWordsOf(page)).toContain('Give access to client.acme.dev');
    expect(ownWordsOf(page)).toContain('Not verified.');
    expect(ownWordsOf(page)).not.toMatch(/claude|trusted|Verified as/);
    leftTo(await allow(browser, page));
    for (const place of ['/console', '/console/clients', '/console/activity', '/console/tokens']) {
      expect(ownWordsOf(pageOf(await browser.get(ORIGIN + place)))).not.toMatch(/claude|trusted|Verified as/);
    }
    const clients = pageOf(await browser.get(`${ORIGIN}/console/clients`));
    const card = clients.html.split('<li>').find((one) => one.includes('claude.ai')) ?? '';
    expect(textOf(card)).toMatch(/^ ?client\.acme\.dev not verified calls itself “[^”]*claude\.ai[^”]*” /);
  });

  it('cannot be framed, runs no script and is not cached', async () => {
    const { page } = await askedBy(await register());
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.html).not.toMatch(/<script|\son\w+=|style="/iu);
  });
});

describe('a decision', () => {
  it('to allow grants exactly what is ticked', async () => {
    const asked = await askedBy(await register(), { scope: 'web:read cache:purge' });
    expect(ticked(asked.page.html)).toContain('web:read');
    expect(ticked(asked.page.html)).not.toContain('cache:purge');
    const left = leftTo(await allow(asked.browser, asked.page, { scope: ['web:read'] }));
    expect(left.searchParams.get('iss')).toBe(ORIGIN);
    expect(left.searchParams.get('state')).toBe('the-state');
  });

  it('covers only permissions that exist, whatever is posted or requested', async () => {
    const client = await register();
    const { browser, page, verifier } = await askedBy(client, { scope: 'web:read admin openid offline_access' });
    const posted = { scope: ['web:read', 'admin', 'browser:everything', 'offline_access'] };
    const left = leftTo(await allow(browser, page, posted));
    const { scope } = await exchange(client, left.searchParams.get('code') ?? '', verifier);
    expect(scope.split(' ').sort()).toEqual(['offline_access', 'web:read']);
  });

  it('to deny is reported to the client, with iss and state', async () => {
    const { browser, page } = await askedBy(await register());
    const left = leftTo(await browser.submit(page, '/authorize', { decision: 'deny' }));
    expect(left.origin + left.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(left.searchParams)).toMatchObject({
      error: 'access_denied',
      iss: ORIGIN,
      state: 'the-state',
    });
  });

  it('without a ticked scope is no decision: the page can be used again', async () => {
    const { browser, page } = await askedBy(await register());
    const empty = pageOf(await allow(browser, page, { scope: null }));
    expect(empty.status).toBe(400);
    expect(leftTo(await allow(browser, page)).searchParams.get('code')).not.toBeNull();
  });

  it('counts once, and only in the browser that was asked', async () => {
    const { browser, page } = await askedBy(await register());
    const other = personsBrowser();
    await askedBy(await register(), {}, other);
    const fields = formFields(page.html, '/authorize');
    const [, token = ''] =
      formFields(pageOf(await other.get(`${ORIGIN}/sign-in`)).html, '/sign-in').find(([name]) => name === 'form') ?? [];
    const stolen = fields.map(([name, value]): [string, string] => (name === 'form' ? [name, token] : [name, value]));
    expect(pageOf(await other.post('/authorize', [...stolen, ['decision', 'allow']])).status).toBe(400);
    leftTo(await allow(browser, page));
    expect(pageOf(await allow(browser, page)).status).toBe(400);
  });

  it('needs a session that is still valid', async () => {
    const { browser, page } = await askedBy(await register());
    browser.cookies.delete('periscope--session');
    expect(pageOf(await allow(browser, page)).status).toBe(403);
  });
});

describe('a remembered consent', () => {
  it('ticks the same boxes the next time, except for deleting', async () => {
    const client = await register();
    const first = await askedBy(client, { scope: 'web:read cache:purge' });
    leftTo(await allow(first.browser, first.page, { scope: ['cite:share', 'cache:purge'] }));
    const second = await askedBy(client, { scope: 'cache:purge' }, first.browser);
    expect(ticked(second.page.html)).toEqual(['cite:share']);
  });

  it('admits a client without a question if the person chose that, for the granted permissions and this address only', async () => {
    const client = await register({ redirect_uris: [REDIRECT, 'https://client.acme.dev/second'] });
    const { browser, page } = await askedBy(client);
    leftTo(await allow(browser, page, { quiet: 'yes' }));

    const again = await authorizationRequest(client);
    const left = leftTo(await browser.get(again.url));
    const { scope } = await exchange(client, left.searchParams.get('code') ?? '', again.verifier);
    expect(scope.split(' ').toSorted()).toEqual(ticked(page.html).toSorted());

    for (const changes of [{ scope: 'web:read cache:purge' }, { redirect_uri: 'https://client.acme.dev/second' }]) {
      const more = await authorizationRequest(client, changes);
      expect(pageOf(await browser.get(more.url)).html).toContain('action="/authorize"');
    }
    const stranger = pageOf(await personsBrowser().get(again.url));
    expect(stranger.html).toContain('action="/sign-in"');
  });

  it('is never enough for a program on the own computer', async () => {
    const client = await register({ redirect_uris: ['http://localhost:5000/callback'] });
    const { browser, page } = await askedBy(client);
    leftTo(await allow(browser, page, { quiet: 'yes' }));
    const { url } = await authorizationRequest(client);
    expect(pageOf(await browser.get(url)).html).toContain('action="/authorize"');
  });
});

describe('permissions', () => {
  const all = [...SCOPES];
  const boxes = (asked: string[], before: string[] | null) =>
    buildScopeCheckboxes(all, asked, before).flatMap(({ scope, ticked: isTicked }) => (isTicked ? [scope] : []));

  it('are offered when there are tools behind them', async () => {
    const { page } = await askedBy(await register());
    expect(new Set(offered(page.html))).toEqual(new Set(offeredScopes(abilitiesOf(parseConfig({ ...env })))));
    expect(offered(page.html)).toContain('cache:purge');
  });

  it('are ticked with care: running scripts and public links only for a client that had them, deleting never', () => {
    expect(boxes([], null)).toEqual(['web:read', 'browser:use', 'library:follow']);
    expect(boxes(all, null)).toEqual(['web:read', 'browser:use', 'library:follow']);
    expect(boxes([], ['web:read'])).toEqual(['web:read']);
    expect(boxes(['browser:use', 'cache:purge'], ['web:read'])).toEqual(['web:read', 'browser:use']);
    expect(boxes([], ['browser:evaluate'])).toEqual(['browser:evaluate']);
    expect(boxes(all, all)).toEqual(all.filter((scope) => scope !== 'cache:purge'));
  });
});

describe('on https', () => {
  it('the same steps work, with the cookies of https', async () => {
    const origin = 'https://localhost';
    const browser = new Browser(origin, (url, init) => exports.default.fetch(url, init));
    const client = await register();
    const { url } = await authorizationRequest(client, { resource: `${origin}/mcp` });
    const page = await consentPage(browser, url.replace(ORIGIN, origin));
    expect([...browser.cookies.keys()].every((name) => name.startsWith('__Host-'))).toBe(true);
    const left = leftTo(await allow(browser, page));
    expect(left.searchParams.get('iss')).toBe(origin);
  });

  it('a token of one origin does not work at another', async () => {
    const { access_token: token } = await connect(personsBrowser(), await register());
    const response = await exports.default.fetch('https://localhost/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(401);
  });
});
