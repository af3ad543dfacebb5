import { createScheduledController, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account } from '#auth/people/account.ts';
import { makeAccessToken } from '#auth/people/access-tokens.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import { HOUR_MS } from '#core/limits.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { revokeAccess, erasePerson } from '#account/erase-person.ts';
import type { EraseDeps } from '#account/erase-person.ts';
import { runHourly } from '#scheduled.ts';
import { parseConfig } from '#core/config/config.ts';
import { createAuthDeps, createCallParts } from '#compose.ts';
import { oauthApi } from '#auth/server/provider.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { followed } from '#support/followed.ts';
import { grantTokens } from '#support/grants.ts';
import { callTool, MCP_URL, structured } from '#support/mcp-call.ts';
import { sha256Hex } from '#core/text/text.ts';
import { serverWith } from '#support/server-with.ts';
import { storedEverywhere } from '#support/stored-everywhere.ts';
import { accessTokens, personRows } from '#support/stored-people.ts';

/** One user of a server is deleted. Another one, who read, cited and shared the same pages, keeps everything. */

const accountOf = (name: string): Account => ({
  way: 'oidc',
  issuer: 'https://login.acme.dev/',
  id: `sub-of-${name}`,
  emails: [`${name}@erased.acme.dev`],
});
const ANA = { subject: 'u_erased_ana', account: accountOf('ana') };
const BERT = { subject: 'u_erased_bert', account: accountOf('bert') };
/** Marks in all data of hers, and in none of his. */
const NAMES_OF_ANA = /u_erased_ana|sub-of-ana|ana@erased|anas-|abc-of-the-test/;

const SOON = { timeout: 60_000, interval: 100 };
const PAGE = 'https://docs.acme.dev/alarms';
const tokens = { ana: '', bert: '' };
const made = { agent: '', sessions: 0 };

const call = async (who: 'ana' | 'bert', name: string, args: Record<string, unknown>) =>
  structured(await callTool('modern', name, args, { token: tokens[who] }));
const server = serverWith({
  OIDC_ISSUER: 'https://login.acme.dev/',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: '@erased.acme.dev',
});
const statusOf = async (path: string) => (await server(new Request(ORIGIN + path, { redirect: 'manual' }))).status;
const statusWith = async (token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await exports.default.fetch(MCP_URL, { method: 'POST', headers, body: '{}' })).status;
};

function eraser(): EraseDeps {
  const parts = createCallParts(env, parseConfig({ ...env }), ORIGIN);
  return { parts, oauth: oauthApi(createAuthDeps(parts, ORIGIN), parts.env) };
}

async function hourly(after: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + after });
  try {
    await runHourly(createScheduledController(), env);
  } finally {
    vi.useRealTimers();
  }
}

async function linkOf(who: 'ana' | 'bert'): Promise<string> {
  const { cursor } = await call(who, 'open_url', { url: PAGE });
  const args = { cursor, quote: 'An alarm wakes a durable object', note: `${who}s-note`, share: true };
  return new URL(String((await call(who, 'cite', args))['share_link'])).pathname;
}

const links = { ana: '', bert: '', feed: '' };

/** All that a person can come to have here. */
async function live(who: 'ana' | 'bert', person: typeof ANA): Promise<void> {
  const given = await grantTokens(person.subject, ['web:read', 'cite:share', 'browser:use', 'library:follow']);
  tokens[who] = given.access_token;
  links[who] = await linkOf(who);
  await followed(
    { url: `https://docs.acme.dev/${who === 'ana' ? 'long' : 'alarms'}`, scope: 'page' },
    { token: tokens[who] },
  );
  const vault = new SecretVault(
    partNamed(env.CLIENT, person.subject, 'secrets'),
    person.subject,
    'secret of the vault',
  );
  await vault.keep(
    { name: `${who}s-bank`, sites: [`https://${who}s-bank.example`], value: 'hush', seed: null },
    false,
    1,
  );
  await makeAgentsToken(who, person);
}

async function makeAgentsToken(who: 'ana' | 'bert', person: typeof ANA): Promise<void> {
  const passphrase = { ...person, account: { way: 'passphrase' } as const };
  const options = { name: `${who}s-agent`, scopes: ['web:read'] as const, days: 9 };
  const token = await makeAccessToken(accessTokens(), passphrase, options, Date.now());
  if (who === 'ana') made.agent = token?.token ?? '';
}

beforeAll(async () => {
  await live('bert', BERT);
  await live('ana', ANA);
  links.feed = '/changes/feed/anas-feed-of-128-bits-1';
  await createCallParts(env, parseConfig({ ...env }), ORIGIN).changes.addFeed({
    hash: await sha256Hex('anas-feed-of-128-bits-1'),
    subject: ANA.subject,
    follow: null,
    createdAt: 1,
  });
  await partNamed(env.PERSON_STORE, ANA.subject, 'files').add('anas-file', '', 0, new Uint8Array([1]), {
    each: 9,
    together: 9,
  });
  // Private documents of her browser: one in a session that is parked, one in a session that has a browser.
  for (const session of ['anas-parked', 'anas-open']) {
    await call('ana', 'browser_navigate', { url: 'http://login.acme.dev/', session });
    const { cursor } = await call('ana', 'browser_read', { session });
    await call('ana', 'cite', {
      cursor,
      quote: String((await call('ana', 'scroll', { cursor }))['render']).match(/[A-Za-z]{4,}/)?.[0] ?? '',
    }).catch(() => null);
  }
  await objectNamed(env.BROWSER_SESSION, `private/${ANA.subject}/anas-parked`).leave(ANA.subject);
  await call('bert', 'browser_launch', { session: 'team', shared: true });
  await call('ana', 'browser_navigate', { url: 'http://login.acme.dev/who', session: 'shared/team' });
  await call('ana', 'browser_launch', { session: 'anas-team', shared: true });
  for (const person of [ANA, BERT]) await personRows().signedIn(person.subject, person.account);
  await untilStored();
}, 300_000);

/** Waits for what is stored after the answers: Ana's activity, in the order of her calls, and the steps of her last sessions. */
async function untilStored(): Promise<void> {
  const history = partNamed(env.PERSON_STORE, ANA.subject, 'history');
  await vi.waitFor(async () => {
    expect((await history.deeds({}, null, 1)).deeds).toMatchObject([{ tool: 'browser_launch' }]);
    for (const session of ['shared/team', 'shared/anas-team'])
      expect((await history.steps(session, null, 1)).steps).toHaveLength(1);
  }, SOON);
}

describe('a user before deletion', () => {
  it('is found in every kind of storage', async () => {
    const found = (await storedEverywhere()).filter((line) => NAMES_OF_ANA.test(line));
    const places = new Set(found.map((line) => line.split(':')[0]));
    for (const place of [
      'D1 people',
      'D1 citations',
      'D1 follows',
      'D1 follow_feeds',
      'D1 access_tokens',
      'D1 documents',
      'CLIENT secrets',
      'PERSON_STORE files',
      'PERSON_STORE activity',
      'PERSON_STORE sessions',
      'PERSON_STORE steps',
      'DEPLOYMENT open_sessions',
      'BROWSER_SESSION value record',
    ])
      expect([...places]).toContain(place);
    expect(found.some((line) => line.startsWith(`KV grant:${ANA.subject}:`))).toBe(true);
    expect(await statusOf(links.ana)).toBe(200);
    expect(await statusOf(links.feed)).toBe(200);
  });
});

describe('a user whose access has ended', () => {
  it('is refused at once, with every token, and keeps their data', async () => {
    expect(await statusWith(tokens.ana)).not.toBe(401);
    await revokeAccess(ANA.subject, eraser());
    expect(await statusWith(tokens.ana)).toBe(401);
    expect(await statusWith(made.agent)).toBe(401);
    expect(await statusWith(tokens.bert)).not.toBe(401);
    expect(await statusOf(links.ana)).toBe(200);
    const row = await env.DB.prepare('SELECT count(*) AS n FROM citations WHERE subject = ?')
      .bind(ANA.subject)
      .first('n');
    expect(row).toBeGreaterThan(0);
  });
});

describe('a deleted user', () => {
  it('appears only in the list of repeated deletions, and later nowhere', async () => {
    await erasePerson(ANA.subject, eraser());
    const left = (await storedEverywhere()).filter((line) => NAMES_OF_ANA.test(line));
    expect(left.map((line) => line.split(':')[0])).toEqual(['D1 admissions']);
    await hourly(HOUR_MS);
    expect((await storedEverywhere()).filter((line) => NAMES_OF_ANA.test(line))).toEqual([]);
  });

  it('leaves no document, text or index entry that only they could see', async () => {
    const count = (query: string) => env.DB.prepare(query).first<number>('n');
    expect(await count('SELECT count(*) AS n FROM documents WHERE owner IS NOT NULL')).toBe(0);
    expect(await count('SELECT count(*) AS n FROM snapshots WHERE document_id NOT IN (SELECT id FROM documents)')).toBe(
      0,
    );
    expect(
      await count('SELECT count(*) AS n FROM document_chunks WHERE document_id NOT IN (SELECT id FROM documents)'),
    ).toBe(0);
    expect(
      await count('SELECT count(*) AS n FROM search_words WHERE rowid NOT IN (SELECT id FROM document_chunks)'),
    ).toBe(0);
  });

  it('leaves no working link', async () => {
    expect([await statusOf(links.ana), await statusOf(links.feed)]).toEqual([404, 404]);
    expect([await statusWith(tokens.ana), await statusWith(made.agent)]).toEqual([401, 401]);
  });

  it("does not take other users' data with them", async () => {
    expect(await statusOf(links.bert)).toBe(200);
    expect(JSON.stringify(await call('bert', 'search', { query: 'alarm durable object' }))).toContain('alarms');
    expect(JSON.stringify(await call('bert', 'browser_snapshot', { session: 'shared/team' }))).not.toContain(
      'unknown_session',
    );
    const follows = await env.DB.prepare('SELECT subject FROM follows').all();
    expect(follows.results).toEqual([{ subject: BERT.subject }]);
    await call('bert', 'browser_close', { session: 'shared/team' });
  });

  it('is deleted again for data that a running call wrote, unless they came back', async () => {
    await partNamed(env.PERSON_STORE, ANA.subject, 'history').setWish({ activity: false });
    await erasePerson(ANA.subject, eraser());
    await partNamed(env.PERSON_STORE, ANA.subject, 'history').setWish({ pictures: false });
    await hourly(0);
    const wishes = async () =>
      runInDurableObject(env.PERSON_STORE.get(env.PERSON_STORE.idFromName(ANA.subject)), (_, { storage }) =>
        storage.kv.get('settings'),
      );
    expect(await wishes()).toBeDefined();
    await hourly(HOUR_MS);
    expect(await wishes()).toBeUndefined();
    await erasePerson(ANA.subject, eraser());
    await personRows().signedIn(ANA.subject, ANA.account);
    await hourly(HOUR_MS);
    expect(await personRows().find(ANA.subject)).not.toBeNull();
  });
});
