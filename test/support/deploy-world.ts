import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { deploy } from '#scripts/deploy/deploy.ts';
import type { DeployOptions } from '#scripts/deploy/deploy.ts';
import { startWrangler } from '#scripts/deploy/wrangler.ts';
import { fakeCloudflare } from './fake-cloudflare.ts';
import { scriptedWrangler } from './scripted-wrangler.ts';
import { scratchHome, startServer } from './server.ts';
import type { TestServer } from './server.ts';

/**
 * `npm run deploy` against Cloudflare's API as far as it is needed, with the built Worker where a deployed one would be.
 * It has never been run against a real account here.
 */

export const PROJECT = join(import.meta.dirname, '../..');
export const WORKERS_DEV = 'https://periscope.acme.workers.dev';
export const DOMAIN = 'https://periscope.example.com';
export const CHECK_PATH = '/console/health/browser';

/** Of the built Worker; the deployed one has another with each deploy. */
const CHECK_KEY = 'a-key-for-the-check-of-the-built-worker';

/** For a test file: an empty account, a project folder and the built Worker; everything but the last anew for each test. */
export function deployWorld() {
  let server: TestServer;
  let project: ReturnType<typeof scratchHome>;
  let cloudflare: Awaited<ReturnType<typeof fakeCloudflare>>;
  let printed: string;

  beforeAll(async () => {
    server = await startServer({ LIVE_CHECK_KEY: CHECK_KEY });
  });
  afterAll(() => server?.close());

  beforeEach(async () => {
    project = scratchHome();
    copyFileSync(join(PROJECT, 'wrangler.toml'), join(project.home, 'wrangler.toml'));
    putSmallWorker(project.home);
    for (const name of ['migrations', 'node_modules', 'package.json', 'tsconfig.json', 'scripts']) {
      symlinkSync(join(PROJECT, name), join(project.home, name));
    }
    cloudflare = await fakeCloudflare();
    stubEnvironment(project.home, cloudflare.url);
    printed = '';
    const print = (text: string) => void (printed += text);
    vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => print(`${words.join(' ')}\n`));
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        print(String(chunk));
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

  const account = () => cloudflare.account;

  async function emptyAccount(): Promise<void> {
    cloudflare.close();
    cloudflare = await fakeCloudflare();
    vi.stubEnv('CLOUDFLARE_API_BASE_URL', cloudflare.url);
    rmSync(join(project.home, 'wrangler.deploy.toml'), { force: true });
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

  /** A deployment whose browser is well. To try the real one takes seconds. */
  async function askWithoutBrowser(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    if (new URL(new Request(input).url).pathname === CHECK_PATH) return Response.json({ checks: [] });
    return askTheBuiltWorker(input, init);
  }

  function run(environment: Record<string, string> = {}, more: Partial<DeployOptions> = {}): Promise<void> {
    const usual = { project: project.home, domain: null, location: null, dryRun: false };
    const fast = { pauseMs: 1, waitMs: 5_000, ask: askWithoutBrowser, startWrangler: scriptedWrangler };
    return deploy({ ...usual, environment, ...fast, ...more });
  }

  return {
    run,
    /** With the real Wrangler, and the browser of the built Worker. */
    runForReal: (environment?: Record<string, string>, more?: Partial<DeployOptions>) =>
      run(environment, { ask: askTheBuiltWorker, startWrangler, ...more }),
    askTheBuiltWorker,
    askWithoutBrowser,
    account,
    emptyAccount,
    home: () => project.home,
    migrations: () => cloudflare.migrations(),
    changes: () => account().calls.filter((call) => !call.startsWith('GET ')),
    printed: () => printed,
    forgetPrinted: () => void (printed = ''),
    madePassphrase: () => /shown this once: (\S+)/u.exec(printed)?.[1],
    written: () => readFileSync(join(project.home, 'wrangler.deploy.toml'), 'utf8'),
    /** In place of the small one. To bundle it takes seconds. */
    putRealWorker: () => {
      rmSync(join(project.home, 'src'), { recursive: true });
      symlinkSync(join(PROJECT, 'src'), join(project.home, 'src'));
    },
  };
}

function stubEnvironment(home: string, api: string): void {
  vi.stubEnv('PATH', `${join(PROJECT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', api);
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'a-token-for-the-api');
  mkdirSync(join(home, 'tmp'));
  vi.stubEnv('HOME', join(home, 'tmp'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
  vi.stubEnv('TMPDIR', join(home, 'tmp'));
}

/** With the classes that wrangler.toml asks for. What is deployed around a Worker does not hang on its size. */
function putSmallWorker(home: string): void {
  const toml = readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8');
  const classes = [...toml.matchAll(/^class_name = "(\w+)"$/gmu)].map(([, name]) => `export class ${name} {}\n`);
  mkdirSync(join(home, 'src'));
  writeFileSync(join(home, 'src/index.ts'), `${classes.join('')}export default { fetch() {} };\n`);
}
