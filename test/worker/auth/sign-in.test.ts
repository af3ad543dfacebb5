import { env, exports } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import type { Account } from '#auth/people/account.ts';
import { cookieJar } from '#auth/people/cookies.ts';
import { authorizePages } from '#web/sign-in/consent-pages.tsx';
import { pageDeps } from '#web/sign-in/page-deps.ts';
import { signValue, createSignInCookies, verifyValue } from '#auth/people/sign-ins.ts';
import { listSignInLimits } from '#auth/people/attempts.ts';
import { parseConfig } from '#core/config/config.ts';
import { partNamed } from '#core/objects.ts';
import { CONSOLE_LINKS } from '#web/console/console-page.tsx';
import { KNOWN_BROWSER_COOKIE_TTL_MS, SIGN_IN_COOKIE_TTL_MS, SIGN_IN_TRIES_MAX } from '#auth/limits.ts';
import { Browser, formFields, leftTo, pageOf, textOf } from '../../support/oauth-browser.ts';
import { accessTokens, personRows, signInObject } from '../../support/stored-people.ts';
import {
  allow,
  authorizationRequest,
  consentPage,
  ORIGIN,
  PASSPHRASE,
  personsBrowser,
  register,
  signIn,
} from '../../support/oauth-journey.ts';

const SIGN_IN = `${ORIGIN}/sign-in`;
/** Returns all tries that strangers have used. */
const everyTry = async () => {
  const all = listSignInLimits({ address: null, own: null });
  for (let n = 0; n < SIGN_IN_TRIES_MAX; n += 1) await signInObject().returnAttempt(all);
};
const guess = async (browser: Browser, passphrase: string) =>
  pageOf(await browser.submit(pageOf(await browser.get(SIGN_IN)), '/sign-in', { passphrase }));

describe('signing in', () => {
  it('accepts the passphrase and continues to the requested page', async () => {
    const { url } = await authorizationRequest(await register());
    const browser = personsBrowser();
    const before = pageOf(await browser.get(url));
    expect(textOf(before.html)).toContain('A client at client.acme.dev wants to connect to this server');
    const after = pageOf(await browser.submit(before, '/sign-in', { passphrase: ` ${PASSPHRASE} ` }));
    expect(after.url).toBe(url);
    expect(textOf(after.html)).toContain('Give access to client.acme.dev ?');
  });

  it('reports a wrong passphrase, and starts no session', async () => {
    const browser = personsBrowser();
    const { url } = await authorizationRequest(await register());
    const asked = pageOf(await browser.get(url));
    const refused = pageOf(await browser.submit(asked, '/sign-in', { passphrase: 'wrong' }));
    expect(textOf(refused.html)).toContain('A client at client.acme.dev wants to connect');
    for (const wrong of [
      '',
      'wrong',
      `${PASSPHRASE}x`,
      PASSPHRASE.slice(0, -1),
      PASSPHRASE.toUpperCase(),
      'x'.repeat(2_000),
    ]) {
      const page = await guess(browser, wrong);
      expect(page.status).toBe(401);
      expect(textOf(page.html)).toContain('That is not the passphrase.');
    }
    expect([...browser.cookies.keys()]).toEqual(['periscope--form']);
    await everyTry();
  });

  it('gives cookies that scripts and other sites cannot use, and on https only this host can set', async () => {
    for (const [origin, prefix] of [
      ['http://localhost', 'periscope--'],
      ['https://localhost', '__Host-periscope-'],
    ] as const) {
      const seen: string[] = [];
      const browser = new Browser(origin, async (url, init) => {
        const response = await exports.default.fetch(url, init);
        seen.push(...response.headers.getSetCookie());
        return response;
      });
      const form = pageOf(await browser.get(`${origin}/sign-in`));
      await browser.submit(form, '/sign-in', { passphrase: PASSPHRASE });
      const session = seen.find((line) => line.startsWith(`${prefix}session=`)) ?? '';
      const attributes = session.split('; ').slice(1);
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']));
      expect(attributes.includes('Secure')).toBe(origin.startsWith('https'));
      expect(session).not.toMatch(/domain/i);
      expect(seen.join('\n')).not.toContain(PASSPHRASE);
    }
  });
});

describe('a session', () => {
  async function signedIn() {
    const browser = personsBrowser();
    const { url } = await authorizationRequest(await register());
    await signIn(browser, url);
    return { browser, url, cookie: browser.cookies.get('periscope--session') ?? '' };
  }
  const asksAgain = async (browser: Browser, url: string) =>
    pageOf(await browser.get(url)).html.includes('action="/sign-in"');

  it('is valid until its cookie is changed in any place', async () => {
    const { browser, url, cookie } = await signedIn();
    expect(await asksAgain(browser, url)).toBe(false);
    const flipped = Array.from({ length: 12 }, (_, n) => {
      const at = Math.floor((n * (cookie.length - 1)) / 11);
      return cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1);
    });
    const [body = '', mac = ''] = cookie.split('.');
    const known = browser.cookies.get('periscope--browser') ?? '';
    const form = pageOf(await browser.get(url));
    const formToken = formFields(form.html, '/authorize').find(([name]) => name === 'form')?.[1] ?? '';
    const forged = btoa(JSON.stringify({ subject: 'mallory', until: 9e15, lock: '' }));
    const others = [
      ...flipped,
      '',
      body,
      `.${mac}`,
      `${body}.`,
      `${forged}.${mac}`,
      `${cookie}.x`,
      known,
      formToken,
      '%%%',
    ];
    for (const value of others) {
      browser.cookies.set('periscope--session', value);
      expect(await asksAgain(browser, url)).toBe(true);
    }
    browser.cookies.set('periscope--session', cookie);
    expect(await asksAgain(browser, url)).toBe(false);
  });

  it('ends when the person signs out', async () => {
    const { browser, url } = await signedIn();
    const page = pageOf(await browser.get(url));
    expect(textOf(pageOf(await browser.submit(page, '/sign-out', {})).html)).toContain('Signed out');
    expect(await asksAgain(browser, url)).toBe(true);
  });

  it('ends at every endpoint once the person has signed out, also for a copy of its cookie', async () => {
    const { browser, url, cookie } = await signedIn();
    const elsewhere = await signedIn();
    const page = pageOf(await browser.get(url));
    const form = formFields(page.html, '/sign-out');
    await browser.submit(page, '/sign-out', {});
    browser.cookies.set('periscope--session', cookie);
    expect(await asksAgain(browser, url)).toBe(true);
    const places = [...CONSOLE_LINKS.map(({ path }) => path), '/console/tokens', '/live/any', '/c/c_0123456789abcdef'];
    for (const place of places) expect(await asksAgain(browser, ORIGIN + place)).toBe(true);
    const headers = { accept: 'application/json', cookie: `periscope--session=${cookie}` };
    expect((await exports.default.fetch(`${ORIGIN}/console/tokens`, { headers })).status).toBe(401);
    for (const place of [
      '/console/tokens',
      '/console/activity',
      '/console/secrets',
      '/console/citations',
      '/authorize',
    ]) {
      expect(pageOf(await browser.post(place, [...form, ['do', 'off']])).status).toBe(403);
    }
    expect(pageOf(await browser.post('/live/any', form)).status).toBe(401);
    const socket = await exports.default.fetch(`${ORIGIN}/live/any?ticket=x`, {
      headers: { ...headers, origin: ORIGIN, upgrade: 'websocket' },
    });
    expect(socket.status).toBe(401);
    expect(await asksAgain(elsewhere.browser, elsewhere.url)).toBe(false);
    await signIn(browser, url);
    expect(await asksAgain(browser, url)).toBe(false);
  });

  it('that has ended is remembered for as long as its cookie would be valid, and no cookie of others is', async () => {
    const rows = async () => (await env.DB.prepare('SELECT * FROM ended_sign_ins').all<{ ends_at: number }>()).results;
    await env.DB.prepare('DELETE FROM ended_sign_ins').run();
    const { browser, url, cookie } = await signedIn();
    const form = formFields(pageOf(await browser.get(url)).html, '/sign-out');
    for (const made of ['x', `${cookie}x`, '', 'a.b', cookie.replace('.', '..')]) {
      browser.cookies.set('periscope--session', made);
      await browser.post('/sign-out', form);
    }
    expect(await rows()).toEqual([]);
    for (const _ of [1, 2]) {
      browser.cookies.set('periscope--session', cookie);
      await browser.post('/sign-out', form);
    }
    const [kept, ...more] = await rows();
    expect(more).toEqual([]);
    expect(JSON.stringify(kept)).not.toContain(cookie);
    expect((kept?.ends_at ?? 0) - Date.now()).toBeGreaterThan(SIGN_IN_COOKIE_TTL_MS - 60_000);
    await env.DB.prepare('UPDATE ended_sign_ins SET ends_at = ?')
      .bind(Date.now() - 1)
      .run();
    const next = await signedIn();
    await next.browser.submit(pageOf(await next.browser.get(next.url)), '/sign-out', {});
    expect((await rows()).filter(({ ends_at: endsAt }) => endsAt < Date.now())).toEqual([]);
  });
});

describe('a session cookie', () => {
  const jar = cookieJar('https://periscope.acme.dev');
  const asked = (setCookies: string[]) =>
    new Request('https://periscope.acme.dev/', {
      headers: { cookie: setCookies.map((line) => line.split(';')[0]).join('; ') },
    });

  const config = (passphrase: string) => parseConfig({ OWNER_PASSPHRASE: passphrase });
  const owner = { subject: 'o_somebody', account: PASSPHRASE_ACCOUNT };

  it('is invalid after its time, whatever the browser stores', async () => {
    let now = 1_000;
    const kept = createSignInCookies('a secret', config(PASSPHRASE), jar, () => now, personRows());
    const request = asked(await kept.open(owner));
    now += SIGN_IN_COOKIE_TTL_MS - 1;
    expect(await kept.read(request)).toEqual({ ...owner, owner: true, zone: 'UTC' });
    now += 1;
    expect(await kept.read(request)).toBeNull();
    expect(await kept.ownTries(request)).not.toBeNull();
    now += KNOWN_BROWSER_COOKIE_TTL_MS;
    expect(await kept.ownTries(request)).toBeNull();
  });

  it('is invalid under another passphrase, another secret, or for another purpose', async () => {
    const kept = createSignInCookies('a secret', config(PASSPHRASE), jar, Date.now, personRows());
    const request = asked(await kept.open(owner));
    expect(
      await createSignInCookies('a secret', config('another passphrase'), jar, Date.now, personRows()).read(request),
    ).toBeNull();
    expect(
      await createSignInCookies('another secret', config(PASSPHRASE), jar, Date.now, personRows()).read(request),
    ).toBeNull();
    const browser = jar.read(request, 'browser') ?? '';
    expect(await kept.read(asked([jar.write('session', browser, 1_000)]))).toBeNull();
  });

  it("cannot be signed with the deployment's stored data alone, without its settings", async () => {
    const settings = { OIDC_ISSUER: 'https://login.acme.dev', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
    const ana: Account = { way: 'oidc', issuer: settings.OIDC_ISSUER, id: '7', emails: ['ana@acme.dev'] };
    const under = (more: Record<string, string>) =>
      createSignInCookies(
        'stored',
        parseConfig({ ...settings, ALLOWED_USERS: 'ana@acme.dev', ...more }),
        jar,
        Date.now,
        personRows(),
      );
    const ours = under({ SESSION_SECRET: 'a'.repeat(32) });
    const person = { subject: 'u_ana', account: ana };
    expect(await ours.read(asked(await ours.open(person)))).toMatchObject(person);
    for (const forger of [under({}), under({ SESSION_SECRET: 'b'.repeat(32) })]) {
      const request = asked(await forger.open(person));
      expect(await forger.read(request)).toMatchObject(person);
      expect(await ours.read(request)).toBeNull();
    }
  });

  it('does not survive any change', async () => {
    const sealed = await signValue('a secret', 'session', 'payload');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sealed.length - 1),
        fc.constantFrom('A', 'Q', 'g', 'w', '_', '-', '.', 'x'),
        async (at, char) => {
          const changed = sealed.slice(0, at) + char + sealed.slice(at + 1);
          expect(await verifyValue('a secret', 'session', changed)).toBe(changed === sealed ? 'payload' : null);
        },
      ),
    );
    expect(await verifyValue('a secret', 'session', sealed)).toBe('payload');
    expect(await verifyValue('a secret', 'form', sealed)).toBeNull();
  });
});

describe('every form', () => {
  it('is refused from another site, and without the token of this browser', async () => {
    const { url } = await authorizationRequest(await register());
    const browser = personsBrowser();
    const page = await consentPage(browser, url);
    const forms: [string, [string, string][]][] = [
      ['/sign-in', [['passphrase', PASSPHRASE], ['next', '/'], ...formFields(page.html, '/sign-out')]],
      ['/authorize', [...formFields(page.html, '/authorize'), ['decision', 'allow']]],
      ['/sign-out', formFields(page.html, '/sign-out')],
    ];
    const victim = browser.cookies.get('periscope--session');
    for (const [action, fields] of forms) {
      for (const origin of ['https://claude.ai', 'http://localhost:9999']) {
        expect(pageOf(await browser.post(action, fields, { origin })).status).toBe(403);
      }
      for (const origin of ['https://evil.dev', 'null']) {
        expect(pageOf(await browser.post(action, fields, { origin })).status).toBe(403);
      }
      const strangers = pageOf(await personsBrowser().get(SIGN_IN));
      const [, foreign = ''] = formFields(strangers.html, '/sign-in').find(([name]) => name === 'form') ?? [];
      for (const token of ['', 'x.y', foreign]) {
        const changed = fields.map(([name, value]): [string, string] =>
          name === 'form' ? [name, token] : [name, value],
        );
        expect(pageOf(await browser.post(action, changed)).status).toBe(403);
      }
    }
    expect(browser.cookies.get('periscope--session')).toBe(victim);
    expect(leftTo(await allow(browser, page)).searchParams.get('code')).not.toBeNull();
  });

  it('is refused when it is larger than a form, or not a form', async () => {
    const post = async (type: string, body: string) => {
      const headers = { origin: ORIGIN, 'content-type': type };
      return (await exports.default.fetch(`${ORIGIN}/sign-in`, { method: 'POST', headers, body })).status;
    };
    expect(await post('application/x-www-form-urlencoded', `passphrase=${'x'.repeat(100_000)}`)).toBe(413);
    expect(await post('application/json', '{}')).toBe(415);
    expect(await post('multipart/form-data', '--')).toBe(415);
    expect(await post('text/plain', 'passphrase=x')).toBe(415);
  });
});

describe('without a passphrase', () => {
  it('signing in is impossible, and the page explains how to enable it', async () => {
    const deps = await pageDeps(
      {
        origin: ORIGIN,
        config: parseConfig({}),
        refused: () => undefined,
        report: () => undefined,
        consentsOf: (subject) => partNamed(env.CLIENT, subject, 'consents'),
        grantsOf: (subject) => partNamed(env.CLIENT, subject, 'grants'),
        signIn: signInObject(),
        tokens: accessTokens(),
        people: personRows(),
        askUpstream: () => Promise.reject(new Error('nothing is asked')),
        judgeClientUrl: async () => 'allowed',
      },
      env,
    );
    const { url } = await authorizationRequest(await register());
    const response = await authorizePages(deps).request(url);
    expect(response.status).toBe(501);
    expect(await response.text()).toContain('OWNER_PASSPHRASE');
  });
});
