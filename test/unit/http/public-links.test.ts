import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { signIns } from '#auth/people/sign-ins.ts';
import { parseConfig } from '#core/config/config.ts';
import { CROWD_VIEWS } from '#web/limits.ts';
import { doorOf } from '../../../src/doors.ts';
import { countPlatform } from '#support/counted-platform.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { Browser, formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { personRows, signInObject } from '#support/stored-people.ts';

/** What people of one server share, while they may sign in there, and what its owner sees of it. */

const ISSUER = 'https://login.acme.dev/';
const SETTINGS = {
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: 'ana@acme.dev, bert@acme.dev, @friends.dev',
};
const accountOf = (name: string, at = 'acme.dev'): Account => ({
  way: 'oidc',
  issuer: ISSUER,
  id: `sub-${name}`,
  emails: [`${name}@${at}`],
});
const ANA = { subject: 'u_links_ana', account: accountOf('ana') };
const BERT = { subject: 'u_links_bert', account: accountOf('bert') };
const FRIEND = { subject: 'u_links_friend', account: accountOf('<i>friend</i>\u202e', 'friends.dev') };
const HOUR_MS = 3_600_000;

type At = { config: ReturnType<typeof parseConfig>; browser: () => Browser };

/** The whole server under settings of a test's own. */
function serverWith(changes: Record<string, string | undefined> = {}): At {
  const own: Record<string, unknown> = { ...env, ...SETTINGS, ...changes };
  const config = parseConfig(own);
  const bindings = { ...env };
  const fetch = (url: string, init?: RequestInit) =>
    doorOf(ORIGIN, config, bindings).fetch(new Request(url, init), createExecutionContext());
  return { config, browser: () => new Browser(ORIGIN, fetch) };
}

async function signedIn(at: At, person: { subject: string; account: Account }): Promise<Browser> {
  const { secret } = await deploymentIdentity(signInObject());
  const kept = signIns(secret, at.config, cookieJar(ORIGIN), Date.now, personRows());
  const browser = at.browser();
  for (const line of await kept.open(person)) {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    browser.cookies.set(name, value);
  }
  return browser;
}

const see = async (browser: Browser, path: string) => pageOf(await browser.get(ORIGIN + path));
const statusOf = async (at: At, link: string) => (await see(at.browser(), link)).status;

async function share(subject: string, quote: string): Promise<string> {
  const token = await grantFor(subject, ['web:read', 'cite:share']);
  const { cursor } = structured(
    await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }, { token }),
  );
  const cited = structured(await callTool('modern', 'cite', { cursor, quote, share: true }, { token }));
  return new URL(String(cited['share_link'])).pathname;
}

let links: { ana: string; bert: string; friend: string };
const usual = serverWith();

beforeAll(async () => {
  await env.DB.prepare('DELETE FROM citations').run();
  links = {
    ana: await share(ANA.subject, 'An alarm wakes a durable object'),
    bert: await share(BERT.subject, 'It may be set again'),
    friend: await share(FRIEND.subject, 'It fires once.'),
  };
}, 60_000);
/** As each of them signs in. */
beforeEach(async () => {
  for (const person of [ANA, BERT, FRIEND]) await signedIn(usual, person);
});

describe('a public link', () => {
  it('shows its quote while its person may sign in, and not a moment longer', async () => {
    for (const link of Object.values(links)) expect(await statusOf(usual, link)).toBe(200);
    const without = serverWith({ ALLOWED_USERS: 'ana@acme.dev, @friends.dev' });
    expect(await statusOf(without, links.bert)).toBe(404);
    expect((await see(without.browser(), links.bert)).html).toBe(
      (await see(without.browser(), '/q/AAAAAAAAAAAAAAAAAAAAAA')).html,
    );
    expect(await statusOf(without, links.ana)).toBe(200);
    expect(await statusOf(without, links.friend)).toBe(200);
    expect(await statusOf(serverWith({ ALLOWED_USERS: 'ana@acme.dev' }), links.friend)).toBe(404);
    expect(await statusOf(serverWith({ ALLOWED_USERS: '' }), links.ana)).toBe(404);
    for (const link of Object.values(links)) expect(await statusOf(usual, link)).toBe(200);
  });

  it('shows nothing once the provider of its person is another or none', async () => {
    const none = { OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined };
    for (const at of [serverWith(none), serverWith({ OIDC_ISSUER: 'https://elsewhere.acme.dev/' })]) {
      for (const link of Object.values(links)) expect(await statusOf(at, link)).toBe(404);
    }
  });

  it('follows how its person signed in last', async () => {
    const at = serverWith({ ALLOWED_USERS: 'ana@acme.dev, bert@new.acme.dev' });
    expect(await statusOf(at, links.bert)).toBe(404);
    await signedIn(at, { ...BERT, account: accountOf('bert', 'new.acme.dev') });
    expect(await statusOf(at, links.bert)).toBe(200);
    expect(await statusOf(usual, links.bert)).toBe(404);
  });

  it('of somebody a version before knew nothing of is shown once they use the server again', async () => {
    await env.DB.prepare('DELETE FROM people').run();
    expect(await statusOf(usual, links.bert)).toBe(404);
    const cookie = await signedIn(usual, BERT);
    await env.DB.prepare('DELETE FROM people').run();
    expect((await see(cookie, '/console/activity')).status).toBe(200);
    expect(await statusOf(usual, links.bert)).toBe(200);
    await env.DB.prepare('DELETE FROM people').run();
    const fresh = 'u_links_client';
    const link = await share(fresh, 'It fires once.');
    // Less often than a crowd would.
    const seldom = { timeout: 10_000, interval: 600 };
    await vi.waitFor(async () => expect(await statusOf(usual, link)).toBe(200), seldom);
    await env.DB.prepare('DELETE FROM citations WHERE subject = ?').bind(fresh).run();
  });
});

describe('a public link that a crowd opens', () => {
  it('is asked for a few times, and stays what it is for everybody', async () => {
    const link = await share(ANA.subject, 'It fires once');
    await signedIn(usual, ANA);
    const browser = usual.browser();
    const shown = (await see(browser, link)).html;
    const platform = await countPlatform();
    try {
      for (let view = 0; view < 60; view += 1) expect((await see(browser, link)).html).toBe(shown);
      // A slow machine may need two of the times for which a link is kept.
      expect(platform.counts.d1Trips).toBeLessThan(2 * CROWD_VIEWS);
    } finally {
      platform.stop();
    }
    expect(await statusOf(serverWith({ ALLOWED_USERS: 'bert@acme.dev' }), link)).toBe(404);
    await env.DB.prepare('DELETE FROM citations WHERE share_id = ?').bind(link.split('/').at(-1)).run();
  });
});

describe("the owner's page of public links", () => {
  it('says who shares what since when, with a name that is nothing but a name', async () => {
    const owner = await signedIn(usual, ANA);
    const page = await see(owner, '/console/shared');
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = textOf(page.html);
    for (const words of ['bert@acme.dev (oidc:sub-bert)', 'It may be set again', 'https://docs.acme.dev/alarms']) {
      expect(text).toContain(words);
    }
    expect(text).toContain('<i>friend</i>@friends.dev');
    expect(page.html).not.toContain('<i>friend');
    expect(page.html).not.toContain('\u202e');
    for (const link of Object.values(links)) expect(page.html).toContain(`href="${link}"`);
    expect(page.html).toMatch(/<time datetime="\d{4}-/);
    expect(text).not.toContain('shows nothing');
    const now = await see(await signedIn(serverWith({ ALLOWED_USERS: 'ana@acme.dev' }), ANA), '/console/shared');
    expect(textOf(now.html).match(/its person may no longer sign in/g)).toHaveLength(2);
  });

  it('stops any of them, once', async () => {
    const link = await share(BERT.subject, 'set again');
    await signedIn(usual, BERT);
    const owner = await signedIn(usual, ANA);
    const page = await see(owner, '/console/shared');
    const stopped = pageOf(await owner.submit(page, '/console/shared', {}));
    expect(stopped.status).toBe(200);
    expect(await statusOf(usual, link)).toBe(404);
    expect(stopped.html).not.toContain(link);
    expect(await statusOf(usual, links.bert)).toBe(200);
    const again = pageOf(await owner.submit(page, '/console/shared', {}));
    expect([again.status, textOf(again.html)]).toEqual([409, expect.stringContaining('is no longer shared')]);
    const nothing = formFields(page.html, '/console/shared').map(([name, value]): [string, string] => [
      name,
      name === 'id' ? "' OR 1=1 --" : value,
    ]);
    expect(pageOf(await owner.post('/console/shared', nothing)).status).toBe(409);
    expect(await statusOf(usual, links.ana)).toBe(200);
  });

  it('does not exist for anybody else', async () => {
    const owner = await signedIn(usual, ANA);
    const fields = formFields((await see(owner, '/console/shared')).html, '/console/shared');
    const bert = await signedIn(usual, BERT);
    const nowhere = await see(bert, '/console/nowhere');
    const asked = await see(bert, '/console/shared');
    expect([asked.status, asked.html]).toEqual([404, nowhere.html]);
    expect(new Map(asked.headers)).toEqual(new Map(nowhere.headers));
    expect((await see(bert, '/console')).html).not.toContain('/console/shared');
    const own = formFields((await see(bert, '/console/activity')).html, '/sign-out');
    for (const form of [fields, [...own, ...fields.filter(([name]) => name === 'id')]]) {
      const posted = pageOf(await bert.post('/console/shared', form));
      expect([posted.status, posted.html]).toEqual([404, pageOf(await bert.post('/console/nowhere', form)).html]);
    }
    expect(pageOf(await usual.browser().post('/console/shared', fields)).status).toBe(403);
    expect(new URL((await see(usual.browser(), '/console/shared')).url).pathname).toBe('/sign-in');
    expect(pageOf(await owner.post('/console/shared', fields, { origin: 'https://evil.acme.dev' })).status).toBe(403);
    for (const link of Object.values(links)) expect(await statusOf(usual, link)).toBe(200);
  });

  it('shows older ones on further pages, none twice', async () => {
    const row = await env.DB.prepare('SELECT * FROM citations LIMIT 1').first();
    const names = Object.keys(row ?? {});
    const many = Array.from({ length: 60 }, (_, n) => {
      const values = { ...row, id: `many-${n}`, share_id: `many${String(n).padStart(18, '0')}`, quote: `Number ${n}.` };
      const at = { ...values, shared_at: Date.now() - HOUR_MS - (n % 7) };
      return env.DB.prepare(`INSERT INTO citations VALUES (${names.map(() => '?').join()})`).bind(
        ...names.map((name) => Reflect.get(at, name)),
      );
    });
    await env.DB.batch(many);
    const owner = await signedIn(usual, ANA);
    const seen: string[] = [];
    for (let next: string | undefined = '/console/shared'; next !== undefined;) {
      const { html }: { html: string } = await see(owner, next);
      seen.push(...[...html.matchAll(/<blockquote lang="">(Number \d+\.)/gu)].map(([, quote = '']) => quote));
      next = /<a href="([^"]*)">Older/u.exec(html)?.[1];
    }
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
    await env.DB.prepare(`DELETE FROM citations WHERE id LIKE 'many-%'`).run();
  });
});
