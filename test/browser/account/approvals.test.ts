import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { createSignInCookies } from '#auth/people/sign-ins.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { parseConfig } from '#core/config/config.ts';
import { findOrCreateDoor } from '#doors.ts';
import { openDb } from '#storage/db.ts';
import { SiteRuleStore } from '#storage/site-rules.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { replaced } from '#support/replaced.ts';
import { personRows, signInObject } from '#support/stored-people.ts';

const SUBJECT = 'u_asked_ana';
const ORIGIN = 'http://localhost';
const HOOK = 'https://hooks.acme.dev/services/questions';
const ISSUER = 'https://login.acme.dev/';
const SETTINGS = {
  HANDOFF_WEBHOOK_URL: HOOK,
  HANDOFF_WEBHOOK_SECRET: 'a secret for signatures',
  ALLOWED_PRIVATE_HOSTS: 'hooks.acme.dev:443',
  OIDC_ISSUER: ISSUER,
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'secret',
  ALLOWED_USERS: 'ana@acme.dev, bob@acme.dev',
};
const PAGE = `document.body.innerHTML = '<button onclick="this.nextSibling.textContent = Number(this.nextSibling.textContent) + 1">Delete</button><b>0</b>'; return 1`;

const config = parseConfig({ ...env, ...SETTINGS });
const send = (request: Request) =>
  findOrCreateDoor(ORIGIN, config, { ...env }).fetch(request, createExecutionContext());
const store = new SiteRuleStore(openDb(env.DB));
const session = () => env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, 'asked')));

let token = '';
let stop: () => void;
const hooked: string[] = [];

async function call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { result } = await callTool('modern', tool, { session: 'asked', ...args }, { token, send });
  return (result?.content ?? []).map(({ text }) => text).join('\n');
}

async function signedIn(subject: string, name: string): Promise<Browser> {
  const account: Account = { way: 'oidc', issuer: ISSUER, id: `sub-${name}`, emails: [`${name}@acme.dev`] };
  const { secret } = await deploymentIdentity(signInObject());
  const kept = createSignInCookies(secret, config, cookieJar(ORIGIN), Date.now, personRows());
  const browser = new Browser(ORIGIN, (url, init) => send(new Request(url, init)));
  for (const line of await kept.open({ subject, account })) {
    const [name_ = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    browser.cookies.set(name_, value);
  }
  return browser;
}

beforeAll(async () => {
  token = await grantFor(SUBJECT, ['browser:use', 'browser:evaluate']);
  stop = replaced(globalThis, 'fetch', (fetch, self, args) => {
    if (args[0] !== HOOK) return Reflect.apply(fetch, self, args);
    const init: object = args[1] ?? {};
    hooked.push('body' in init ? String(init.body) : '');
    return Promise.resolve(new Response('ok'));
  });
  await call('browser_navigate', { url: 'http://login.acme.dev/who' });
  await call('browser_evaluate', { script: PAGE });
  await store.save(SUBJECT, { rules: [], fallback: 'ask' });
  await session().rulesChanged();
});
afterAll(async () => {
  await call('browser_close');
  stop();
});

const tokenIn = (html: string) => /name="form" value="([^"]+)"/u.exec(html)?.[1] ?? '';

describe('an approval question', { timeout: 120_000 }, () => {
  it('is sent to the webhook once, with text of this server and a link that answers nothing by itself', async () => {
    const asked = await call('browser_click', { selector: 'button "Delete"' });
    const [question] = await session().questions(SUBJECT);
    const link = `${ORIGIN}/console/approvals?name=asked&question=${question?.id}`;
    expect(asked).toContain(link);
    await expect.poll(() => hooked.length).toBe(1);
    expect(hooked[0]).toContain(`Answer: ${link}`);
    expect(hooked[0]).not.toContain('Delete');
    await call('browser_click', { selector: 'button "Delete"' });
    const ana = await signedIn(SUBJECT, 'ana');
    expect(pageOf(await ana.get(`${link}&answer=once`)).status).toBe(200);
    expect((await session().questions(SUBJECT)).length).toBe(1);
    expect(hooked).toHaveLength(1);
  });

  it('is on a page that no site can frame, and accepts no answer from another site, user or form', async () => {
    const [ana, bob] = await Promise.all([signedIn(SUBJECT, 'ana'), signedIn('u_asked_bob', 'bob')]);
    const [question] = await session().questions(SUBJECT);
    const path = `/console/approvals?name=asked&question=${question?.id}`;
    const shown = pageOf(await ana.get(ORIGIN + path));
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(shown.headers.get('x-frame-options')).toBe('DENY');
    const bobs = tokenIn(pageOf(await bob.get(ORIGIN + path)).html);
    const fields = (form: string): [string, string][] => [
      ['form', form],
      ['session', 'asked'],
      ['question', question?.id ?? ''],
      ['answer', 'once'],
    ];
    expect(bobs).not.toBe('');
    for (const wrong of ['', bobs, `${tokenIn(shown.html)}x`])
      expect(pageOf(await ana.post(path, fields(wrong))).status).toBe(403);
    await bob.post(path, fields(bobs));
    const fromElsewhere = await ana.post(path, fields(''), {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(pageOf(fromElsewhere).status).toBe(403);
    expect(await session().questions(SUBJECT)).toHaveLength(1);
    expect(await call('browser_click', { selector: 'button "Delete"' })).toContain('approval_needed');
  });

  it('becomes a rule when it is answered with “always”, and later acts pass without a question', async () => {
    const ana = await signedIn(SUBJECT, 'ana');
    const [question] = await session().questions(SUBJECT);
    const path = `/console/approvals?name=asked&question=${question?.id}`;
    const form = tokenIn(pageOf(await ana.get(ORIGIN + path)).html);
    const answered = await ana.post(path, [
      ['form', form],
      ['session', 'asked'],
      ['question', question?.id ?? ''],
      ['answer', 'always'],
    ]);
    expect(pageOf(answered).html).toContain('class="done"');
    expect(await store.read(SUBJECT)).toEqual({
      rules: [{ host: 'login.acme.dev', path: '/who', level: 'act' }],
      fallback: 'ask',
    });
    for (let count = 0; count < 2; count += 1)
      expect(await call('browser_click', { selector: 'button "Delete"' })).not.toContain('approval_needed');
    expect(await session().questions(SUBJECT)).toEqual([]);
    expect(await call('browser_evaluate', { script: `return document.querySelector('b').textContent` })).toContain('2');
    expect(pageOf(await ana.get(`${ORIGIN}/console/activity`)).html).toContain('approved always, on login.acme.dev');
  });
});
