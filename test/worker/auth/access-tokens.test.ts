import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { isLocalAccessToken, makeAccessToken } from '#auth/people/access-tokens.ts';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import type { Account } from '#auth/people/account.ts';
import { TOKEN_LAST_USED_WRITE_EVERY_MS, ACCESS_TOKENS_PER_SUBJECT_MAX } from '#auth/limits.ts';
import { EXPIRED_TOKEN_LISTED_MS } from '#core/limits.ts';
import { AccessTokenStore } from '#storage/people.ts';
import { openDb } from '#storage/db.ts';
import { deployment } from '../../support/deployment.ts';
import type { Deployment } from '../../support/deployment.ts';
import { rpc } from '../../support/mcp-call.ts';
import { formFields, pageOf, textOf } from '../../support/oauth-browser.ts';
import type { Browser, Shown } from '../../support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE } from '../../support/oauth-journey.ts';
import { accessTokens, signInObject } from '../../support/stored-people.ts';

const TOKENS = `${ORIGIN}/console/tokens`;
const DAY_MS = 86_400_000;
const nobodyIsAsked = () => Promise.reject(new Error('nothing is asked'));
const tokens = accessTokens();

const owners = (settings: Record<string, string> = {}) =>
  deployment({ OWNER_PASSPHRASE: PASSPHRASE, ...settings }, nobodyIsAsked);

/** The owner's browser on the page of tokens, after signing in on the way there. */
async function signedIn(at: Deployment): Promise<{ browser: Browser; page: Shown }> {
  const browser = at.browser();
  const asked = pageOf(await browser.get(TOKENS));
  const page = pageOf(await browser.submit(asked, '/sign-in', { passphrase: PASSPHRASE }));
  expect(page.url).toBe(TOKENS);
  return { browser, page };
}

async function make(browser: Browser, page: Shown, changes: Record<string, string | string[] | null> = {}) {
  return pageOf(await browser.submit(page, '/console/tokens', { name: 'build agent', ...changes }));
}

const tokenOn = ({ html }: Shown) => /psc_[\w-]{43}/.exec(html)?.[0] ?? '';

function call(at: Deployment, token: string): Promise<Response> {
  return at.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

/** The row of a token, as the database has it. */
async function rowOf(name: string): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare('SELECT * FROM access_tokens WHERE name = ?').bind(name).first();
  return row ?? {};
}

describe('an access token', () => {
  it('is shown once, stored as a hash, and acts as its creator with the ticked scopes', async () => {
    const at = owners();
    const { browser, page } = await signedIn(at);
    const made = await make(browser, page, { name: 'once', scope: ['web:read'] });
    const token = tokenOn(made);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { ownerSubject } = await deploymentIdentity(signInObject());
    expect(await (await call(at, token)).json()).toEqual({
      subject: ownerSubject,
      scopes: ['web:read'],
      client: (await rowOf('once'))['id'],
    });
    const listed = pageOf(await browser.get(TOKENS));
    expect(textOf(listed.html)).toContain('once');
    expect(listed.html).not.toContain('psc_');
    const row = await rowOf('once');
    expect(JSON.stringify(row)).not.toContain(token.slice(4));
    expect(row['hash']).toMatch(/^[0-9a-f]{64}$/);
    expect(Number(row['expires_at']) - Number(row['created_at'])).toBe(90 * DAY_MS);
  });

  it('works with the whole Worker, with the tools of its permissions', async () => {
    const { browser, page } = await signedIn(owners());
    const token = tokenOn(await make(browser, page, { scope: ['cache:purge'] }));
    for (const era of ['legacy', 'modern'] as const) {
      const { result } = await rpc(era, 'tools/list', {}, { token });
      expect(result?.tools?.map((tool) => tool.name)).toEqual(['cache_purge']);
    }
  });

  it('gets the same answer whether it was revoked, has expired, or never existed', async () => {
    const at = owners();
    const { browser, page } = await signedIn(at);
    const revoked = tokenOn(await make(browser, page, { name: 'to be revoked' }));
    const ended = tokenOn(await make(browser, page, { name: 'to end' }));
    expect([(await call(at, revoked)).status, (await call(at, ended)).status]).toEqual([200, 200]);
    await env.DB.prepare('UPDATE access_tokens SET expires_at = ? WHERE name = ?').bind(Date.now(), 'to end').run();
    const { id } = await rowOf('to be revoked');
    const list = pageOf(await browser.get(TOKENS));
    const fields = formFields(list.html, '/console/tokens').filter(([name]) => name === 'form');
    await browser.post('/console/tokens/revoke', [...fields, ['id', String(id)]]);
    expect(await rowOf('to be revoked')).toEqual({});
    const answers = await Promise.all(
      [revoked, ended, `psc_${'x'.repeat(43)}`, `${ended}x`, 'x'].map((t) => call(at, t)),
    );
    const seen = await Promise.all(
      answers.map(async (a) => [a.status, a.headers.get('www-authenticate'), await a.text()]),
    );
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(seen[0]?.[0]).toBe(401);
    expect(seen[0]?.[1]).toContain('resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"');
    expect(textOf(pageOf(await browser.get(TOKENS)).html)).toContain('to end expired');
  });

  it('is ignored in a query string or a cookie', async () => {
    const at = owners();
    const { browser, page } = await signedIn(at);
    const token = tokenOn(await make(browser, page));
    const inQuery = await at.fetch(`${ORIGIN}/mcp?access_token=${token}`, { method: 'POST' });
    const inCookie = await at.fetch(`${ORIGIN}/mcp`, { method: 'POST', headers: { cookie: `access_token=${token}` } });
    expect([inQuery.status, inCookie.status]).toEqual([401, 401]);
  });

  it('has the time of its last use, written once a minute', async () => {
    const at = owners();
    const { browser, page } = await signedIn(at);
    const token = tokenOn(await make(browser, page, { name: 'used' }));
    expect((await rowOf('used'))['last_used_at']).toBeNull();
    await call(at, token);
    const first = Number((await rowOf('used'))['last_used_at']);
    expect(first).toBeGreaterThan(Date.now() - 60_000);
    const set = (ms: number) =>
      env.DB.prepare(`UPDATE access_tokens SET last_used_at = ${ms} WHERE name = 'used'`).run();
    const recent = Date.now() - TOKEN_LAST_USED_WRITE_EVERY_MS + 30_000;
    await set(recent);
    await call(at, token);
    expect((await rowOf('used'))['last_used_at']).toBe(recent);
    await set(Date.now() - TOKEN_LAST_USED_WRITE_EVERY_MS);
    await call(at, token);
    expect(Number((await rowOf('used'))['last_used_at'])).toBeGreaterThan(recent);
  });

  it('stops working when its owner is taken off the list', async () => {
    const account: Account = { way: 'github', id: '7', login: 'octo', emails: [] };
    const wish = { name: 'octo', scopes: ['web:read'] as const, days: 1 };
    const made = await makeAccessToken(tokens, { subject: 'u_octo', account }, wish, Date.now());
    const users = (list: string) => owners({ GITHUB_CLIENT_ID: 'c', GITHUB_CLIENT_SECRET: 's', ALLOWED_USERS: list });
    expect(await (await call(users('octo'), made?.token ?? '')).json()).toMatchObject({ subject: 'u_octo' });
    for (const at of [users('somebody'), users(''), owners()]) {
      expect((await call(at, made?.token ?? '')).status).toBe(401);
    }
  });
});

describe('the token of this machine', () => {
  it('works only on a loopback host, and only with the configured value', async () => {
    const token = 'a-token-for-tests-only';
    for (const host of ['localhost:8787', '127.0.0.1', '[::1]:8787']) {
      expect(await isLocalAccessToken(token, token, `http://${host}/mcp`)).toBe(true);
      expect(await isLocalAccessToken(`${token}s`, token, `http://${host}/mcp`)).toBe(false);
      expect(await isLocalAccessToken('undefined', undefined, `http://${host}/mcp`)).toBe(false);
    }
    for (const host of ['periscope.acme.dev', 'localhost.acme.dev', '192.168.0.7', '127.0.0.1.acme.dev']) {
      expect(await isLocalAccessToken(token, token, `https://${host}/mcp`)).toBe(false);
    }
  });
});

describe('the page of access tokens', () => {
  it('neither shows nor revokes tokens of others', async () => {
    const wish = { name: 'of somebody else', scopes: ['web:read'] as const, days: 1 };
    const person = { subject: 'u_somebody', account: PASSPHRASE_ACCOUNT };
    const theirs = await makeAccessToken(tokens, person, wish, Date.now());
    const at = owners();
    const { browser, page } = await signedIn(at);
    expect(page.html).not.toContain('of somebody else');
    const fields = formFields(page.html, '/console/tokens').filter(([name]) => name === 'form');
    const refused = await browser.post('/console/tokens/revoke', [...fields, ['id', theirs?.id ?? '']]);
    expect(pageOf(refused).status).toBe(404);
    expect((await call(at, theirs?.token ?? '')).status).toBe(200);
  });

  it('requires a name, a permission and a number of days, and accepts only offered values', async () => {
    const { browser, page } = await signedIn(owners());
    for (const changes of [
      { name: '' },
      { name: ' \u200b ' },
      { scope: null },
      { scope: ['everything'] },
      { days: '0' },
      { days: '366' },
      { days: '-1' },
      { days: '1.5' },
      { days: '1e2' },
      { days: '' },
    ]) {
      const refused = await make(browser, page, changes);
      expect(refused.status).toBe(400);
      expect(refused.html).not.toContain('psc_');
      expect(refused.html.match(/aria-describedby="(?:name|scope|days)-problem"/gu)).toHaveLength(1);
      expect(refused.html.match(/autofocus/gu)).toHaveLength(1);
    }
    const refused = await make(browser, page, { name: 'kept "as" typed', scope: ['cache:purge'], days: '400' });
    expect(formFields(refused.html, '/console/tokens').slice(1)).toEqual([
      ['name', 'kept "as" typed'],
      ['scope', 'cache:purge'],
      ['days', '400'],
    ]);
    const named = await make(browser, page, { name: ' <b>a\nb</b> \u202e', days: '365' });
    expect(named.html).toContain('<bdi>&lt;b&gt;a b&lt;/b&gt;</bdi>');
    expect(named.html).not.toContain('\u202e');
  });

  it('accepts no form without a session, or from another site or browser', async () => {
    const at = owners();
    const { browser, page } = await signedIn(at);
    const fields: [string, string][] = [...formFields(page.html, '/console/tokens'), ['name', 'forged']];
    const stranger = at.browser();
    const strangersPage = pageOf(await stranger.get(`${ORIGIN}/sign-in`));
    const strangersForm = formFields(strangersPage.html, '/sign-in').filter(([name]) => name === 'form');
    const others = fields.filter(([name]) => name !== 'form');
    for (const action of ['/console/tokens', '/console/tokens/revoke']) {
      expect(pageOf(await browser.post(action, fields, { origin: 'https://evil.dev' })).status).toBe(403);
      expect(pageOf(await browser.post(action, fields, { origin: 'null' })).status).toBe(403);
      expect(pageOf(await browser.post(action, others)).status).toBe(403);
      expect(pageOf(await browser.post(action, [...others, ...strangersForm])).status).toBe(403);
      expect(pageOf(await stranger.post(action, [...others, ...strangersForm])).status).toBe(403);
    }
    expect(await rowOf('forged')).toEqual({});
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.html).not.toMatch(/<script|\sstyle=|\son\w+=/u);
  });

  it('allows tokens only up to the limit', async () => {
    const person = { subject: 'u_many', account: PASSPHRASE_ACCOUNT };
    const wish = { name: 'one of many', scopes: ['web:read'] as const, days: 1 };
    for (let n = 0; n < ACCESS_TOKENS_PER_SUBJECT_MAX; n += 1) {
      expect(await makeAccessToken(tokens, person, wish, Date.now())).not.toBeNull();
    }
    expect(await makeAccessToken(tokens, person, wish, Date.now())).toBeNull();
  });

  it('answers in JSON on request, by the same rules', async () => {
    const at = owners();
    const { browser } = await signedIn(at);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const accept = { accept: 'application/json' };
    const post = (path: string, fields: Record<string, string>, headers = {}) =>
      at.fetch(ORIGIN + path, {
        method: 'POST',
        headers: { ...accept, 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
        body: new URLSearchParams(fields).toString(),
      });
    expect((await at.fetch(TOKENS, { headers: accept })).status).toBe(401);
    const list = await (await at.fetch(TOKENS, { headers: { ...accept, cookie } })).json<{ form: string }>();
    const wish = { form: list.form, name: 'by script', scope: 'web:read', days: '7' };
    expect((await post('/console/tokens', { ...wish, form: '' })).status).toBe(403);
    expect((await post('/console/tokens', wish, { origin: 'https://claude.ai' })).status).toBe(403);
    expect(await (await post('/console/tokens', { ...wish, days: 'x' })).json()).toEqual({
      error: 'A token can be valid for 1 to 365 days.',
    });
    const made = await (await post('/console/tokens', wish)).json<{ id: string; token: string }>();
    expect((await call(at, made.token)).status).toBe(200);
    const gone = await post('/console/tokens/revoke', { form: list.form, id: made.id });
    expect(await gone.json()).toEqual({ revoked: made.id });
    expect((await call(at, made.token)).status).toBe(401);
  });
});

describe('the hourly clean-up', () => {
  it('drops only tokens that expired a while ago', async () => {
    const now = Date.now();
    const person = { subject: 'u_tidy', account: PASSPHRASE_ACCOUNT };
    for (const [name, madeAt] of [
      ['long over', now - EXPIRED_TOKEN_LISTED_MS - 2 * DAY_MS],
      ['just over', now - 2 * DAY_MS],
      ['alive', now],
    ] as const) {
      await makeAccessToken(tokens, person, { name, scopes: ['web:read'], days: 1 }, madeAt);
    }
    await new AccessTokenStore(openDb(env.DB)).purgeExpired(now - EXPIRED_TOKEN_LISTED_MS);
    expect((await tokens.list('u_tidy')).map(({ name }) => name)).toEqual(['alive', 'just over']);
  });
});
