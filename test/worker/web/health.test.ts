import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#core/config/config.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { ENGINE_SETTING_NAMES } from '#core/search-engines.ts';
import { checkDeployment } from '#web/health/health-check.ts';
import type { HealthCheck, HealthProbes } from '#web/health/health-check.ts';
import { healthPage } from '#web/health/health.tsx';
import { PASSPHRASE_ACCOUNT } from '#auth/people/account.ts';
import type { ConsoleDeps } from '#web/console/console.tsx';
import { MIGRATIONS } from '#storage/db.ts';
import { formFields, pageOf, textOf } from '../../support/oauth-browser.ts';
import type { Browser } from '../../support/oauth-browser.ts';
import { oauthApi } from '../../support/grants.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '../../support/oauth-journey.ts';

const PUBLIC = 'https://periscope.acme.dev';
const HEALTH = '/console/health';

function signInsOf(person: { owner: boolean } | null): ConsoleDeps['signIns'] {
  return {
    read: async () =>
      person === null ? null : { subject: 'one', account: PASSPHRASE_ACCOUNT, zone: 'UTC', ...person },
    startForm: async () => ({ token: 'fits', setCookie: 'form=1' }),
    isOurForm: async (_, token) => token === 'fits',
  };
}

/** Services that a door gives to its pages. */
const GIVEN = { waitingFor: async () => [] };

function posted(form: string, more: Record<string, string> = {}): RequestInit {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', headers, body: new URLSearchParams({ form, ...more }).toString() };
}

async function ownersBrowser(): Promise<Browser> {
  const browser = personsBrowser();
  const form = pageOf(await browser.get(`${ORIGIN}/sign-in`));
  await browser.submit(form, '/sign-in', { passphrase: PASSPHRASE });
  return browser;
}

/** Checks of browsers; in tests without one, the binding has another name. */
const BROWSERS: ReadonlySet<string> = new Set(['BROWSER', 'UNUSED']);

/** The names under which objects are bound. */
function objectsBound(): string[] {
  const bound: [string, unknown][] = Object.entries(env);
  return bound.flatMap(([name, value]) =>
    !BROWSERS.has(name) &&
    !name.startsWith('__') &&
    typeof value === 'object' &&
    value !== null &&
    'idFromName' in value
      ? [name]
      : [],
  );
}

describe('the health check page', () => {
  it('lists every kind of object', () => {
    expect(objectsBound()).toHaveLength(6);
  });

  it('sends a signed-out visitor to sign in, and back', async () => {
    const response = await exports.default.fetch(ORIGIN + HEALTH, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/sign-in?next=%2Fconsole%2Fhealth');
    const browser = personsBrowser();
    const form = pageOf(await browser.get(ORIGIN + HEALTH));
    const page = pageOf(await browser.submit(form, '/sign-in', { passphrase: PASSPHRASE }));
    expect(new URL(page.url).pathname).toBe(HEALTH);
    expect(textOf(page.html)).toContain('Health check');
  });

  it('reports that the whole Worker works, part by part', async () => {
    const page = pageOf(await (await ownersBrowser()).get(ORIGIN + HEALTH));
    const text = textOf(page.html);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    // The internet of these tests has no such host.
    expect(text).toContain('One thing does not work. Network Looking up host names. DNS over HTTPS gives no address');
    for (const part of [
      'Database (D1). It answers, and has all migrations.',
      'Grants and tokens (KV). It can be written and read.',
      `Durable Objects. ${objectsBound().length} classes answer.`,
      ...objectsBound(),
      'Search: local. It answers, but covers only pages',
    ]) {
      expect(text).toContain(part);
    }
    expect(page.html).not.toMatch(/<script|\sstyle=|\son\w+=/iu);
    expect(page.html).not.toContain(PASSPHRASE);
  });

  it('leaves no client and no key behind', async () => {
    const before = (await oauthApi().listClients()).items.length;
    const browser = await ownersBrowser();
    await browser.get(ORIGIN + HEALTH);
    expect((await oauthApi().listClients()).items).toHaveLength(before);
    expect((await env.OAUTH_KV.list({ prefix: 'health:' })).keys).toEqual([]);
  });

  it('is available only to the owner', async () => {
    let looked = 0;
    const app = healthPage({
      signIns: signInsOf({ owner: false }),
      isLiveCheck: async () => false,
      check: async () => {
        looked += 1;
        return [];
      },
    });
    expect((await app.request(HEALTH, {}, GIVEN)).status).toBe(403);
    expect((await app.request(HEALTH, posted('fits'), GIVEN)).status).toBe(403);
    expect(looked).toBe(0);
  });

  it('runs checks that cost money only when their button was pressed', async () => {
    const asked: string[] = [];
    const app = (person: { owner: boolean } | null) =>
      healthPage({
        signIns: signInsOf(person),
        isLiveCheck: async (key) => key === 'of the last deploy',
        check: async (look) => {
          asked.push(look);
          return [];
        },
      });
    const page = await app({ owner: true }).request(HEALTH, {}, GIVEN);
    expect(formFields(await page.text(), HEALTH)).toEqual([['form', 'fits']]);
    for (const form of ['', 'of another browser']) {
      expect((await app({ owner: true }).request(HEALTH, posted(form), GIVEN)).status).toBe(403);
    }
    expect((await app(null).request(HEALTH, posted('fits'), GIVEN)).status).toBe(403);
    expect(asked).toEqual(['free']);
    expect((await app({ owner: true }).request(HEALTH, posted('fits'), GIVEN)).status).toBe(200);
    const tried = await app({ owner: true }).request(HEALTH, posted('fits', { look: 'browser' }), GIVEN);
    expect(tried.status).toBe(200);
    expect(asked).toEqual(['free', 'paid', 'browser']);
  });

  it('has a form that works in the whole Worker, and not from other sites', async () => {
    const browser = await ownersBrowser();
    const page = pageOf(await browser.get(ORIGIN + HEALTH));
    expect(textOf(pageOf(await browser.submit(page, HEALTH, {})).html)).toContain('Health check');
    const fields = formFields(page.html, HEALTH);
    expect(pageOf(await browser.post(HEALTH, fields, { origin: 'https://evil.dev' })).status).toBe(403);
    expect(pageOf(await browser.post(HEALTH, [['form', 'x.y']])).status).toBe(403);
  });

  it('tests the browser only for a caller with the key of the last deploy', async () => {
    const form = (key: string) => ({ ...posted('', { key }) });
    for (const key of ['', 'x'.repeat(43)]) {
      expect((await exports.default.fetch(`${ORIGIN}/console/health/browser`, form(key))).status).toBe(403);
    }
    const app = healthPage({
      signIns: signInsOf(null),
      isLiveCheck: async (key) => key === 'of the last deploy',
      check: async (look) => [{ name: look, verdict: 'ok', found: 'Fine.' }],
    });
    const answer = await app.request('/console/health/browser', form('of the last deploy'));
    expect(await answer.json()).toEqual({ checks: [{ name: 'browser', verdict: 'ok', found: 'Fine.' }] });
    expect((await app.request('/console/health/browser', form('of another'))).status).toBe(403);
  });

  it('lists failures first', async () => {
    const checks: HealthCheck[] = [
      { name: 'One', verdict: 'ok', found: 'Fine.' },
      { name: 'Two', verdict: 'fail', found: 'Broken <b>.', fix: 'Mend it.' },
      { name: 'Three', verdict: 'unknown', found: 'Who knows.', command: 'curl -A "x" https://a.dev' },
    ];
    const app = healthPage({
      signIns: signInsOf({ owner: true }),
      isLiveCheck: async () => false,
      check: async () => checks,
    });
    const html = await (await app.request(HEALTH, {}, GIVEN)).text();
    expect(html.indexOf('<strong>Two')).toBeLessThan(html.indexOf('<strong>One'));
    expect(html).toContain('One thing does not work.');
    expect(html).toContain('Broken &lt;b&gt;.');
    expect(textOf(html)).toContain('curl -A "x" https://a.dev');
  });
});

describe('the migrations of this version', () => {
  it('are those in the folder', () => {
    expect(MIGRATIONS).toEqual(env.TEST_MIGRATIONS.map(({ name }) => name));
  });
});

function parts(changed: Partial<HealthProbes> = {}): HealthProbes {
  return {
    origin: PUBLIC,
    config: parseConfig({
      PUBLIC_URL: PUBLIC,
      OWNER_PASSPHRASE: PASSPHRASE,
      RENDER_ENABLED: 'true',
      BRAVE_API_KEY: 'a-key',
    }),
    database: async () => null,
    store: async () => true,
    objects: { CLIENT: async () => [] },
    hasBrowser: true,
    webhook: async () => null,
    resolve: async () => ['192.0.2.1'],
    search: [
      { name: 'brave', paid: true, ask: async () => [] },
      { name: 'local', paid: false, ask: async () => [] },
    ],
    outside: async () => new Response('{}'),
    ...changed,
  };
}

async function verdicts(
  changed: Partial<HealthProbes>,
  reported: unknown[] = [],
): Promise<Record<string, HealthCheck>> {
  const checks = await checkDeployment(parts(changed), true, (error) => {
    reported.push(error);
    return 'log-id';
  });
  return Object.fromEntries(checks.filter(({ verdict }) => verdict !== 'ok').map((check) => [check.name, check]));
}

const broken = async () => {
  throw new Error('secret inner words');
};

describe('the webhook for hand-offs', () => {
  it.each([
    [null, 'unknown'],
    [{ at: 1, outcome: 'http_404' }, 'fail'],
    [{ at: 1, outcome: 'sent' }, undefined],
  ])('is checked if it is set: %j', async (last, verdict) => {
    const set = { HANDOFF_WEBHOOK_URL: 'https://hooks.acme.dev/', HANDOFF_WEBHOOK_SECRET: 'secret' };
    const found = await verdicts({ config: parseConfig({ ...set, PUBLIC_URL: PUBLIC }), webhook: async () => last });
    expect(found['Webhook for hand-offs']?.verdict).toBe(verdict);
    expect((await verdicts({ webhook: async () => last }))['Webhook for hand-offs']).toBeUndefined();
  });
});

describe('the dependencies of a deployment', () => {
  it('are fine when every part works', async () => {
    expect(await verdicts({})).toEqual({});
  });

  it.each([
    ['Database (D1)', { database: broken }],
    ['Grants and tokens (KV)', { store: broken }],
    ['Durable Object CLIENT', { objects: { CLIENT: broken } }],
    ['Search: brave', { search: [{ name: 'brave', paid: true, ask: broken }] }],
  ])('fail at %s alone when it throws, and show nothing of the error', async (name, changed) => {
    const reported: unknown[] = [];
    const found = await verdicts(changed, reported);
    expect(Object.keys(found)).toEqual([name]);
    expect(found[name]).toMatchObject({ verdict: 'fail', found: expect.stringContaining('log-id') });
    expect(JSON.stringify(found)).not.toContain('secret inner words');
    expect(reported).toHaveLength(1);
  });

  it('do not spend a paid query without being asked', async () => {
    const asked: string[] = [];
    const provider = (name: string, paid: boolean) => ({ name, paid, ask: async () => void asked.push(name) });
    const search = [provider('brave', true), provider('searxng', false)];
    const checks = await checkDeployment(parts({ search }), false, () => 'log-id');
    expect(asked).toEqual(['searxng']);
    const found = checks.find(({ name }) => name === 'Search: brave');
    expect(found).toMatchObject({ verdict: 'unknown', found: expect.stringContaining('only the button') });
  });

  it('explain how to turn credits on if the search of Cloudflare has none', async () => {
    const ask = async () => {
      throw new PeriscopeError({ code: 'search_unavailable', provider: 'cloudflare', reason: 'no credits (HTTP 402)' });
    };
    const found = await verdicts({ search: [{ name: 'cloudflare', paid: true, ask }] });
    expect(found['Search: cloudflare']).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('no credits'),
      fix: expect.stringMatching(/AI > AI Gateway in the Cloudflare dashboard.*top up/),
    });
  });

  it('name the setting of every engine if no web search is set up', async () => {
    const found = await verdicts({ search: [{ name: 'local', paid: false, ask: async () => [] }] });
    const settings = Object.values(ENGINE_SETTING_NAMES);
    const [fix = ''] = found['Search: local']?.fix?.split('. ') ?? [];
    expect(fix.match(/\b[A-Z]+_(?:API_KEY|URL)\b/g)).toEqual(settings);
  });

  it('report an internal failure in words of this server', async () => {
    const ask = async () => {
      throw new PeriscopeError({ code: 'search_auth_error', provider: 'brave', reason: 'HTTP 401' });
    };
    const found = await verdicts({ search: [{ name: 'brave', paid: true, ask }] });
    expect(found['Search: brave']?.found).toContain('refused the key');
  });

  it.each([
    ['Database (D1)', 'fail', 'lacks 1 of 2', { database: async () => 'The database lacks 1 of 2 migrations.' }],
    ['Grants and tokens (KV)', 'warn', 'cannot be read yet', { store: async () => false }],
    ['Settings', 'fail', 'No browser is bound', { hasBrowser: false }],
    [
      'Settings',
      'warn',
      'RENDER_ENABLED is off',
      { config: parseConfig({ PUBLIC_URL: PUBLIC, OWNER_PASSPHRASE: PASSPHRASE, RENDER_ENABLED: 'false' }) },
    ],
    ['Looking up host names', 'fail', 'no address', { resolve: async () => [] }],
    ['Looking up host names', 'fail', 'no address', { resolve: broken }],
    ['Search: local', 'warn', 'only pages', { search: [{ name: 'local', paid: false, ask: async () => [] }] }],
    ['Settings', 'fail', 'not https', { origin: 'http://periscope.acme.dev' }],
    ['Settings', 'warn', 'not set', { config: parseConfig({ OWNER_PASSPHRASE: PASSPHRASE, RENDER_ENABLED: 'true' }) }],
    ['Settings', 'fail', 'No one can sign in', { config: parseConfig({ PUBLIC_URL: PUBLIC, RENDER_ENABLED: 'true' }) }],
    [
      'Settings',
      'warn',
      'ALLOWED_USERS is set, but those users have no way to sign in',
      {
        config: parseConfig({
          PUBLIC_URL: PUBLIC,
          OWNER_PASSPHRASE: PASSPHRASE,
          RENDER_ENABLED: 'true',
          ALLOWED_USERS: 'ana@acme.dev',
        }),
      },
    ],
    [
      'Settings',
      'warn',
      'LOCAL_ACCESS_TOKEN',
      {
        config: parseConfig({
          PUBLIC_URL: PUBLIC,
          OWNER_PASSPHRASE: PASSPHRASE,
          RENDER_ENABLED: 'true',
          LOCAL_ACCESS_TOKEN: 'a-token-for-tests-only',
        }),
      },
    ],
  ] as const)('report %s as a %s', async (name, verdict, words, changed) => {
    const found = await verdicts(changed);
    expect(Object.keys(found)).toEqual([name]);
    expect(found[name]).toMatchObject({ verdict, found: expect.stringContaining(words) });
    expect(found[name]?.fix).toMatch(/\w/);
  });
});

describe('the connection check for clients', () => {
  const look = async (outside: HealthProbes['outside']) => {
    const checks = await checkDeployment(parts({ outside }), false, () => 'log-id');
    return new Map(checks.map((check) => [check.name, check]));
  };

  it('notices rules that block hosts, by the names that hosts send', async () => {
    const asked: string[] = [];
    const found = await look(async (_, userAgent) => {
      asked.push(userAgent);
      return userAgent.startsWith('Claude')
        ? new Response('', { status: 403, headers: { 'cf-mitigated': 'challenge' } })
        : new Response('{}');
    });
    expect(asked.toSorted()).toEqual(['Claude-User', 'openai-mcp/1.0.0']);
    expect(found.get('Reaching this address as Claude')).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('HTTP 403'),
      fix: expect.stringContaining('/.well-known/*'),
      command: expect.stringContaining("-A 'Claude-User' https://periscope.acme.dev/.well-known/"),
    });
    expect(found.get('Reaching this address as ChatGPT')).toMatchObject({ verdict: 'ok' });
  });

  it('admits what it cannot check from inside, and gives the command that can', async () => {
    const found = await look(broken);
    expect(found.get('Reaching this address as ChatGPT')).toMatchObject({
      verdict: 'unknown',
      command: expect.stringContaining('curl'),
    });
  });
});
