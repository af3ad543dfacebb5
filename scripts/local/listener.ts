import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** A lookup that hangs must not delay the message that needs it. */
const LOOKUP_MS_MAX = 3_000;
/** State of a listening socket in /proc/net/tcp (Linux, include/net/tcp_states.h). */
const LISTENING = '0A';

const run = promisify(execFile);

/**
 * Names the process that listens on a TCP port of this machine, as `NAME (process ID)`.
 * @returns `undefined` if the system does not tell: another user's process, or a missing program
 */
export async function listenerOn(port: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') return listenerOnLinux(port);
    return process.platform === 'win32' ? await listenerOnWindows(port) : await listenerOnMac(port);
  } catch {
    return undefined;
  }
}

function listenerOnLinux(port: number): string | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningSockets(file, port)));
  const id = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && openFiles(name).some((file) => sockets.has(file)),
  );
  return id === undefined ? undefined : named(readFileSync(`/proc/${id}/comm`, 'utf8').trim(), id);
}

/** @returns the sockets in the form of `/proc/ID/fd` */
function listeningSockets(file: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING)
    .map((columns) => `socket:[${columns[9] ?? ''}]`);
}

/** Processes of other users, and processes that have just ended, show none. */
function openFiles(id: string): string[] {
  try {
    return readdirSync(`/proc/${id}/fd`).map((name) => readlinkSync(`/proc/${id}/fd/${name}`));
  } catch {
    return [];
  }
}

/** `lsof -F pc` prints one field per line: `p` and the process ID, then `c` and its name. */
async function listenerOnMac(port: number): Promise<string | undefined> {
  const { stdout } = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-F', 'pc'], {
    timeout: LOOKUP_MS_MAX,
  });
  const field = (letter: string) =>
    stdout
      .split('\n')
      .find((line) => line.startsWith(letter))
      ?.slice(1);
  return named(field('c'), field('p'));
}

async function listenerOnWindows(port: number): Promise<string | undefined> {
  const script = `Get-Process -Id (Get-NetTCPConnection -State Listen -LocalPort ${port}).OwningProcess | ForEach-Object { $_.Name; $_.Id }`;
  const { stdout } = await run('powershell', ['-NoProfile', '-Command', script], { timeout: LOOKUP_MS_MAX });
  const [name, id] = stdout.split(/\r?\n/);
  return named(name, id);
}

function named(name: string | undefined, id: string | undefined): string | undefined {
  return name && id ? `${name} (process ${id})` : undefined;
}
