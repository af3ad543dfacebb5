import { deploymentPart } from '#client/deployment/deployment.ts';
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#auth/people/account.ts';
import { makeAccessToken } from '#auth/people/access-tokens.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import { parseConfig } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import { listedSessionNames, createCallParts } from '#compose.ts';
import { findOrCreateDoor } from '#doors.ts';
import { Browser, pageOf, textOf } from '#support/oauth-browser.ts';
import { MCP_URL, rpc } from '#support/mcp-call.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { accessTokens, personRows, signInObject } from '#support/stored-people.ts';

/** `/console/people` and `/console/account`, for an owner, for people of the server, and for strangers. */

const ISSUER = 'https://login.acme.dev/';
const own: Record<string, unknown> = {
  ...env,
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: 'olga@acme.dev, ana@acme.dev, bert@acme.dev',
};
const config = parseConfig(own);
const bindings = { ...env };
const fetch = (url: string, init?: RequestInit) =>
  findOrCreateDoor(ORIGIN, config, bindings).fetch(new Request(url, init), createExecutionContext());

const person = (name: string) => ({
  subject: `u_people_${name}`,
  account: { way: 'oidc', issuer: ISSUER, id: `sub-${name}`, emails: [`${name}@acme.dev`] } satisfies Account,
});
const OLGA = person('olga');
const ANA = person('ana');
const BERT = person('bert');
const PEOPLE = '/console/people';
const ACCOUNT = '/console/account';

async function signedIn({ subject, account }: { subject: string; account: Account }): Promise<Browser> {
  const { secret } = await deploymentIdentity(signInObject());
  const kept = createSignInCookies(secret, config, cookieJar(ORIGIN), Date.now, personRows());
  const browser = new Browser(ORIGIN, fetch);
  for (const line of await kept.open({ subject, account })) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  return browser;
}

const see = async (browser: Browser, path: string) => pageOf(await browser.get(ORIGIN + path));
const stranger = () => new Browser(ORIGIN, fetch);

async function tokenOf({ subject, account }: { subject: string; account: Account }): Promise<string> {
  const options = { name: 'agent', scopes: ['web:read'] as const, days: 1 };
  return (await makeAccessToken(accessTokens(), { subject, account }, options, Date.now()))?.token ?? '';
}

async function isRefused(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(MCP_URL, { method: 'POST', headers, body: '{}' })).status === 401;
}

/** Sends the form of a page with this action and person, and confirms it. */
async function press(browser: Browser, path: string, fields: Record<string, string>) {
  const shown = await see(browser, path);
  const form = /name="form" value="([^"]+)"/.exec(shown.html)?.[1] ?? '';
  return pageOf(await browser.post(path, Object.entries({ form, ...fields })));
}

beforeEach(async () => {
  for (const one of [ANA, BERT]) {
    await env.DB.prepare('DELETE FROM admissions').run();
    await personRows().signedIn(one.subject, one.account);
  }
  await personRows().admissions.end('u_nobody');
});

describe('the page of people', () => {
  it('shows the owner who was here, who may sign in, and their usage', async () => {
    await rpc(
      'modern',
      'tools/list',
      {},
      { token: await tokenOf(ANA), send: (request) => fetch(request.url, request) },
    );
    const { status, html } = await see(await signedIn(OLGA), PEOPLE);
    expect(status).toBe(200);
    const text = textOf(html);
    for (const words of ['ana@acme.dev', 'bert@acme.dev', 'Your account', 'last seen', 'Create invitation'])
      expect(text).toContain(words);
    expect(html).toMatch(/<a class="button primary" href="#invite">Invite someone<\/a>.*<h2 id="invite">/su);
  });

  it.each([['GET'], ['POST']])('does not exist for another user, by %s', async (method) => {
    const ana = await signedIn(ANA);
    const before = (await see(ana, ACCOUNT)).html;
    const form = /name="form" value="([^"]+)"/.exec(before)?.[1] ?? '';
    const fields: [string, string][] = [
      ['form', form],
      ['do', 'erase'],
      ['subject', BERT.subject],
    ];
    const answer = method === 'GET' ? await see(ana, PEOPLE) : pageOf(await ana.post(PEOPLE, fields));
    expect([answer.status, answer.html.includes('bert')]).toEqual([404, false]);
    expect(await personRows().find(BERT.subject)).not.toBeNull();
  });

  it('sends a stranger to the sign-in, and ignores their forms and those of another page or origin', async () => {
    expect((await see(stranger(), PEOPLE)).url).toContain('/sign-in');
    const fields: [string, string][] = [
      ['form', 'x'],
      ['do', 'erase'],
      ['subject', BERT.subject],
    ];
    expect(pageOf(await stranger().post(PEOPLE, fields)).status).toBe(403);
    const olga = await signedIn(OLGA);
    expect(pageOf(await olga.post(PEOPLE, fields)).status).toBe(403);
    const form = /name="form" value="([^"]+)"/.exec((await see(olga, PEOPLE)).html)?.[1] ?? '';
    const good: [string, string][] = [
      ['form', form],
      ['do', 'erase'],
      ['subject', BERT.subject],
    ];
    expect(pageOf(await olga.post(PEOPLE, good, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(await personRows().find(BERT.subject)).not.toBeNull();
  });

  it('names each user by name or address, and has the ID for ALLOWED_USERS in the details', async () => {
    const guest = { ...person('guest'), account: { ...person('guest').account, emails: [] } };
    await personRows().signedIn(guest.subject, guest.account);
    const { html } = await see(await signedIn(OLGA), PEOPLE);
    expect(html).toContain('<strong><bdi>an account at login.acme.dev</bdi></strong>');
    expect(html).toContain('<strong><bdi>ana@acme.dev</bdi></strong>');
    expect(textOf(html)).toContain('ID for ALLOWED_USERS : oidc:sub-guest');
  });

  it('creates an invitation whose link is shown once', async () => {
    const olga = await signedIn(OLGA);
    const made = await press(olga, PEOPLE, { do: 'invite', note: 'Carla <b>' });
    expect(made.html).toMatch(/\/invitation\/[\w-]{32}/);
    expect(made.html).toContain('Carla &lt;b&gt;');
    const later = await see(olga, PEOPLE);
    expect(later.html).toContain('Carla &lt;b&gt;');
    expect(later.html).not.toMatch(/\/invitation\/[\w-]{32}/);
    expect((await press(olga, PEOPLE, { do: 'invite', note: ' ' })).status).toBe(409);
  });

  it('ends all access of a user at once, until the owner readmits them', async () => {
    const [olga, ana, token] = [await signedIn(OLGA), await signedIn(ANA), await tokenOf(ANA)];
    expect(await isRefused(token)).toBe(false);
    const asked = await press(olga, PEOPLE, { do: 'refuse', subject: ANA.subject, confirm: 'refuse', about: 'ana' });
    expect(textOf(asked.html)).toContain('End all access of this person?');
    expect(textOf(asked.html)).not.toContain('cannot be undone');
    expect(await isRefused(token)).toBe(false);
    const done = await press(olga, PEOPLE, { do: 'refuse', subject: ANA.subject });
    expect(textOf(done.html)).toContain('Their access has ended.');
    expect(await isRefused(token)).toBe(true);
    expect((await see(ana, '/console')).url).toContain('/sign-in');
    expect((await see(await signedIn(ANA), '/console')).url).toContain('/sign-in');
    const id = /value="([\da-f]{64})"/.exec((await see(olga, PEOPLE)).html)?.[1] ?? '';
    await press(olga, PEOPLE, { do: 'readmit', id });
    expect((await see(await signedIn(ANA), '/console')).url).toBe(`${ORIGIN}/console`);
    expect((await see(ana, '/console')).url).toContain('/sign-in');
    expect(await isRefused(token)).toBe(true);
  });

  it('names invited users as their invitation does', async () => {
    const fay = person('fay');
    await personRows().signedIn(fay.subject, fay.account);
    await personRows().admissions.allow(fay.subject, fay.account, 'Fay, accounting');
    const { html } = await see(await signedIn(OLGA), PEOPLE);
    expect(html).toMatch(/<strong[^>]*><bdi>Fay, accounting<\/bdi>/u);
    expect(textOf(html)).toMatch(/Fay, accounting invited signs in as fay@acme\.dev/u);
  });

  it('readmits a user who was invited and is not in ALLOWED_USERS', async () => {
    const eva = person('eva');
    await personRows().signedIn(eva.subject, eva.account);
    await personRows().admissions.allow(eva.subject, eva.account, 'Eva');
    const olga = await signedIn(OLGA);
    await press(olga, PEOPLE, { do: 'refuse', subject: eva.subject });
    expect((await see(await signedIn(eva), '/console')).url).toContain('/sign-in');
    const [refused] = (await personRows().admissions.decided()).filter(({ verdict }) => verdict === 'refused');
    const done = await press(olga, PEOPLE, { do: 'readmit', id: refused?.id ?? '' });
    expect(textOf(done.html)).toContain('They may sign in again.');
    expect((await see(await signedIn(eva), '/console')).url).toBe(`${ORIGIN}/console`);
    expect((await press(olga, PEOPLE, { do: 'readmit', id: refused?.id ?? '' })).status).toBe(409);
  });

  it('deletes a user, and prevents an owner from locking out owners', async () => {
    const olga = await signedIn(OLGA);
    await partNamed(env.PERSON_STORE, BERT.subject, 'history').setWish({ activity: false });
    const done = await press(olga, PEOPLE, { do: 'erase', subject: BERT.subject });
    expect(textOf(done.html)).toContain('All data of this person is deleted.');
    expect(await personRows().find(BERT.subject)).toBeNull();
    expect((await partNamed(env.PERSON_STORE, BERT.subject, 'history').wish()).activity).toBe(true);
    for (const deed of ['erase', 'refuse']) {
      expect((await press(olga, PEOPLE, { do: deed, subject: OLGA.subject })).status).toBe(409);
      expect((await press(olga, PEOPLE, { do: deed, subject: 'u_nobody_knows' })).status).toBe(409);
    }
    expect((await press(olga, PEOPLE, { do: 'something' })).status).toBe(409);
  });

  it('deletes the decision about a user whose data is deleted, by an action of that name', async () => {
    const olga = await signedIn(OLGA);
    await press(olga, PEOPLE, { do: 'refuse', subject: BERT.subject });
    await press(olga, PEOPLE, { do: 'erase', subject: BERT.subject });
    const list = await see(olga, PEOPLE);
    const [form = ''] = list.html.match(/<form(?:(?!<\/form>).)*Delete decision/su) ?? [];
    expect(form).toContain('name="do" value="deleteDecision"');
    const id = /name="id" value="([\da-f]{64})"/u.exec(form)?.[1] ?? '';
    const done = await press(olga, PEOPLE, { do: 'deleteDecision', id });
    expect(textOf(done.html)).toContain('Your decision is deleted. ALLOWED_USERS decides again.');
    expect(done.html).not.toContain('Delete decision');
    expect((await see(await signedIn(BERT), '/console')).url).toBe(`${ORIGIN}/console`);
    expect((await press(olga, PEOPLE, { do: 'deleteDecision', id })).status).toBe(409);
  });
});

describe('the account page', () => {
  it('gives users a copy of their own data only', async () => {
    await partNamed(env.PERSON_STORE, ANA.subject, 'files').add('one', '', 0, new TextEncoder().encode('words'), {
      each: 99,
      together: 99,
    });
    await partNamed(env.PERSON_STORE, ANA.subject, 'files').finish('one', '', {
      name: 'a/b.txt',
      mediaType: 'text/plain',
      sha256: '',
    });
    const ana = await signedIn(ANA);
    const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${ORIGIN}${ACCOUNT}/export`, { headers: { cookie } });
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="periscope.zip"');
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['README.txt', 'citations.json', 'activity.json', 'followed.json', 'settings.json']),
    );
    const text = (name: string) => new TextDecoder().decode(files[name]);
    expect(JSON.parse(text('citations.json'))).toEqual([]);
    expect(
      Object.keys(files)
        .filter((name) => name.startsWith('files/'))
        .map(text),
    ).toEqual(['words']);
    expect((await see(stranger(), `${ACCOUNT}/export`)).url).toContain('/sign-in');
  });

  it('deletes a user who confirms it, and signs them out everywhere', async () => {
    const [one, other, token] = [await signedIn(ANA), await signedIn(ANA), await tokenOf(ANA)];
    const asked = await press(one, ACCOUNT, { do: 'erase', confirm: 'eraseMe' });
    expect(textOf(asked.html)).toContain('Delete everything that is yours?');
    expect(await personRows().find(ANA.subject)).not.toBeNull();
    const done = await press(one, ACCOUNT, { do: 'erase' });
    expect(textOf(done.html)).toContain('Everything that was yours is deleted');
    expect(await isRefused(token)).toBe(true);
    expect((await see(other, ACCOUNT)).url).toContain('/sign-in');
    const again = await see(await signedIn(ANA), ACCOUNT);
    expect(again.status).toBe(200);
  });

  it('ignores a stranger, and forms of another origin', async () => {
    expect(
      pageOf(
        await stranger().post(ACCOUNT, [
          ['form', 'x'],
          ['do', 'erase'],
        ]),
      ).status,
    ).toBe(403);
    const ana = await signedIn(ANA);
    const form = /name="form" value="([^"]+)"/.exec((await see(ana, ACCOUNT)).html)?.[1] ?? '';
    const sent = await ana.post(
      ACCOUNT,
      [
        ['form', form],
        ['do', 'erase'],
      ],
      { origin: 'https://elsewhere.example' },
    );
    expect(pageOf(sent).status).toBe(403);
    expect(await personRows().find(ANA.subject)).not.toBeNull();
  });
});

describe('the list of sessions', () => {
  it('includes shared sessions, and no private ones of others', async () => {
    const limits = { perSubject: 9, total: 9 };
    const registry = deploymentPart(env, 'sessions');
    await registry.open({ key: 'shared/team', subject: BERT.subject, name: 'shared/team' }, limits);
    await registry.open({ key: 'private/b/own', subject: BERT.subject, name: 'own' }, limits);
    const names = (settings: Record<string, string>) =>
      listedSessionNames(createCallParts(env, parseConfig({ ...own, ...settings }), ORIGIN), ANA.subject);
    expect(await names({ SHARED_SESSIONS: 'true' })).toEqual(['shared/team']);
    expect(await names({ SHARED_SESSIONS: 'false' })).toEqual([]);
    await registry.closedAllOf(BERT.subject);
    expect(await names({ SHARED_SESSIONS: 'true' })).toEqual([]);
  });
});
