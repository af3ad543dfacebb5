import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { askWebSearch, keepChoice, LINE_TO_ADD, terminalAsk } from './local/ask-web-search.ts';
import { COMPILE_CACHE } from './local/compile-cache.ts';
import { exitWith, standardError, standardOutput } from './local/output.ts';
import { runtimeCpuMs } from './local/cpu-time.ts';
import { writePrivately } from './local/private.ts';
import { readySchema } from './local/ready.ts';
import { hangTimes, watchServer } from './local/watchdog.ts';

/**
 * `npm start`: runs the Worker on this machine until Ctrl-C.
 *
 * workerd outlives a killed parent and would keep the port, so the part that starts it runs in its own process group.
 * When that part ends for any reason, this process kills the group. When this process ends, the part's standard input
 * closes and it kills its group itself. The part can also hang, so this process checks that it answers.
 */

/** Time for an orderly stop; `serve.ts` gives up a little earlier. */
const STOP_MS = 3_000;
/** Interval of checks that npm still runs: npm passes signals on, but cannot pass on its own SIGKILL. */
const PARENT_CHECK_MS = 1_000;

const hung = hangTimes(process.env['HANG_SECONDS']);
writePrivately();

let isWatched = false;
let isChanging = false;
let stopped = false;
let child = startServer();

function startServer(): ChildProcess {
  const started = spawn(
    process.execPath,
    [join(import.meta.dirname, `local/serve${extname(import.meta.filename)}`), ...process.argv.slice(2)],
    {
      stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
      detached: process.platform !== 'win32',
      env: { ...process.env, ...COMPILE_CACHE },
    },
  );
  started.stdin?.on('error', () => undefined); // The child exited first, and `exit` below handles it.
  started.stdio[3]?.once('data', (words: Buffer) => {
    const { port, askIn } = readySchema.parse(JSON.parse(words.toString()));
    watch(port);
    if (askIn !== null) void setUpWebSearch(askIn);
  });
  started.on('exit', (code) => {
    if (stopped || !isChanging) return end(code ?? (stopped ? 0 : 1));
    isChanging = false;
    killGroup();
    child = startServer();
  });
  return started;
}

function watch(port: number): void {
  if (isWatched) return;
  isWatched = true;
  void watchServer({
    url: `http://127.0.0.1:${port}/healthz`,
    say: (text) => standardError.print(text),
    cpuMs: async () => (child.pid === undefined ? null : runtimeCpuMs(child.pid)),
    restart: () => child.stdin?.write('restart\n'),
    giveUp: () => end(1),
    times: hung,
  });
}

/** Asks once, while the server runs. A choice takes effect at the next start of the server. */
async function setUpWebSearch(file: string): Promise<void> {
  const ask = terminalAsk();
  if (ask === null) return;
  const choice = await askWebSearch(ask, true);
  process.stdin.pause();
  if (stopped) return;
  keepChoice(file, choice);
  if (choice === null) {
    standardOutput.print(`Not now. To search the web later, add one line to ${file}: ${LINE_TO_ADD}.`);
    return;
  }
  standardOutput.print(`${file} now sets ${choice.name}. The server starts again with it.`);
  isChanging = true;
  child.stdin?.end('stop\n');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
process.on('disconnect', stop); // The script of ours that started this one with a channel has ended.
process.on('message', (word) => {
  if (word === 'tidy') child.stdin?.write('tidy\n'); // A test of ours fires the hourly trigger now.
});

if (process.env['npm_lifecycle_event'] !== undefined) {
  const npm = npmPid();
  setInterval(() => npmPid() === npm || stop(), PARENT_CHECK_MS).unref();
}

function stop(): void {
  stopped = true;
  child.stdin?.end('stop\n');
  setTimeout(() => end(1), STOP_MS).unref();
}

function end(code: number): void {
  killGroup();
  void exitWith(code);
}

function killGroup(): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

/**
 * The process ID of npm, which runs a script through `sh`: on some systems `sh` replaces itself by the script, on
 * others it stays between the two.
 */
function npmPid(): number {
  const stat = `/proc/${process.ppid}/stat`;
  if (!existsSync(stat)) return process.ppid;
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(stat, 'utf8')) ?? [];
  return name === 'sh' ? Number(parent) : process.ppid;
}
