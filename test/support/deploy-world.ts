import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { deploy } from '#scripts/deploy/deploy.ts';
import type { DeployOptions } from '#scripts/deploy/deploy.ts';
import { startWrangler } from '#scripts/deploy/wrangler.ts';
import { fakeCloudflare } from './fake-cloudflare.ts';
import { scriptedWrangler } from './scripted-wrangler.ts';
import { scratchHome } from './server.ts';
import { sharedServer } from './shared.ts';
import type { SharedServer } from './shared.ts';

/**
 * `npm run deploy` against the part of Cloudflare's API that it uses, with the built Worker in place of a deployed one.
 * It has never run against a real account.
 */

export const PROJECT = join(import.meta.dirname, '../..');
export const WORKERS_DEV = 'https://periscope.acme.workers.dev';
export const DOMAIN = 'https://periscope.example.com';
export const CHECK_PATH = '/console/health/browser';

/** A busy machine may exceed the limit of a step in some tries of its browser. */
const BROWSER_TRIES = 5;

/** Sets up a test file: an empty account and a project folder for each test, and the shared built Worker. */
export function deployWorld() {
  let server: SharedServer;
  let project: ReturnType<typeof scratchHome>;
  let cloudflare: Awaited<ReturnType<typeof fakeCloudflare>>;
  let printed: string;

  beforeAll(async () => {
    server = await sharedServer();
  });

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

  /** Sends requests to the deployed address to the built Worker, under the address that the built Worker has. */
  async function askTheBuiltWorker(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const url = new URL(new Request(input).url);
    const address = `${server.origin}${url.pathname}`;
    if (url.pathname !== CHECK_PATH) return fromDeployment(...(await answerOf(address, init)), url);
    let [answer, text] = await answerOf(address, withOwnKey(init));
    for (let tries = 1; tries < BROWSER_TRIES && text.includes('"verdict":"fail"'); tries += 1)
      [answer, text] = await answerOf(address, withOwnKey(init));
    return fromDeployment(answer, text, url);
  }

  function fromDeployment(answer: Response, text: string, { origin }: URL): Response {
    return new Response(text.replaceAll(server.origin, origin), answer);
  }

  /** Replaces the key of the last deploy by that of the built Worker, and any other key by one that it refuses. */
  function withOwnKey(init: RequestInit | undefined): RequestInit {
    const given = init?.body instanceof URLSearchParams ? init.body.get('key') : null;
    const isOfDeploy = given !== null && given === account().worker?.secrets['LIVE_CHECK_KEY'];
    return { ...init, body: new URLSearchParams({ key: isOfDeploy ? server.checkKey : 'none' }) };
  }

  /** A deployment whose browser works. Trying the real one takes seconds. */
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
    /** With the real Wrangler and the browser of the built Worker. */
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
    /** Replaces the small Worker by the real one. Bundling it takes seconds. */
    putRealWorker: () => {
      rmSync(join(project.home, 'src'), { recursive: true });
      symlinkSync(join(PROJECT, 'src'), join(project.home, 'src'));
    },
  };
}

async function answerOf(address: string, init: RequestInit | undefined): Promise<[Response, string]> {
  const answer = await fetch(address, init);
  return [answer, await answer.text()];
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

/** A small Worker with the classes that wrangler.toml asks for. Its size makes no difference to a deploy. */
function putSmallWorker(home: string): void {
  const toml = readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8');
  const classes = [...toml.matchAll(/^class_name = "(\w+)"$/gmu)].map(([, name]) => `export class ${name} {}\n`);
  mkdirSync(join(home, 'src'));
  writeFileSync(join(home, 'src/index.ts'), `${classes.join('')}export default { fetch() {} };\n`);
}
