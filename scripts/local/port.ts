import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listenerOn } from './listener.ts';
import { START } from './project.ts';
import { StopError } from './stop-error.ts';

/**
 * The port of `npm start`. A code search found no tool with this default, and it is below the ports that systems use
 * for outgoing connections (from 32768 on Linux). 8787 is taken on many laptops: Cursor receives its OAuth callback
 * there.
 */
export const PORT_DEFAULT = 26_374;
const PORT_MAX = 65_535;
/** Ports above a taken one that are tried for a suggestion. */
const OFFERS_MAX = 20;

/** @throws {StopError} when PORT is set to anything but a port number. */
export function readPort(value: string | undefined): number {
  if (value === undefined || value.trim() === '') return PORT_DEFAULT;
  const port = /^\d{1,5}$/.test(value.trim()) ? Number(value) : 0;
  if (port < 1 || port > PORT_MAX) throw new StopError(`PORT must be a whole number from 1 to ${PORT_MAX}.`);
  return port;
}

/** Records the port for other commands. After a kill, the record stays, but nothing answers there. */
export function notePort(home: string, port: number): void {
  writeFileSync(join(home, NOTE), `${port}\n`);
}

/** The port of the last start with this data, or `undefined`. */
export function notedPort(home: string): string | undefined {
  const file = join(home, NOTE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

const NOTE = '.wrangler/port';

/**
 * Tries both loopback families, because `localhost` means either.
 * @throws {StopError} if the port cannot be used
 */
export async function requireFreePort(port: number): Promise<void> {
  const problems = await listenProblems(port);
  if (problems.includes('EADDRINUSE')) throw new StopError(await describeTakenPort(port));
  if (problems.includes('EACCES')) {
    throw new StopError(
      `Port ${port} needs more rights than you have. Choose one above 1023: PORT=${PORT_DEFAULT} ${START}`,
    );
  }
}

async function describeTakenPort(port: number): Promise<string> {
  const [user, free] = await Promise.all([listenerOn(port), nextFreePort(port)]);
  const taken = `Port ${port} is in use${user === undefined ? '' : ` by ${user}`}.`;
  return free === undefined
    ? `${taken} Stop that program, or set PORT to a free port.`
    : `${taken} Port ${free} is free: PORT=${free} ${START}`;
}

/** @returns the first usable port above this one, or `undefined` if the next ones are all taken */
async function nextFreePort(taken: number): Promise<number | undefined> {
  for (let port = taken + 1; port <= Math.min(taken + OFFERS_MAX, PORT_MAX); port += 1) {
    if (isUsable(await listenProblems(port))) return port;
  }
  return undefined;
}

async function listenProblems(port: number): Promise<(string | null)[]> {
  return Promise.all(['127.0.0.1', '::1'].map((host) => tryListen(host, port)));
}

/** A machine without IPv6 answers with another code for `::1`, which does not matter. */
function isUsable([ipv4, ipv6]: (string | null)[]): boolean {
  return ipv4 === null && ipv6 !== 'EADDRINUSE';
}

/**
 * A port for a server that starts a moment later. It is outside the range that the system assigns (from 32768 on Linux,
 * from 49152 elsewhere), so that the system does not assign it meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = FREE_PORT_MIN + randomInt(FREE_PORTS);
    if (port !== PORT_DEFAULT && isUsable(await listenProblems(port))) return port;
  }
  throw new Error(`None of ${TRIES_MAX} ports was free.`);
}

const FREE_PORT_MIN = 20_000;
const FREE_PORTS = 12_000;
const TRIES_MAX = 50;

/** @returns the error code of listening on the port, or `null` if that works */
function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
