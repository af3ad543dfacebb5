import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseConfig } from '#core/config/config.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { AtWork } from './at-work.ts';
import { startBrowserProxy } from './browser-proxy.ts';
import { bundleWorker, readBundle, requireBuildable } from './bundle.ts';
import { prepareBrowser } from './chromium.ts';
import type { LocalBrowser } from './chromium.ts';
import { holdData } from './data-lock.ts';
import { startDevtoolsGuard } from './devtools-guard.ts';
import { Hangs } from './hangs.ts';
import type { Keeper } from './keeper.ts';
import { readable, readLogFormat } from './log-format.ts';
import { applyMigrations } from './migrate.ts';
import { exitWith, standardError, standardOutput } from './output.ts';
import { notePort, readPort, requireFreePort } from './port.ts';
import { closeToOthers } from './private.ts';
import { BUILT_WORKER, cacheFolder, HOME, IS_PACKAGE, PROJECT } from './project.ts';
import type { Ready } from './ready.ts';
import { restartHung, skippedSetting } from './restart-hung.ts';
import type { RestartDeps } from './restart-hung.ts';
import { startRuntime } from './runtime.ts';
import type { Runtime } from './runtime.ts';
import { readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { StopError, stopMessage } from './stop-error.ts';
import { welcome } from './welcome.ts';
import { readWorkerConfig } from './worker-config.ts';
import type { WorkerConfig } from './worker-config.ts';

/**
 * Runs the Worker in workerd on this machine. `start.ts` runs this file in its own process group and sends commands to
 * standard input: "stop" stops in order, "tidy" fires the hourly trigger, "restart" means that the Worker hangs. The
 * end of the input means that `start.ts` is gone. This file reports its port on descriptor 3 once the Worker answers.
 */

const READY_WAIT_MS = 10_000;
const READY_DESCRIPTOR = 3;
/** A paused terminal reads nothing. */
const WELCOME_WAIT_MS = 500;
/** Time for the platform to stop before it is killed. */
const STOP_MS = 2_000;

/** Interval of the hourly trigger, which the platform would fire. It also fires once soon after the start. */
const TIDY_EVERY_MS = 3_600_000;
const TIDY_FIRST_MS = 60_000;

let running: Runtime | null = null;
let tidy: () => void = () => undefined;
let restart: () => void = () => undefined;
/** Text at the end of an orderly stop; `null` before the Worker has answered. */
let farewell: string | null = null;
watchStandardInput();

try {
  await serve();
} catch (error) {
  standardError.print(stopMessage(error));
  await stop(1);
}

async function serve(): Promise<void> {
  const { home, inspectorPort } = readOptions();
  const port = readPort(process.env['PORT']);
  const logFormat = readLogFormat(process.env['LOG_FORMAT'], process.stdout.isTTY);
  await requireFreePort(port);
  const data = join(home, '.wrangler/state');
  holdData(data);
  const config = readWorkerConfig(join(PROJECT, 'wrangler.toml'));
  const settings = readSettings(home, port, process.env, config.vars);
  const open = [...closeToOthers(join(home, '.wrangler')), ...closeToOthers(join(home, '.dev.vars'))];
  const stored = join(data, 'v3');
  const cache = cacheFolder(home);
  const bundles = join(cache, 'bundle');
  if (!IS_PACKAGE) requireBuildable(PROJECT, bundles);
  const [bundle, browser] = await Promise.all([
    IS_PACKAGE ? readBundle(BUILT_WORKER) : bundleWorker(PROJECT, bundles, say),
    giveBrowser(settings, config.vars, join(cache, 'chromium')),
    applyMigrations(config, stored, join(PROJECT, 'migrations'), say),
  ]);
  const hangs = new Hangs(join(home, '.wrangler/hangs.json'));
  const atWork = new AtWork((pages) => hangs.finished(pages));
  const runtime = await startRuntime({
    config,
    bundle,
    values: { ...settings.values, ...skippedSetting(hangs) },
    port,
    data: stored,
    inspectorPort,
    logFormat,
    takeLine: (message) => atWork.take(message),
    onCrash: () => {
      atWork.interrupted();
      if (running !== null) goOnWithRounds(running.keeper);
    },
  }).catch((error: unknown) => {
    throw new StopError(`The Worker could not be started: ${reasonOf(error)}`);
  });
  running = runtime;
  await requireAnswer(port);
  goOnWithRounds(runtime.keeper);
  const hourly = () => tidied(runtime.keeper, config, { hangs, atWork });
  keepTidy(hourly);
  const log = (line: string) => standardError.print(logFormat === 'json' ? line : (readable(line) ?? line));
  restart = () => void restarted({ runtime, atWork, hangs, log }, port);
  notePort(home, port);
  farewell = `Stopped. Your data stays in ${data}.`;
  standardOutput.print(welcome(settings, browser, open, logFormat));
  // A question of `start.ts` comes after it.
  await standardOutput.flush(WELCOME_WAIT_MS);
  tellReady({ port, askIn: settings.asksWebSearch ? join(home, '.dev.vars') : null });
  flushCompileCache();
}

function readOptions(): { home: string; inspectorPort: number | undefined } {
  try {
    const { home, inspector } = parseArgs({
      options: { home: { type: 'string', default: HOME }, inspector: { type: 'string' } },
    }).values;
    return { home: resolve(home), inspectorPort: inspector === undefined ? undefined : readPort(inspector) };
  } catch {
    throw new StopError(
      'The options are --home FOLDER, the folder for .dev.vars and the stored pages, and --inspector PORT, where DevTools can look into the Worker.',
    );
  }
}

/** Announces slow steps on standard error, apart from the output that scripts read. */
function say(text: string): void {
  standardError.print(text);
}

/**
 * Puts a browser behind the Browser Rendering binding, and a proxy between the browser and the network. Without a
 * browser, RENDER_ENABLED becomes false for the Worker.
 * @returns `null` if the settings turn the browser off
 */
async function giveBrowser(
  settings: Settings,
  fromToml: Readonly<Record<string, unknown>>,
  folder: string,
): Promise<LocalBrowser | null> {
  const wanted = settings.values['RENDER_ENABLED'] || fromToml['RENDER_ENABLED'];
  if (wanted !== 'true') return null;
  const policy = netPolicy(parseConfig({ ...fromToml, ...settings.values }), [`localhost:${settings.port}`]);
  const [{ flags }, guard] = await Promise.all([startBrowserProxy({ policy }), startDevtoolsGuard()]);
  const browser = await prepareBrowser(folder, process.env, { flags, guard, say });
  if (browser.kind === 'none') settings.values['RENDER_ENABLED'] = 'false';
  else process.env['XDG_CACHE_HOME'] = browser.cacheHome;
  return browser;
}

/** On a busy machine the database may take longer than `/healthz` waits for it. */
async function requireAnswer(port: number): Promise<void> {
  const end = Date.now() + READY_WAIT_MS;
  while (true) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    const text = await answer.text();
    if (answer.status < 500) return;
    if (answer.status !== 503) throw new StopError('The Worker is running but does not answer; its errors are above.');
    if (Date.now() > end) throw new StopError(`The Worker is running but not ready: ${text}`);
    await new Promise((again) => setTimeout(again, 200));
  }
}

/** The platform resumes rounds automatically; the local runtime does not. */
function goOnWithRounds(keeper: Keeper): void {
  keeper
    .goOn()
    .catch((error: unknown) => standardError.print(`Rounds of what is followed do not go on: ${String(error)}`));
}

/** After a restart of the Worker, its rounds must be resumed. */
async function restarted(deps: RestartDeps, port: number): Promise<void> {
  try {
    await restartHung(deps);
    await requireAnswer(port);
    goOnWithRounds(deps.runtime.keeper);
  } catch (error) {
    standardError.print(`The Worker could not be restarted: ${reasonOf(error)}`);
  }
}

async function tidied(
  keeper: Keeper,
  { triggers }: WorkerConfig,
  { hangs, atWork }: Pick<RestartDeps, 'hangs' | 'atWork'>,
): Promise<void> {
  if (hangs.isSkipped(HOURLY)) {
    standardError.print('The hourly clean-up is skipped: the Worker hung twice during it.');
    return;
  }
  const id = randomUUID();
  atWork.begin(id, 'hourly clean-up', HOURLY);
  await keeper
    .tidy(triggers.crons)
    .catch((error: unknown) => standardError.print(`The hourly clean-up failed: ${String(error)}`));
  atWork.end(id);
}

/** Key of the hourly clean-up among the pages of hangs. */
const HOURLY = 'hourly';

function keepTidy(run: () => Promise<void>): void {
  let last = Promise.resolve();
  tidy = () => {
    last = last.then(run);
  };
  setTimeout(tidy, TIDY_FIRST_MS).unref();
  setInterval(tidy, TIDY_EVERY_MS).unref();
}

/** Reports to `start.ts`, if it listens. */
function tellReady(ready: Ready): void {
  try {
    writeSync(READY_DESCRIPTOR, `${JSON.stringify(ready)}\n`);
  } catch {
    // This file was run without start.ts.
  }
}

/** The innermost message, because errors are often wrapped in "An error occurred" or similar. */
function reasonOf(event: unknown): string {
  if (typeof event !== 'object' || event === null) return String(event);
  if ('cause' in event && event.cause !== undefined) return reasonOf(event.cause);
  return 'message' in event ? String(event.message) : 'unknown reason.';
}

function watchStandardInput(): void {
  let asked = false;
  process.stdin.on('data', (chunk: Buffer) => {
    const words = chunk.toString().split('\n');
    if (words.includes('tidy')) tidy();
    if (words.includes('restart')) restart();
    if (!words.includes('stop')) return;
    if (asked) return;
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
  if (code === 0 && farewell !== null) standardOutput.print(farewell);
  await exitWith(code);
}

/** Kills this process and its workerd, as a power cut would: stored data survives. */
function killGroup(): void {
  if (process.platform === 'win32') process.exit(1);
  process.kill(-process.pid, 'SIGKILL');
}
