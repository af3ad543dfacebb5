import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Task } from './tasks.ts';

/** An application in its initial state. */
export type Application = {
  url: string;
  /** Runs the verifier of a task on the application's current data. */
  verify: (task: Task) => Promise<Verdict>;
  stop: () => Promise<void>;
};

export type Verdict = { isSolved: boolean; why: string };

const HOST = '127.0.0.1';
const POLL_MS = 50;
const START_MS = 20_000;
/** An application writes to its server a moment after an action. */
const SETTLE_MS = 500;

/** The benchmark's server listens on every address; this script limits it to this machine. */
const SERVE = `
import http.server, runpy, sys
made = http.server.HTTPServer.__init__
def on_loopback(self, address, handler):
    made(self, ('${HOST}', address[1]), handler)
http.server.HTTPServer.__init__ = on_loopback
sys.argv = ['server.py', '--port', sys.argv[1]]
runpy.run_path('server.py', run_name='__main__')
`;

const VERIFY = `
import json, runpy, sys
solved, why = runpy.run_path(sys.argv[1])['verify'](sys.argv[2])
print(json.dumps({'isSolved': bool(solved), 'why': str(why)}))
`;

export async function startApplication(folder: string, app: string, port: number): Promise<Application> {
  const child = spawn('python3', ['-B', '-c', SERVE, String(port)], {
    cwd: join(folder, 'apps', app),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://${HOST}:${port}`;
  const deadline = Date.now() + START_MS;
  while (!(await isReset(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${app} did not start:\n${output}`);
    }
    await sleep(POLL_MS);
  }
  return {
    url,
    verify: async ({ verifier }) => {
      await sleep(SETTLE_MS);
      const { stdout } = await promisify(execFile)('python3', ['-B', '-c', VERIFY, verifier, url]);
      return z.object({ isSolved: z.boolean(), why: z.string() }).parse(JSON.parse(stdout));
    },
    stop: async () => {
      child.kill('SIGKILL'); // Open event streams would keep it running.
      await ended;
    },
  };
}

async function isReset(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api/reset`, { method: 'POST' }).catch(() => null);
  return response !== null && response.ok;
}
