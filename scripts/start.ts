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
 * workerd outlives a parent that is killed, and would keep the port. So the part that starts it runs in a process
 * group of its own: when it ends in whatever way, the group is killed from here; when this process ends, its
 * standard input closes and it kills its group itself. And it can hang: this process looks whether it answers.
 */

/** What an orderly stop may take; `serve.ts` gives up a little earlier. */
const STOP_MS = 3_000;
/** How often to look whether npm is still there: it passes signals on, but cannot pass on its own SIGKILL. */
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
  started.stdin?.on('error', () => undefined); // it ended first: `exit` below has the rest
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

/** Asks once, while the server runs. A choice takes effect with a new start of the server. */
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
process.on('disconnect', stop); // a script of ours that started this one with a channel is gone
process.on('message', (word) => {
  if (word === 'tidy') child.stdin?.write('tidy\n'); // a test of ours does not wait for the hour
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
    // nobody left in it
  }
}

/** npm runs a script through `sh`, which replaces itself by it on some systems and stays in between on others. */
function npmPid(): number {
  const stat = `/proc/${process.ppid}/stat`;
  if (!existsSync(stat)) return process.ppid;
  const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(stat, 'utf8')) ?? [];
  return name === 'sh' ? Number(parent) : process.ppid;
}
