import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deploy } from '#scripts/deploy/deploy.ts';
import { fakeCloudflare } from '#support/fake-cloudflare.ts';
import { runProgram } from '#support/run-program.ts';
import { scratchHome, startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/**
 * `npm run deploy` with the real Wrangler, against Cloudflare's API as far as it is needed, and with the built Worker
 * where a deployed one would be. It has never been run against a real account here.
 */

const PROJECT = join(import.meta.dirname, '../..');
const WORKERS_DEV = 'https://periscope.acme.workers.dev';
const DOMAIN = 'https://periscope.example.com';

let server: TestServer;
let project: ReturnType<typeof scratchHome>;
let cloudflare: Awaited<ReturnType<typeof fakeCloudflare>>;
let printed: string;

/** Of the built Worker; the deployed one has another with each deploy. */
const CHECK_KEY = 'a-key-for-the-check-of-the-built-worker';
const CHECK_PATH = '/console/health/browser';

beforeAll(async () => {
  server = await startServer({ LIVE_CHECK_KEY: CHECK_KEY });
});
afterAll(() => server?.close());

beforeEach(async () => {
  project = scratchHome();
  copyFileSync(join(PROJECT, 'wrangler.toml'), join(project.home, 'wrangler.toml'));
  putSmallWorker();
  for (const name of ['migrations', 'node_modules', 'package.json', 'tsconfig.json', 'scripts']) {
    symlinkSync(join(PROJECT, name), join(project.home, name));
  }
  cloudflare = await fakeCloudflare();
  vi.stubEnv('PATH', `${join(PROJECT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', cloudflare.url);
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'a-token-for-the-api');
  mkdirSync(join(project.home, 'tmp'));
  vi.stubEnv('HOME', join(project.home, 'tmp'));
  vi.stubEnv('XDG_CONFIG_HOME', project.home);
  vi.stubEnv('TMPDIR', join(project.home, 'tmp'));
  printed = '';
  const print = (...words: unknown[]) => void (printed += `${words.join(' ')}\n`);
  vi.spyOn(console, 'log').mockImplementation(print);
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      printed += String(chunk);
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  cloudflare.close();
  project.remove();
});

/** With the classes that wrangler.toml asks for. What is deployed around a Worker does not hang on its size. */
function putSmallWorker(): void {
  const toml = readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8');
  const classes = [...toml.matchAll(/^class_name = "(\w+)"$/gmu)].map(([, name]) => `export class ${name} {}\n`);
  mkdirSync(join(project.home, 'src'));
  writeFileSync(join(project.home, 'src/index.ts'), `${classes.join('')}export default { fetch() {} };\n`);
}

/** In place of the small one. To bundle it takes seconds. */
function putRealWorker(): void {
  rmSync(join(project.home, 'src'), { recursive: true });
  symlinkSync(join(PROJECT, 'src'), join(project.home, 'src'));
}

type More = { domain?: string; location?: string; dryRun?: boolean };

function run(environment: Record<string, string> = {}, { domain, location, dryRun = false }: More = {}): Promise<void> {
  return deploy({
    project: project.home,
    domain: domain ?? null,
    location: location ?? null,
    dryRun,
    environment,
    pauseMs: 1,
    ask: askTheBuiltWorker,
  });
}

/** The address that was deployed to is the built Worker's, which names itself by its own. */
async function askTheBuiltWorker(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const url = new URL(new Request(input).url);
  const own = new URL(server.mcpUrl).origin;
  const answer = await fetch(`${own}${url.pathname}`, url.pathname === CHECK_PATH ? withOwnKey(init) : init);
  return new Response((await answer.text()).replaceAll(own, url.origin), answer);
}

/** The key of the last deploy opens the built Worker, and no other does. */
function withOwnKey(init: RequestInit | undefined): RequestInit {
  const given = init?.body instanceof URLSearchParams ? init.body.get('key') : null;
  const isOfDeploy = given !== null && given === account().worker?.secrets['LIVE_CHECK_KEY'];
  return { ...init, body: new URLSearchParams({ key: isOfDeploy ? CHECK_KEY : 'none' }) };
}

const account = () => cloudflare.account;
const changes = () => account().calls.filter((call) => !call.startsWith('GET '));
const madePassphrase = () => /shown this once: (\S+)/u.exec(printed)?.[1];
const written = () => readFileSync(join(project.home, 'wrangler.deploy.toml'), 'utf8');

describe('npm run deploy', () => {
  it('takes an empty account to an address that answers, and leaves everything alone when it is run again', async () => {
    putRealWorker();
    await run({ BRAVE_API_KEY: 'brave-key', MAX_BYTES: '1000000', SOMETHING_ELSE: 'x' }, { location: 'weur' });
    const { databases, stores, worker } = account();
    expect(databases).toContainEqual(expect.objectContaining({ name: 'periscope', location: 'weur' }));
    expect(stores.map(({ title }) => title)).toEqual(['periscope-oauth']);
    expect(cloudflare.migrations()).toContain('0000_init.sql');
    expect(madePassphrase()).toMatch(/^[a-z0-9-]{20,}$/u);
    expect(worker).toMatchObject({
      secrets: {
        BRAVE_API_KEY: 'brave-key',
        OWNER_PASSPHRASE: madePassphrase(),
        SESSION_SECRET: expect.stringMatching(/^[\w-]{43}$/u),
        LIVE_CHECK_KEY: expect.stringMatching(/^[\w-]{43}$/u),
      },
      vars: { MAX_BYTES: '1000000' },
      workersDev: true,
      domains: [],
      schedules: ['17 * * * *'],
    });
    expect(worker?.vars).not.toHaveProperty('SOMETHING_ELSE');
    expect(printed).toContain(`Connector URL  ${WORKERS_DEV}/mcp`);
    expect(printed).toContain(`${WORKERS_DEV}/console/health`);
    for (const secret of ['brave-key', worker?.secrets['SESSION_SECRET'], worker?.secrets['LIVE_CHECK_KEY']]) {
      expect(printed).not.toContain(secret ?? '');
    }
    for (const words of [
      '1. Start a browser.',
      'its request to a private address was blocked',
      '10. Render a page for reading.',
    ]) {
      expect(printed).toContain(words);
    }
    expect(printed).not.toContain('does not work as it should');
    expect(written()).not.toContain(madePassphrase());
    expect(readdirSync(join(project.home, 'tmp'), { recursive: true })).not.toContainEqual(
      expect.stringContaining('secrets.json'),
    );

    const first = structuredClone(account());
    account().calls.length = 0;
    printed = '';
    await run({}, { location: 'enam' });
    expect(account().databases).toEqual(first.databases);
    expect(account().stores).toEqual(first.stores);
    const anew = account().worker?.secrets['LIVE_CHECK_KEY'];
    expect(anew).not.toBe(first.worker?.secrets['LIVE_CHECK_KEY']);
    expect(account().worker?.secrets).toEqual({ ...first.worker?.secrets, LIVE_CHECK_KEY: anew });
    expect(account().worker?.vars).toMatchObject({ MAX_BYTES: '1000000' });
    expect(madePassphrase()).toBeUndefined();
    expect(printed).toContain('Its location does not change.');
  });

  it('stops before anything is made when the account has no workers.dev subdomain, and says how to go on', async () => {
    account().subdomain = null;
    await expect(run()).rejects.toThrow(/no workers\.dev subdomain yet[^]*\/workers\/onboarding[^]*--domain/u);
    expect(changes()).toEqual([]);
  });

  it('deploys to a domain without workers.dev, and stays there when it is run again without the option', async () => {
    account().subdomain = null;
    await run({}, { domain: 'periscope.example.com' });
    expect(account().worker).toMatchObject({
      workersDev: false,
      domains: ['periscope.example.com'],
      vars: { PUBLIC_URL: DOMAIN },
    });
    expect(printed).toContain(`Connector URL  ${DOMAIN}/mcp`);
    printed = '';
    await run();
    expect(account().worker).toMatchObject({ workersDev: false, domains: ['periscope.example.com'] });
    expect(printed).toContain(`https://periscope.example.com, as wrangler.deploy.toml says`);
  });

  it('names the accounts where there is more than one, and deploys to the one that is chosen', async () => {
    account().accounts.push({ id: 'b'.repeat(32), name: 'Beta' });
    await expect(run()).rejects.toThrow(
      new RegExp(`CLOUDFLARE_ACCOUNT_ID=${'a'.repeat(32)}.*Acme[^]*CLOUDFLARE_ACCOUNT_ID=${'b'.repeat(32)}.*Beta`, 'u'),
    );
    expect(changes()).toEqual([]);
    account().failing = { path: '/storage/kv', status: 500, code: 1, message: 'enough' };
    await expect(run({ CLOUDFLARE_ACCOUNT_ID: 'b'.repeat(32) })).rejects.toThrow('enough (code 1)');
    expect(changes()).toEqual([`POST /accounts/${'b'.repeat(32)}/d1/database`]);
  });

  it('goes on after a failing migration, a lost network and the Free plan, each told with what to do', async () => {
    account().failing = { path: '/query', status: 400, code: 7500, message: 'near "CREATE": syntax error' };
    await expect(run()).rejects.toThrow('wrangler d1 failed; its output is above');
    expect(printed).toContain('syntax error');
    expect(account().worker).toBeNull();

    account().failing = { path: '/workers/scripts/periscope/secrets', cut: true };
    await expect(run()).rejects.toThrow('cannot be reached');

    account().failing = null;
    account().plan = 'free';
    await expect(run()).rejects.toThrow(/Workers Free plan[^]*Workers Paid/u);
    expect(account().worker).toBeNull();

    account().plan = 'paid';
    await run({ GITHUB_CLIENT_ID: 'an-app', GITHUB_CLIENT_SECRET: 'its-secret', ALLOWED_USERS: 'github:1' });
    expect(account().databases.filter(({ name }) => name === 'periscope')).toHaveLength(1);
    // Nobody needs a passphrase where people sign in elsewhere.
    expect(Object.keys(account().worker?.secrets ?? {}).toSorted()).toEqual([
      'GITHUB_CLIENT_SECRET',
      'LIVE_CHECK_KEY',
      'SESSION_SECRET',
    ]);
    expect(madePassphrase()).toBeUndefined();
  });

  it('says so when the network is lost at any request before Wrangler runs, and makes nothing twice when it is run again', async () => {
    const stop = { path: '/secrets', status: 500, code: 1, message: 'far enough' };
    account().failing = stop;
    await expect(run()).rejects.toThrow('far enough');
    const requests = [...account().calls];
    expect(requests).toContainEqual(expect.stringMatching(/workers\/subdomain$/u));
    expect(requests.filter((call) => call.startsWith('POST '))).toHaveLength(2);
    for (const cut of ['before', 'after'] as const) {
      for (const nth of requests.keys()) {
        Object.assign(account(), { databases: [], stores: [], calls: [], failing: { nth: nth + 1, cut } });
        await expect(run()).rejects.toThrow(/cannot be reached[^]*again/u);
        account().failing = stop;
        await expect(run()).rejects.toThrow('far enough');
        expect([account().databases.length, account().stores.length]).toEqual([1, 1]);
      }
    }
  });

  it('does not take trouble at Cloudflare for a Worker without secrets', async () => {
    account().failing = { path: '/secrets', status: 500, code: 10001, message: 'on holiday' };
    await expect(run()).rejects.toThrow('on holiday');
    expect(account().worker).toBeNull();
  });

  it('says how to sign in to Cloudflare', async () => {
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    await expect(run()).rejects.toThrow('npx wrangler login');
    expect(account().calls).toEqual([]);
  });

  it('takes the sign-in that Wrangler keeps', async () => {
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    const kept = join(project.home, '.wrangler/config');
    mkdirSync(kept, { recursive: true });
    const login = ['oauth_token = "kept-by-wrangler"', 'expiration_time = "2100-01-01T00:00:00.000Z"', 'scopes = []'];
    writeFileSync(join(kept, 'default.toml'), login.join('\n'));
    account().subdomain = null;
    await expect(run()).rejects.toThrow('no workers.dev subdomain yet');
    expect(new Set(account().tokens)).toEqual(new Set(['Bearer kept-by-wrangler']));
  });

  it('says so when nothing answers at the address, and shows the passphrase all the same', async () => {
    const deaf = deploy({
      project: project.home,
      domain: null,
      location: null,
      dryRun: false,
      environment: {},
      pauseMs: 1,
      ask: () => Promise.reject(new TypeError('fetch failed')),
    });
    await expect(deaf).rejects.toThrow(`${WORKERS_DEV}/healthz`);
    expect(account().worker?.secrets).toMatchObject({ OWNER_PASSPHRASE: madePassphrase() });
  });

  it.each([
    ['fails at a step', { checks: [{ name: '1. Start a browser', verdict: 'fail', found: 'No time.' }] }, 'No time.'],
    ['answers nothing that can be read', 'nonsense', 'its answer cannot be read'],
    ['does not know the key', null, 'it answered HTTP 403'],
  ])('tells a browser that %s, and is done all the same', async (_, answer, words) => {
    await deploy({
      project: project.home,
      domain: null,
      location: null,
      dryRun: false,
      environment: {},
      pauseMs: 1,
      ask: async (...[input, init]) => {
        if (!new Request(input).url.endsWith(CHECK_PATH)) return askTheBuiltWorker(input, init);
        return answer === null ? new Response('', { status: 403 }) : Response.json(answer);
      },
    });
    expect(printed).toContain(words);
    expect(printed).toContain(`${WORKERS_DEV}/console/health`);
    expect(printed).toContain('Connector URL');
  });

  it.each([
    [{ LOCAL_ACCESS_TOKEN: 'a-token-of-a-laptop' }, 'LOCAL_ACCESS_TOKEN is for development'],
    [{ ALLOWED_PRIVATE_HOSTS: '127.0.0.1:8080' }, 'ALLOWED_PRIVATE_HOSTS is for development'],
    [{ PUBLIC_URL: 'http://localhost:8787' }, 'loopback address'],
    [{ MAX_BYTES: 'many' }, 'MAX_BYTES must be'],
  ])('refuses %j before anything is asked of Cloudflare', async (environment, words) => {
    await expect(run(environment)).rejects.toThrow(words);
    expect(account().calls).toEqual([]);
  });

  it('changes nothing on a dry run, and names every step', async () => {
    await run({ BRAVE_API_KEY: 'brave-key' }, { dryRun: true, location: 'weur' });
    expect(account().calls).toEqual([]);
    for (const word of [
      'subdomain',
      'the database periscope, or create it in weur',
      'the store periscope-oauth, or create it',
      'migrations apply',
      'wrangler deploy',
      'healthz',
      'test its browser',
    ]) {
      expect(printed).toContain(word);
    }
    expect(printed).not.toContain('brave-key');
  });

  it('refuses options it does not know', async () => {
    const script = join(PROJECT, 'scripts/deploy.ts');
    for (const args of [['--domian', 'x.dev'], ['--domain', 'https://x.dev'], ['--location', 'mars'], ['--force']]) {
      const { code, stderr } = await runProgram(script, args);
      expect(code).toBe(1);
      expect(stderr).toContain('The options are --domain');
    }
  });
});
