import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG_NAMES } from '#core/config/config.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { findFreePort } from './port.ts';

/** Runs `npm start` from a script, for the demo and the end-to-end tests. */
export type LaunchedServer = {
  port: number;
  mcpUrl: string;
  /** `LOCAL_ACCESS_TOKEN` of this server. */
  token: string;
  /** Everything it has printed so far, both streams. */
  output: () => string;
  /** Fires the hourly trigger; a log line reports its end. */
  tidy: () => void;
  /** Like Ctrl-C. */
  stop: () => Promise<void>;
  /** Like a power cut: no process of it runs any more code. Resolves when the port is free. */
  kill: () => Promise<void>;
};

export type LaunchOptions = {
  /** Folder for `.dev.vars` and the data. */
  home: string;
  /** A free one by default. */
  port?: number;
  /** Settings in the environment of the start. Those of the calling process are not passed on. */
  settings?: Record<string, string>;
  /** Port where DevTools can inspect the Worker; none by default. */
  inspectorPort?: number | undefined;
  /** Folder of another version to run; this version by default. */
  project?: string;
};

const READY = /^Periscope is ready at /m;
const TOKEN_MADE_HERE = `local_${crypto.randomUUID()}`;
const POLL_MS = 20;

/** Starts `scripts/start.ts` and resolves with its exit code and output at its end. */
export function runStart(options: LaunchOptions & { port: number }) {
  const without = Object.fromEntries(CONFIG_NAMES.map((name) => [name, undefined]));
  const inspector = options.inspectorPort === undefined ? [] : ['--inspector', String(options.inspectorPort)];
  const project = options.project ?? join(import.meta.dirname, '../..');
  const args = [join(project, 'scripts/start.ts'), '--home', options.home, ...inspector];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...COMPILE_CACHE, ...without, PORT: String(options.port), ...options.settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // The channel ties its lifetime to ours.
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  // `exit`, not `close`: after a kill, the streams stay open until the last process of the group is gone.
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  return { child, ended, output: () => output };
}

/**
 * Waits for as long as the start takes: on a busy machine the first one takes minutes.
 * @throws if the server exits instead; the message contains its output
 */
export async function launchServer(options: LaunchOptions): Promise<LaunchedServer> {
  if (options.port !== undefined) return launchAt(options.port, options);
  for (;;) {
    const port = await findFreePort();
    const server = await launchAt(port, options).catch((error: unknown) => {
      // The port was free a moment ago, and another program has taken it since.
      const text = String(error);
      if (text.includes(`Port ${port} is already in use`) || text.includes(`already in use (127.0.0.1:${port})`))
        return null;
      throw error;
    });
    if (server !== null) return server;
  }
}

async function launchAt(port: number, options: LaunchOptions): Promise<LaunchedServer> {
  const token = options.settings?.['LOCAL_ACCESS_TOKEN'] ?? TOKEN_MADE_HERE;
  const settings = { ...options.settings, LOCAL_ACCESS_TOKEN: token };
  const { child, ended, output } = runStart({ ...options, port, settings });
  await waitUntilReady(child, output);
  return {
    port,
    mcpUrl: `http://localhost:${port}/mcp`,
    token,
    output,
    tidy: () => void child.send('tidy'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      while (await answers(port)) await sleep(POLL_MS);
    },
  };
}

async function waitUntilReady(child: ChildProcess, output: () => string): Promise<void> {
  while (!READY.test(output())) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The server ended before it was ready:\n${output()}`);
    }
    await sleep(POLL_MS);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
