import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * `npm start`: runs the Worker on this machine until Ctrl-C.
 *
 * workerd outlives a parent that is killed, and would keep the port. So the part that starts it runs in a process
 * group of its own: when it ends in whatever way, the group is killed from here; when this process ends, its
 * standard input closes and it kills its group itself.
 */

/** What an orderly stop may take; `serve.ts` gives up a little earlier. */
const STOP_MS = 3_000;
/** How often to look whether npm is still there: it passes signals on, but cannot pass on its own SIGKILL. */
const PARENT_CHECK_MS = 1_000;

/**
 * workerd narrates what it has already reported to the Worker, such as a host name that cannot be looked up, as
 * addresses within its own binary. The call has been answered with a named error, and its log line says so.
 */
const NARRATION = /^(?:e = .*|stack: .*|)$/;

const child = spawn(process.execPath, [join(import.meta.dirname, 'local/serve.ts'), ...process.argv.slice(2)], {
  stdio: ['pipe', 'inherit', 'pipe'],
  detached: process.platform !== 'win32',
});
child.stdin.on('error', () => undefined); // it ended first: `exit` below has the rest
createInterface({ input: child.stderr }).on('line', (line) => {
  if (!NARRATION.test(line)) console.error(line);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
process.on('disconnect', stop); // a script of ours that started this one with a channel is gone

if (process.env['npm_lifecycle_event'] !== undefined) {
  const npm = npmPid();
  setInterval(() => npmPid() === npm || stop(), PARENT_CHECK_MS).unref();
}

// What is left of the group holds the other end of its standard error: `close` comes once it is gone and all is read.
child.on('exit', killGroup);
child.on('close', (code) => process.exit(code ?? 1));

function stop(): void {
  child.stdin.end('stop\n');
  setTimeout(() => {
    killGroup();
    process.exit(1);
  }, STOP_MS).unref();
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
