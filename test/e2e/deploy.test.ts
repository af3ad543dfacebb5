import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deploy } from '#scripts/deploy/deploy.ts';
import { fakeWrangler } from '#support/fake-wrangler.ts';
import { runProgram } from '#support/run-program.ts';
import { scratchHome, startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/**
 * `npm run deploy` against a program that answers as Wrangler does, and with the built Worker where a deployed one would
 * be. It has never been run against a real account here.
 */

const PROJECT = join(import.meta.dirname, '../..');

let server: TestServer;
let address: string;
let project: ReturnType<typeof scratchHome>;
let cloudflare: ReturnType<typeof fakeWrangler>;
let printed: string;

beforeAll(async () => {
  server = await startServer({});
  address = new URL(server.mcpUrl).origin;
});
afterAll(() => server?.close());

beforeEach(() => {
  project = scratchHome();
  copyFileSync(join(PROJECT, 'wrangler.toml'), join(project.home, 'wrangler.toml'));
  cloudflare = fakeWrangler(project.home, { address });
  vi.stubEnv('PATH', cloudflare.path);
  printed = '';
  const print = (...words: unknown[]) => void (printed += `${words.join(' ')}\n`);
  vi.spyOn(console, 'log').mockImplementation(print);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  project.remove();
});

function run(
  environment: Record<string, string> = {},
  more: { domain?: string; dryRun?: boolean } = {},
): Promise<void> {
  const { domain = null, dryRun = false } = more;
  return deploy({ project: project.home, domain, dryRun, environment, pauseMs: 1 });
}

const commands = () => cloudflare.account().calls.map((args) => args.filter((arg) => !arg.startsWith('-'))[0]);
const madePassphrase = () => /shown this once: (\S+)/u.exec(printed)?.[1];

describe('npm run deploy', () => {
  it('takes an empty account to an address that answers, and prints how to connect', async () => {
    await run();
    const { databases, stores, secrets, config, calls } = cloudflare.account();
    expect(databases.map(({ name }) => name)).toContain('periscope');
    expect(stores.map(({ title }) => title)).toEqual(['periscope-oauth']);
    expect(config).toContain('database_id = "11111111-2222-4333-8444-555555555555"');
    expect(config).toContain('id = "abcdefabcdefabcdefabcdefabcdefab"');
    expect(madePassphrase()).toMatch(/^[a-z0-9-]{20,}$/u);
    expect(secrets).toEqual({
      OWNER_PASSPHRASE: madePassphrase(),
      SESSION_SECRET: expect.stringMatching(/^[\w-]{43}$/u),
    });
    expect(printed).not.toContain(secrets?.['SESSION_SECRET']);
    expect(printed).toContain(`Connector URL  ${address}/mcp`);
    expect(printed).toContain(`${address}/console/health`);
    const order = calls.map((args) => args.slice(0, 2).join(' '));
    expect(order.indexOf('d1 migrations')).toBeLessThan(order.indexOf('deploy --config'));
  });

  it('finds what is there when it is run again, and leaves the passphrase alone', async () => {
    await run();
    const first = cloudflare.account();
    printed = '';
    await run();
    const second = cloudflare.account();
    expect(second.databases).toEqual(first.databases);
    expect(second.stores).toEqual(first.stores);
    expect(second.secrets).toEqual(first.secrets);
    expect(madePassphrase()).toBeUndefined();
  });

  it('takes settings from its environment, secret ones as secrets and never on a command line', async () => {
    const given = { OWNER_PASSPHRASE: 'a passphrase of my own', BRAVE_API_KEY: 'brave-key', MAX_BYTES: '1000000' };
    await run({ ...given, SOMETHING_ELSE: 'x' });
    const { secrets, calls } = cloudflare.account();
    expect(secrets).toMatchObject({ OWNER_PASSPHRASE: given.OWNER_PASSPHRASE, BRAVE_API_KEY: 'brave-key' });
    const everyWord = JSON.stringify(calls);
    expect(everyWord).toContain('MAX_BYTES:1000000');
    expect(everyWord).not.toContain('brave-key');
    expect(everyWord).not.toContain(given.OWNER_PASSPHRASE);
    expect(everyWord).not.toContain('SOMETHING_ELSE');
    expect(printed).not.toContain('brave-key');
    expect(printed).not.toContain(given.OWNER_PASSPHRASE);
  });

  it('makes no passphrase where people sign in elsewhere', async () => {
    await run({ GITHUB_CLIENT_ID: 'an-app', GITHUB_CLIENT_SECRET: 'its-secret', ALLOWED_USERS: 'github:1' });
    const secrets = ['GITHUB_CLIENT_SECRET', 'SESSION_SECRET'];
    expect(Object.keys(cloudflare.account().secrets ?? {})).toEqual(secrets);
    // Nor the next time, when nothing is said of it.
    await run();
    expect(Object.keys(cloudflare.account().secrets ?? {})).toEqual(secrets);
    expect(madePassphrase()).toBeUndefined();
  });

  it('leaves no file with a secret behind', async () => {
    await run();
    const file = cloudflare
      .account()
      .calls.flat()
      .find((word) => word.endsWith('secrets.json'));
    expect(file).toBeDefined();
    expect(existsSync(file ?? '')).toBe(false);
    expect(readFileSync(join(project.home, 'wrangler.deploy.toml'), 'utf8')).not.toContain(madePassphrase());
  });

  it.each([
    [{ LOCAL_ACCESS_TOKEN: 'a-token-of-a-laptop' }, 'LOCAL_ACCESS_TOKEN is for development'],
    [{ ALLOWED_PRIVATE_HOSTS: '127.0.0.1:8080' }, 'ALLOWED_PRIVATE_HOSTS is for development'],
    [{ PUBLIC_URL: 'http://localhost:8787' }, 'loopback address'],
    [{ MAX_BYTES: 'many' }, 'MAX_BYTES must be'],
  ])('refuses %j before anything is touched', async (environment, words) => {
    await expect(run(environment)).rejects.toThrow(words);
    expect(cloudflare.account().calls).toEqual([]);
  });

  it('stops where something fails, and goes on from there the next time', async () => {
    cloudflare.change({ failing: 'deploy' });
    await expect(run()).rejects.toThrow('wrangler deploy');
    cloudflare.change({ failing: null });
    await run();
    expect(commands().filter((name) => name === 'd1')).not.toHaveLength(0);
    expect(cloudflare.account().databases.filter(({ name }) => name === 'periscope')).toHaveLength(1);
  });

  it('does not take trouble at Cloudflare for a Worker without secrets', async () => {
    await run();
    const { secrets } = cloudflare.account();
    cloudflare.change({ failing: 'secret' });
    await expect(run()).rejects.toThrow('the platform is on holiday');
    expect(cloudflare.account().secrets).toEqual(secrets);
  });

  it('says how to sign in to Cloudflare', async () => {
    cloudflare.change({ loggedIn: false });
    await expect(run()).rejects.toThrow('npx wrangler login');
  });

  it('gives a domain to the Worker, and says so when nothing answers there', async () => {
    await expect(run({}, { domain: 'periscope.invalid' })).rejects.toThrow('https://periscope.invalid/healthz');
    expect(cloudflare.account().calls.flat()).toEqual(
      expect.arrayContaining(['--domain', 'periscope.invalid', 'PUBLIC_URL:https://periscope.invalid']),
    );
    // It is stored nowhere else, so it is shown whatever comes after.
    expect(cloudflare.account().secrets).toMatchObject({ OWNER_PASSPHRASE: madePassphrase() });
  });

  it('changes nothing on a dry run, and names every step', async () => {
    await run({ BRAVE_API_KEY: 'brave-key' }, { dryRun: true });
    expect(cloudflare.account().calls).toEqual([]);
    for (const word of [
      'd1 create periscope',
      'kv namespace create',
      'migrations apply',
      'wrangler deploy',
      'healthz',
    ]) {
      expect(printed).toContain(word);
    }
    expect(printed).not.toContain('brave-key');
  });

  it('refuses options it does not know', async () => {
    const script = join(PROJECT, 'scripts/deploy.ts');
    for (const args of [['--domian', 'x.dev'], ['--domain', 'https://x.dev'], ['--force']]) {
      const { code, stderr } = await runProgram(script, args);
      expect(code).toBe(1);
      expect(stderr).toContain('The options are --domain');
    }
  });
});
