import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { START } from './project.ts';
import { StopError } from './stop-error.ts';

const PORT_DEFAULT = 8787;
const PORT_MAX = 65_535;

/** @throws {StopError} when PORT is set to anything but a port number. */
export function readPort(value: string | undefined): number {
  if (value === undefined || value.trim() === '') return PORT_DEFAULT;
  const port = /^\d{1,5}$/.test(value.trim()) ? Number(value) : 0;
  if (port < 1 || port > PORT_MAX) throw new StopError(`PORT must be a whole number from 1 to ${PORT_MAX}.`);
  return port;
}

/** Tells commands for this server where it is. One that was killed leaves its note: then nobody answers there. */
export function notePort(home: string, port: number): void {
  writeFileSync(join(home, NOTE), `${port}\n`);
}

/** The port of the last start with this data, if there was one. */
export function notedPort(home: string): string | undefined {
  const file = join(home, NOTE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

const NOTE = '.wrangler/port';

/**
 * Asks both loopback families, because `localhost` means either.
 * @throws {StopError} when the port cannot be used.
 */
export async function requireFreePort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const problem = await tryListen(host, port);
    if (problem === 'EADDRINUSE') {
      throw new StopError(
        `Port ${port} is already in use: stop the program that uses it, or choose another port, for example PORT=${port === PORT_MAX ? PORT_DEFAULT : port + 1} ${START}.`,
      );
    }
    if (problem === 'EACCES') {
      throw new StopError(
        `Port ${port} needs more rights than you have: choose one above 1023 with PORT=8787 ${START}.`,
      );
    }
  }
}

/**
 * A port for a server that is started a moment later. It is none of those that the system gives to whoever asks for any
 * (from 32768 on Linux, from 49152 elsewhere), so that nobody is given it meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = FREE_PORT_MIN + randomInt(FREE_PORTS);
    const problems = await Promise.all([tryListen('127.0.0.1', port), tryListen('::1', port)]);
    if (problems[0] === null && problems[1] !== 'EADDRINUSE') return port;
  }
  throw new Error(`None of ${TRIES_MAX} ports was free.`);
}

const FREE_PORT_MIN = 20_000;
const FREE_PORTS = 12_000;
const TRIES_MAX = 50;

/** The error code of listening there, or `null` when it works. A machine without IPv6 answers with a code nobody minds. */
function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
