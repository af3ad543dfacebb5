import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { saveActRule } from '#account/allow-acting.ts';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import { parseConfig } from '#core/config/config.ts';
import { EMPTY_SITE_RULE_LIST, formatSite } from '#core/site-rules.ts';
import { partNamed } from '#core/objects.ts';
import { findOrCreateDoor } from '#doors.ts';
import { openDb } from '#storage/db.ts';
import { RowEraser } from '#storage/erase-rows.ts';
import { DocumentTextCache } from '#storage/pages/text-memory.ts';
import { EVERYONE_SUBJECT, SiteRuleStore } from '#storage/site-rules.ts';
import { Browser, pageOf, textOf } from '#support/oauth-browser.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { personRows, signInObject } from '#support/stored-people.ts';

const ISSUER = 'https://login.acme.dev/';
const own: Record<string, unknown> = {
  ...env,
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: 'olga@acme.dev, ana@acme.dev',
};
const config = parseConfig(own);
const bindings = { ...env };
const fetch = (url: string, init?: RequestInit) =>
  findOrCreateDoor(ORIGIN, config, bindings).fetch(new Request(url, init), createExecutionContext());

const person = (name: string) => ({
  subject: `u_rules_${name}`,
  account: { way: 'oidc', issuer: ISSUER, id: `sub-${name}`, emails: [`${name}@acme.dev`] } satisfies Account,
});
const OLGA = person('olga');
const ANA = person('ana');
const RULES = '/console/rules';
const store = new SiteRuleStore(openDb(env.DB));

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

const see = async (browser: Browser) => pageOf(await browser.get(ORIGIN + RULES));

async function press(browser: Browser, fields: Record<string, string>) {
  const form = /name="form" value="([^"]+)"/.exec((await see(browser)).html)?.[1] ?? '';
  return pageOf(await browser.post(RULES, Object.entries({ form, for: 'own', ...fields })));
}

const add = (browser: Browser, site: string, level: string) =>
  press(browser, { do: 'add', 'own-site': site, 'own-level': level });
const sitesOf = async (subject: string) =>
  (await store.read(subject)).rules.map((rule) => `${formatSite(rule)} ${rule.level}`);

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM site_rules').run();
});

describe('the rules page', () => {
  it('adds rules on top where they do not meet, replaces one for the same site, moves and deletes them', async () => {
    const ana = await signedIn(ANA);
    await add(ana, 'https://Bank.example/', 'read');
    await add(ana, '*.example.com', 'block');
    await add(ana, 'shop.example.com/cart', 'act');
    expect(await sitesOf(ANA.subject)).toEqual([
      'shop.example.com/cart act',
      '*.example.com block',
      'bank.example read',
    ]);
    await add(ana, 'bank.example', 'block');
    await press(ana, { do: 'down', at: '0', site: 'bank.example' });
    expect(await sitesOf(ANA.subject)).toEqual([
      'shop.example.com/cart act',
      'bank.example block',
      '*.example.com block',
    ]);
    await press(ana, { do: 'delete', at: '2', site: '*.example.com' });
    await press(ana, { do: 'default', 'own-level': 'read' });
    expect(await store.read(ANA.subject)).toMatchObject({ rules: [{}, {}], fallback: 'read' });
    const text = textOf((await see(ana)).html);
    expect(text).toContain('bank.example');
    expect(text).toContain('Everywhere else: Look only');
  });

  it('puts a rule below a narrower one, which still decides, and says so', async () => {
    const ana = await signedIn(ANA);
    await add(ana, '127.0.0.1/article', 'block');
    const saved = await add(ana, '127.0.0.1', 'read');
    expect(await sitesOf(ANA.subject)).toEqual(['127.0.0.1/article block', '127.0.0.1 read']);
    expect(textOf(saved.html)).toContain('The new rule for 127.0.0.1 was put below 127.0.0.1/article');
  });

  it('asks before it deletes a rule or replaces all of them', async () => {
    const ana = await signedIn(ANA);
    await add(ana, 'bank.example', 'read');
    const { html } = await see(ana);
    expect(html).toContain('name="confirm" value="rule"');
    expect(html).toContain('name="confirm" value="rules"');
    const asked = await press(ana, { do: 'everywhere', 'own-level': 'read', confirm: 'rules', about: '' });
    expect(textOf(asked.html)).toContain('Replace your rules?');
    expect(await sitesOf(ANA.subject)).toHaveLength(1);
    await press(ana, { do: 'everywhere', 'own-level': 'read' });
    expect(await store.read(ANA.subject)).toEqual({ rules: [], fallback: 'read' });
  });

  it('shows the error of a site next to its field, and keeps the input', async () => {
    const ana = await signedIn(ANA);
    const { status, html } = await add(ana, 'a.*.example"><b>', 'read');
    expect(status).toBe(400);
    expect(html).toContain('id="own-site-problem"');
    expect(html).toContain('value="a.*.example&quot;&gt;&lt;b&gt;"');
    expect(await store.read(ANA.subject)).toEqual(EMPTY_SITE_RULE_LIST);
  });

  it.each([
    [{ do: 'add', 'own-site': 'bank.example', 'own-level': 'all' }, 400],
    [{ do: 'add', 'own-site': 'bank.example', 'own-level': '__proto__' }, 400],
    [{ do: 'forget' }, 400],
    [{ do: 'delete', at: '0', site: 'other.example' }, 409],
    [{ do: 'up', at: '1', site: 'one.example' }, 409],
    [{ do: 'up', at: '-1', site: 'one.example' }, 409],
  ])('ignores an outdated or forged form: %j', async (fields, expected) => {
    const ana = await signedIn(ANA);
    await add(ana, 'one.example', 'read');
    expect((await press(ana, fields)).status).toBe(expected);
    expect(await sitesOf(ANA.subject)).toEqual(['one.example read']);
  });

  it('has a maximum number of rules', async () => {
    const rules = Array.from({ length: 200 }, (_, at) => ({
      host: `${at}.example`,
      path: '/',
      level: 'read' as const,
    }));
    await store.save(ANA.subject, { rules, fallback: 'act' });
    const ana = await signedIn(ANA);
    expect((await add(ana, 'more.example', 'read')).status).toBe(409);
    expect((await add(ana, '7.example', 'block')).status).toBe(200);
    expect(await sitesOf(ANA.subject)).toHaveLength(200);
  });

  it('lets the owner change the rules for all users, which others can only see', async () => {
    const olga = await signedIn(OLGA);
    await press(olga, { for: 'everyone', do: 'add', 'everyone-site': 'payroll.example', 'everyone-level': 'block' });
    expect(await sitesOf(EVERYONE_SUBJECT)).toEqual(['payroll.example block']);
    expect(await sitesOf(OLGA.subject)).toEqual([]);
    const ana = await signedIn(ANA);
    const { html } = await see(ana);
    expect(textOf(html)).toContain('payroll.example');
    expect(html).not.toContain('everyone-site');
    for (const fields of [
      { do: 'delete', at: '0', site: 'payroll.example' },
      { do: 'everywhere', 'everyone-level': 'act' },
    ])
      expect((await press(ana, { for: 'everyone', ...fields })).status).toBe(404);
    expect(await sitesOf(EVERYONE_SUBJECT)).toEqual(['payroll.example block']);
  });

  it('ignores a form without the token of the page', async () => {
    const ana = await signedIn(ANA);
    const fields = Object.entries({ form: 'forged', for: 'own', do: 'everywhere', 'own-level': 'act' });
    expect(pageOf(await ana.post(RULES, fields)).status).toBe(403);
  });

  it('records changes in the activity, which do not count as calls', async () => {
    const ana = await signedIn(ANA);
    await add(ana, 'noted.example', 'block');
    const history = partNamed(env.PERSON_STORE, ANA.subject, 'history');
    const { deeds } = await history.deeds({ text: 'noted.example' }, null, 10);
    expect(deeds).toMatchObject([{ tool: 'rules', words: 'noted.example: Block', isCall: false }]);
    expect(textOf(pageOf(await ana.get(`${ORIGIN}/console/activity`)).html)).toContain('Changed the rules');
  });
});

describe('the answer “always” to a question', () => {
  const allow = (page: string) => saveActRule(store, ANA.subject, page, async () => true);

  it('leaves a stricter rule for a part of the page in force', async () => {
    const rules = [{ host: 'a.example', path: '/shop/orders', level: 'block' as const }];
    await store.save(ANA.subject, { rules, fallback: 'ask' });
    expect(await allow('https://a.example/shop')).toBeNull();
    expect(await sitesOf(ANA.subject)).toEqual(['a.example/shop/orders block', 'a.example/shop act']);
  });

  it('is refused if another rule would still decide', async () => {
    const [wide, narrow] = [
      { host: 'a.example', path: '/', level: 'ask' as const },
      { host: 'a.example', path: '/shop/orders', level: 'block' as const },
    ];
    await store.save(ANA.subject, { rules: [wide, narrow], fallback: 'ask' });
    expect(await allow('https://a.example/shop')).toContain('Another of your rules');
    expect(await sitesOf(ANA.subject)).toHaveLength(2);
  });

  it.each(['/my%20cart', '/cart;jsessionid=1'])('is refused if no rule can name the page: %s', async (path) => {
    const around = { host: 'a.example', path: '/', level: 'ask' as const };
    for (const list of [
      { rules: [], fallback: 'ask' as const },
      { rules: [around], fallback: 'act' as const },
    ]) {
      await store.save(ANA.subject, list);
      expect(await allow(`https://a.example${path}`)).toContain('No rule can name this page');
      expect(await store.read(ANA.subject)).toEqual(list);
    }
  });
});

describe('stored rules', () => {
  it('of the owner and of every user of a session apply together', async () => {
    const list = { rules: [{ host: 'a.example', path: '/', level: 'read' as const }], fallback: 'act' as const };
    await store.save(EVERYONE_SUBJECT, { ...list, fallback: 'read' });
    await store.save('u_rules_one', list);
    expect(await store.effective(['u_rules_none', 'u_rules_one'])).toEqual({
      owner: { ...list, fallback: 'read' },
      people: [list],
    });
  });

  it('cause an error when they are unreadable', async () => {
    await env.DB.prepare(`INSERT INTO site_rules (subject, list) VALUES ('u_rules_bad', '{"rules":[]}')`).run();
    await expect(store.effective(['u_rules_bad'])).rejects.toThrow('fallback');
  });

  it('are deleted with their user, and those for all users stay', async () => {
    for (const subject of [EVERYONE_SUBJECT, 'u_rules_gone'])
      await store.save(subject, { rules: [], fallback: 'read' });
    const db = openDb(env.DB);
    await new RowEraser(db, new DocumentTextCache()).things('u_rules_gone');
    expect(await store.read('u_rules_gone')).toEqual(EMPTY_SITE_RULE_LIST);
    expect((await store.read(EVERYONE_SUBJECT)).fallback).toBe('read');
  });
});
