import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseConfig } from '#core/config.ts';
import { netPolicy } from '#net/policy.ts';
import { startBrowserProxy } from './browser-proxy.ts';
import { prepareBrowser } from './chromium.ts';
import type { LocalBrowser } from './chromium.ts';
import { holdData } from './data-lock.ts';
import { applyMigrations } from './migrate.ts';
import { readPort, requireFreePort } from './port.ts';
import { readSettings, type Settings } from './settings.ts';
import { reportStop, StopError } from './stop-error.ts';
import { welcome } from './welcome.ts';

/**
 * Runs the Worker in workerd on this machine. `start.ts` runs this file in a process group of its own and holds its
 * standard input: "stop" there means stop in an orderly way, its end means that `start.ts` is gone.
 */

const PROJECT = join(import.meta.dirname, '../..');
const CONFIG = join(PROJECT, 'wrangler.toml');
/** What the platform may take to stop before it is made to. */
const STOP_MS = 2_000;
const WORKER_READY_MS = 60_000;

/** The platform fires the Worker's hourly trigger; here this process does, and once soon after the start. */
const TIDY_EVERY_MS = 3_600_000;
const TIDY_FIRST_MS = 60_000;

type Running = { stop: () => Promise<void> };

let running: Running | null = null;
watchStandardInput();

try {
  await serve();
} catch (error) {
  reportStop(error);
  await stop(1);
}

async function serve(): Promise<void> {
  const home = readHome();
  const port = readPort(process.env['PORT']);
  await requireFreePort(port);
  const data = join(home, '.wrangler/state');
  holdData(data);

  quietPlatform();
  // Only now: wrangler reads these variables when it loads, and it takes half a second to load.
  const wrangler = await import('wrangler');
  const config = wrangler.unstable_readConfig({ config: CONFIG }, { hideWarnings: true });
  const settings = readSettings(home, port, process.env, config.vars);
  const browser = await giveBrowser(settings, config.vars);
  await startWorker(wrangler, settings, data);
  console.log(welcome(settings, browser));
}

function readHome(): string {
  try {
    return resolve(parseArgs({ options: { home: { type: 'string', default: PROJECT } } }).values.home);
  } catch {
    throw new StopError('The only option is --home FOLDER, the folder for .dev.vars and the stored pages.');
  }
}

/**
 * Puts a browser behind the Browser Rendering binding, and a proxy between it and the network. Without a browser the
 * Worker has to know: RENDER_ENABLED becomes false.
 * @returns `null` when the settings want none
 */
async function giveBrowser(
  settings: Settings,
  fromToml: Readonly<Record<string, unknown>>,
): Promise<LocalBrowser | null> {
  const wanted = settings.values['RENDER_ENABLED'] || fromToml['RENDER_ENABLED'];
  if (wanted !== 'true') return null;
  const policy = netPolicy(parseConfig({ ...fromToml, ...settings.values }), [`localhost:${settings.port}`]);
  const { flags } = await startBrowserProxy({ policy });
  const browser = await prepareBrowser(join(PROJECT, '.wrangler/chromium'), process.env, flags);
  if (browser.kind === 'none') settings.values['RENDER_ENABLED'] = 'false';
  else process.env['XDG_CACHE_HOME'] = browser.cacheHome;
  return browser;
}

/** No banners, update checks or usage reports, no inspector pages: what is not ours stays silent and closed. */
function quietPlatform(): void {
  Object.assign(process.env, {
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
    WRANGLER_LOG: process.env['WRANGLER_LOG'] ?? 'error',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    X_LOCAL_EXPLORER: 'false',
    X_LOCAL_OBSERVABILITY: 'false',
  });
}

async function startWorker(wrangler: typeof import('wrangler'), settings: Settings, data: string): Promise<void> {
  const environment = new wrangler.unstable_DevEnv();
  running = { stop: () => environment.teardown() };
  const failed = new Promise<never>((_, reject) => {
    environment.on('error', (event: unknown) => reject(notStarted(event)));
    environment.on('buildFailed', (event: unknown) => reject(notStarted(event)));
  });
  failed.catch(() => undefined); // later errors are the Worker's own and reach its log
  const loaded = new Promise((done) => environment.once('reloadComplete', done));

  await inTime(failed, async () => {
    const worker = await environment.startWorker({
      config: CONFIG,
      // Naming a file here keeps wrangler from reading `.dev.vars`: `settings` has, and knows what stands over it.
      envFiles: ['.dev.vars'],
      bindings: Object.fromEntries(
        Object.entries(settings.values).map(([name, value]) => [name, { type: 'secret_text', value }]),
      ),
      dev: {
        persist: data,
        server: { hostname: '127.0.0.1', port: settings.port, secure: false },
        inspector: false,
        remote: false,
        watch: false,
        structuredLogsHandler: printLog,
      },
    });
    await worker.ready;
    await loaded; // `ready` is the listening port, `reloadComplete` the Worker behind it
  });
  const runtime = environment.runtimes[0]?.mf;
  if (runtime === undefined) throw new StopError('The Worker did not come up.');
  await applyMigrations(await runtime.getD1Database('DB'), join(PROJECT, 'migrations'));
  const { triggers } = wrangler.unstable_readConfig({ config: CONFIG }, { hideWarnings: true });
  keepTidy(() => runtime.getWorker(), triggers.crons ?? []);
  await inTime(failed, async () => {
    const answer = await fetch(`http://127.0.0.1:${settings.port}/healthz`);
    await answer.body?.cancel();
    if (answer.status >= 500) throw new StopError('The Worker runs but does not answer; its errors are above.');
  });
}

/** @param reach the Worker as miniflare hands it out: its declared type does not say that it takes scheduled events */
function keepTidy(reach: () => Promise<object>, crons: readonly string[]): void {
  const tidy = async () => {
    const worker = await reach();
    if (!('scheduled' in worker) || typeof worker.scheduled !== 'function') {
      throw new TypeError('the Worker takes no scheduled events');
    }
    for (const cron of crons) await Reflect.apply(worker.scheduled, worker, [{ cron }]);
  };
  const run = () => void tidy().catch((error: unknown) => console.error(`The hourly tidying failed: ${String(error)}`));
  setTimeout(run, TIDY_FIRST_MS).unref();
  setInterval(run, TIDY_EVERY_MS).unref();
}

/** The outcome of `work`, or the first thing that makes waiting for it pointless. */
async function inTime(failed: Promise<never>, work: () => Promise<void>): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(new StopError(`The Worker was not ready after ${WORKER_READY_MS / 1000} s.`)),
      WORKER_READY_MS,
    ).unref();
  });
  const done = work().catch((error: unknown) => {
    throw error instanceof StopError ? error : notStarted(error);
  });
  await Promise.race([done, failed, late]);
}

function printLog(log: { level: string; message: string }): void {
  const stream = log.level === 'error' || log.level === 'warn' ? process.stderr : process.stdout;
  stream.write(`${log.message}\n`);
}

function notStarted(event: unknown): StopError {
  return new StopError(`The Worker could not be started: ${reasonOf(event)}`);
}

/** The innermost message: wrangler wraps what went wrong in "An error occurred" and the like. */
function reasonOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return String(event);
  if ('cause' in event && event.cause !== undefined) return reasonOf(event.cause);
  return 'message' in event ? String(event.message) : 'unknown reason.';
}

function watchStandardInput(): void {
  let asked = false;
  process.stdin.on('data', () => {
    asked = true;
    void stop(0);
  });
  process.stdin.on('end', () => {
    if (!asked) killGroup();
  });
  process.stdin.on('error', killGroup);
}

async function stop(code: number): Promise<void> {
  setTimeout(killGroup, STOP_MS).unref();
  await running?.stop().catch(() => undefined);
  process.exit(code);
}

/** Ends this process and its workerd at once, as when the machine fails: storage survives that. */
function killGroup(): void {
  if (process.platform === 'win32') process.exit(1);
  process.kill(-process.pid, 'SIGKILL');
}
