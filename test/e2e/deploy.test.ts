import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeployOptions } from '#scripts/deploy/deploy.ts';
import { CHECK_PATH, deployWorld, DOMAIN, PROJECT, WORKERS_DEV } from '#support/deploy-world.ts';
import { runProgram } from '#support/run-program.ts';

const world = deployWorld();

describe('npm run deploy', () => {
  it('deploys from an empty account to a working URL, and changes nothing when it is run again', async () => {
    world.putRealWorker();
    world.account().credits = 5;
    await world.runForReal(
      { BRAVE_API_KEY: 'brave-key', MAX_BYTES: '1000000', SOMETHING_ELSE: 'x' },
      { location: 'weur' },
    );
    const { databases, stores, worker } = world.account();
    expect(databases).toContainEqual(expect.objectContaining({ name: 'periscope', location: 'weur' }));
    expect(stores.map(({ title }) => title)).toEqual(['periscope-oauth']);
    expect(world.migrations()).toContain('0000_initial.sql');
    expect(world.madePassphrase()).toMatch(/^[a-z0-9-]{20,}$/u);
    expect(worker).toMatchObject({
      secrets: {
        BRAVE_API_KEY: 'brave-key',
        OWNER_PASSPHRASE: world.madePassphrase(),
        SESSION_SECRET: expect.stringMatching(/^[\w-]{43}$/u),
        LIVE_CHECK_KEY: expect.stringMatching(/^[\w-]{43}$/u),
      },
      vars: { MAX_BYTES: '1000000' },
      workersDev: true,
      domains: [],
      schedules: ['17 * * * *'],
    });
    expect(worker?.vars).not.toHaveProperty('SOMETHING_ELSE');
    expect(worker?.metadata.bindings).toContainEqual(expect.objectContaining({ type: 'ai', name: 'AI' }));
    expect(world.printed()).toContain(`Connector URL  ${WORKERS_DEV}/mcp`);
    expect(world.printed()).toContain(`${WORKERS_DEV}/console/health`);
    for (const secret of ['brave-key', worker?.secrets['SESSION_SECRET'], worker?.secrets['LIVE_CHECK_KEY']]) {
      expect(world.printed()).not.toContain(secret ?? '');
    }
    for (const words of [
      '1. Start a browser.',
      'its request to a private address was blocked',
      '10. Render a page for reading.',
    ]) {
      expect(world.printed()).toContain(words);
    }
    expect(world.printed()).not.toContain('does not work as it should');
    expect(world.written()).not.toContain(world.madePassphrase());
    expect(readdirSync(join(world.home(), 'tmp'), { recursive: true })).not.toContainEqual(
      expect.stringContaining('secrets.json'),
    );

    const keptSecret = join(world.home(), '.deployed.vars');
    expect(readFileSync(keptSecret, 'utf8')).toContain(`SESSION_SECRET=${worker?.secrets['SESSION_SECRET']}\n`);
    expect(statSync(keptSecret).mode & 0o077).toBe(0);
    expect(world.printed()).toContain('The database is new, so there is nothing to go back to.');

    const first = structuredClone(world.account());
    world.account().calls.length = 0;
    world.forgetPrinted();
    await world.runForReal({}, { location: 'enam' });
    expect(world.account().databases).toEqual(first.databases);
    expect(world.account().stores).toEqual(first.stores);
    expect(world.printed()).toContain('The database before this deploy, for 30 days: 00000007-of-tests');
    const anew = world.account().worker?.secrets['LIVE_CHECK_KEY'];
    expect(anew).not.toBe(first.worker?.secrets['LIVE_CHECK_KEY']);
    expect(world.account().worker?.secrets).toEqual({ ...first.worker?.secrets, LIVE_CHECK_KEY: anew });
    expect(world.account().worker?.vars).toMatchObject({ MAX_BYTES: '1000000' });
    expect(world.madePassphrase()).toBeUndefined();
    expect(world.printed()).toContain('Its location does not change.');
  });

  it('binds the web search of Cloudflare if the account has credits for it, or if this is unknown', async () => {
    const bound = () =>
      world.account().worker?.metadata.bindings.some(({ type, name }) => type === 'ai' && name === 'AI');
    await world.run();
    expect(bound()).toBe(false);
    expect(world.printed()).toMatch(/no AI Gateway credits\. Open AI > AI Gateway.*run npm run deploy again/u);
    world.account().credits = 5;
    await world.run();
    expect(bound()).toBe(true);
    expect(world.printed()).toContain('the account has AI Gateway credits');
    world.forgetPrinted();
    world.account().credits = 0;
    world.account().permissions = ['D1: Edit', 'Workers KV Storage: Edit', 'Workers Scripts: Edit'];
    await world.run();
    expect(bound()).toBe(true);
    expect(world.printed()).toContain('could not be seen with this sign-in');
  });

  it('asks at the first deploy of an account without credits which web search to use, and never again', async () => {
    const prompts: string[] = [];
    const answers = ['1', '2', 'brave-key-of-tests'];
    const askPerson = async (prompt: string) => {
      prompts.push(prompt);
      return answers.shift() ?? null;
    };
    await world.run({}, { askPerson });
    expect(prompts[0]).toContain('Search the web? [2] Brave key [3] SearXNG address [Enter] not now: ');
    expect(world.account().worker?.secrets).toMatchObject({ BRAVE_API_KEY: 'brave-key-of-tests' });
    expect(world.printed()).not.toContain('brave-key-of-tests');
    await world.run({}, { askPerson });
    expect(prompts.length).toBe(3);
    expect(world.account().worker?.secrets).toMatchObject({ BRAVE_API_KEY: 'brave-key-of-tests' });
  });

  it('explains how to add a web search if nobody can answer, and uses the URL that a user types', async () => {
    await world.run();
    expect(world.printed()).toContain('BRAVE_API_KEY=YOUR-KEY npm run deploy');
    await world.emptyAccount();
    const answers = ['3', 'https://search.example.com'];
    await world.run({}, { askPerson: async () => answers.shift() ?? null });
    expect(world.account().worker?.vars).toMatchObject({ SEARXNG_URL: 'https://search.example.com' });
  });

  it('stops before creating anything when the account has no workers.dev subdomain, and explains how to continue', async () => {
    world.account().subdomain = null;
    await expect(world.run()).rejects.toThrow(/no workers\.dev subdomain yet[^]*\/workers\/onboarding[^]*--domain/u);
    expect(world.changes()).toEqual([]);
  });

  it('deploys to a domain without workers.dev, and stays there when it is run again without the option', async () => {
    world.account().subdomain = null;
    await world.run({}, { domain: 'periscope.example.com' });
    expect(world.account().worker).toMatchObject({
      workersDev: false,
      domains: ['periscope.example.com'],
      vars: { PUBLIC_URL: DOMAIN },
    });
    expect(world.printed()).toContain(`Connector URL  ${DOMAIN}/mcp`);
    world.forgetPrinted();
    await world.run();
    expect(world.account().worker).toMatchObject({ workersDev: false, domains: ['periscope.example.com'] });
    expect(world.printed()).toContain(`https://periscope.example.com, as wrangler.deploy.toml says`);
  });

  it('lists the accounts if there are several, and deploys to the chosen one', async () => {
    world.account().accounts.push({ id: 'b'.repeat(32), name: 'Beta' });
    await expect(world.run()).rejects.toThrow(
      new RegExp(`CLOUDFLARE_ACCOUNT_ID=${'a'.repeat(32)}.*Acme[^]*CLOUDFLARE_ACCOUNT_ID=${'b'.repeat(32)}.*Beta`, 'u'),
    );
    expect(world.changes()).toEqual([]);
    world.account().failing = { request: /storage\/kv/u, status: 500, code: 1, message: 'enough' };
    await expect(world.run({ CLOUDFLARE_ACCOUNT_ID: 'b'.repeat(32) })).rejects.toThrow('enough (code 1)');
    expect(world.changes()).toContain(`POST /accounts/${'b'.repeat(32)}/d1/database`);
    expect(world.changes()).not.toContainEqual(expect.stringContaining('a'.repeat(32)));
  });

  it('continues after a failed migration and a lost network, each reported with a remedy', async () => {
    world.account().failing = { request: /query$/u, status: 400, code: 7500, message: 'near "CREATE": syntax error' };
    await expect(world.run()).rejects.toThrow('wrangler d1 failed; its output is above');
    expect(world.printed()).toContain('syntax error');
    expect(world.account().worker?.secrets).toEqual({});

    world.account().failing = { request: /secrets$/u, cut: true };
    await expect(world.run()).rejects.toThrow('cannot be reached');

    world.account().failing = null;
    await world.run({ GITHUB_CLIENT_ID: 'an-app', GITHUB_CLIENT_SECRET: 'its-secret', ALLOWED_USERS: 'github:1' });
    expect(world.account().databases.filter(({ name }) => name === 'periscope')).toHaveLength(1);
    // A deployment with another way to sign in needs no passphrase.
    expect(Object.keys(world.account().worker?.secrets ?? {}).toSorted()).toEqual([
      'GITHUB_CLIENT_SECRET',
      'LIVE_CHECK_KEY',
      'SESSION_SECRET',
    ]);
    expect(world.madePassphrase()).toBeUndefined();
  });

  it('reports a lost network at any request before Wrangler runs, and creates nothing twice when run again', async () => {
    // Its plan is known, so Wrangler runs for the migrations first. What the script needs of wrangler.toml is missing there.
    const worker = { metadata: { bindings: [] }, secrets: {}, vars: {}, workersDev: false };
    Object.assign(world.account(), { worker: { ...worker, domains: [], schedules: [], deployments: [] } });
    const toml = join(world.home(), 'wrangler.toml');
    writeFileSync(toml, readFileSync(toml, 'utf8').replace('\nworkers_dev = true\n', '\n'));
    await expect(world.run()).rejects.toThrow('wrangler.toml must contain');
    const requests = [...world.account().calls];
    expect(requests).toContainEqual(expect.stringMatching(/workers\/subdomain$/u));
    expect(requests.filter((call) => call.startsWith('POST '))).toHaveLength(2);
    for (const cut of ['before', 'after'] as const) {
      for (const nth of requests.keys()) {
        Object.assign(world.account(), { databases: [], stores: [], calls: [], failing: { nth: nth + 1, cut } });
        await expect(world.run()).rejects.toThrow(/cannot be reached[^]*again/u);
        world.account().failing = null;
        await expect(world.run()).rejects.toThrow('wrangler.toml must contain');
        expect([world.account().databases.length, world.account().stores.length]).toEqual([1, 1]);
      }
    }
  });

  it('does not treat a failure of Cloudflare as a Worker without secrets', async () => {
    world.account().failing = { request: /secrets$/u, status: 500, code: 10001, message: 'on holiday' };
    await expect(world.run()).rejects.toThrow('on holiday');
    expect(world.account().worker).toBeNull();
  });

  it('explains how to sign in to Cloudflare', async () => {
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    await expect(world.runForReal()).rejects.toThrow('npx wrangler login');
    expect(world.account().calls).toEqual([]);
  });

  it('uses the stored sign-in of Wrangler', async () => {
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    const kept = join(world.home(), '.wrangler/config');
    mkdirSync(kept, { recursive: true });
    const login = ['oauth_token = "kept-by-wrangler"', 'expiration_time = "2100-01-01T00:00:00.000Z"', 'scopes = []'];
    writeFileSync(join(kept, 'default.toml'), login.join('\n'));
    world.account().subdomain = null;
    await expect(world.runForReal()).rejects.toThrow('no workers.dev subdomain yet');
    expect(new Set(world.account().tokens)).toEqual(new Set(['Bearer kept-by-wrangler']));
  });

  it.each([
    ['fails at a step', { checks: [{ name: '1. Start a browser', verdict: 'fail', found: 'No time.' }] }, 'No time.'],
    ['answers nothing that can be read', 'nonsense', 'its answer cannot be read'],
    ['does not know the key', null, 'it answered HTTP 403'],
  ])('reports that a browser %s, and still completes', async (_, answer, words) => {
    await world.run(
      {},
      {
        ask: async (...[input, init]) => {
          if (!new Request(input).url.endsWith(CHECK_PATH)) return world.askTheBuiltWorker(input, init);
          return answer === null ? new Response('', { status: 403 }) : Response.json(answer);
        },
      },
    );
    expect(world.printed()).toContain(words);
    expect(world.printed()).toContain(`${WORKERS_DEV}/console/health`);
    expect(world.printed()).toContain('Connector URL');
  });

  it.each([
    [{ LOCAL_ACCESS_TOKEN: 'a-token-of-a-laptop' }, 'LOCAL_ACCESS_TOKEN is for development'],
    [{ ALLOWED_PRIVATE_HOSTS: '127.0.0.1:8080' }, 'ALLOWED_PRIVATE_HOSTS is for development'],
    [{ PUBLIC_URL: 'http://localhost:8787' }, 'loopback address'],
    [{ MAX_BYTES: 'many' }, 'MAX_BYTES must be'],
  ])('refuses %j before any request to Cloudflare', async (environment, words) => {
    await expect(world.run(environment)).rejects.toThrow(words);
    expect(world.account().calls).toEqual([]);
  });

  it('changes nothing on a dry run, and lists every step', async () => {
    await world.run({ BRAVE_API_KEY: 'brave-key' }, { dryRun: true, location: 'weur' });
    expect(world.account().calls).toEqual([]);
    for (const word of [
      'subdomain',
      'the database periscope, or create it in weur',
      'the store periscope-oauth, or create it',
      'migrations apply',
      'wrangler deploy',
      'healthz',
      'test its browser',
    ]) {
      expect(world.printed()).toContain(word);
    }
    expect(world.printed()).not.toContain('brave-key');
  });

  it('has the same output and effects with the scripted Wrangler of other tests as with the real one', async () => {
    const refused = { status: 400, code: 100117, message: 'refused by the test' };
    const outcomes = [];
    for (const run of [world.runForReal, world.run]) {
      const told: string[] = [];
      const refusals: boolean[] = [];
      const tried = async (environment: Record<string, string> = {}, more: Partial<DeployOptions> = {}) => {
        world.forgetPrinted();
        const failure: unknown = await run(environment, { ask: world.askWithoutBrowser, ...more }).catch(
          (e: unknown) => e,
        );
        told.push(String(failure));
        refusals.push(world.printed().includes('refused by the test [code: 100117]'));
      };
      await world.emptyAccount();
      world.account().plan = 'free';
      await tried();
      world.account().plan = 'paid';
      await tried();
      world.account().failing = { request: /\/schedules$/u, ...refused };
      await tried({ MAX_BYTES: '1000000' }, { domain: 'periscope.example.com' });
      world.account().failing = { request: /^POST .*\/versions$/u, ...refused };
      await tried();
      world.account().failing = { request: /\/query$/u, ...refused };
      await tried();
      const { calls, worker, databases, stores } = world.account();
      const { metadata: _, secrets = {}, deployments = [], ...rest } = worker ?? { metadata: null };
      const state = { ...rest, secrets: Object.keys(secrets), deployments: deployments.length, databases, stores };
      // Wrangler sets routes, schedules and workflows at the same time, so their order is left to chance.
      outcomes.push({ told, refusals, calls: calls.toSorted(), state, migrations: world.migrations() });
    }
    expect(outcomes[0]?.told).toEqual([
      expect.stringContaining('Workers Free plan'),
      'undefined',
      expect.stringContaining('is deployed, but not everything around it is'),
      expect.stringContaining('wrangler deploy failed'),
      expect.stringContaining('wrangler d1 failed'),
    ]);
    expect(outcomes[0]?.refusals).toEqual([false, false, true, true, true]);
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  it('refuses options it does not know', async () => {
    const script = join(PROJECT, 'scripts/deploy.ts');
    for (const args of [['--domian', 'x.dev'], ['--domain', 'https://x.dev'], ['--location', 'mars'], ['--force']]) {
      const { code, stderr } = await runProgram(script, args);
      expect(code).toBe(1);
      expect(stderr).toContain('The options are --domain');
    }
  });

  describe('in Workers Builds, as started by the Deploy button,', () => {
    const ids = { database: '99999999-2222-4333-8444-555555555555', store: 'f'.repeat(32) };
    const BUILDS = { WORKERS_CI: '1', OWNER_PASSPHRASE: 'seven gulls on the roof', SESSION_SECRET: 's'.repeat(40) };
    let toml: string;
    beforeEach(() => {
      const file = join(world.home(), 'wrangler.toml');
      toml = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        toml
          .replace('00000000-0000-0000-0000-000000000000', ids.database)
          .replace('"00000000000000000000000000000000"', JSON.stringify(ids.store)),
      );
      world.account().databases.push({ name: 'named-by-somebody', uuid: ids.database });
      rmSync(join(world.home(), '.deployed.vars'), { force: true });
    });
    afterEach(() => writeFileSync(join(world.home(), 'wrangler.toml'), toml));

    it('uses the resources that the button created, by their ids, and shows no secret', async () => {
      await world.run(BUILDS);
      expect(world.account().databases.map(({ name }) => name)).not.toContain('periscope');
      expect(world.account().stores).toEqual([]);
      expect(world.written()).toContain(ids.database);
      expect(world.written()).toContain(ids.store);
      for (const secret of [BUILDS.OWNER_PASSPHRASE, BUILDS.SESSION_SECRET]) {
        expect(world.printed()).not.toContain(secret);
      }
      expect(existsSync(join(world.home(), '.deployed.vars'))).toBe(false);
    });

    it('creates no passphrase, which its log would show, and explains where to set one', async () => {
      await expect(world.run({ WORKERS_CI: '1' })).rejects.toThrow('no passphrase is made here');
      expect(world.account().worker).toBeFalsy();
    });
  });
});
