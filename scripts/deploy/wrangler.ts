import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StopError } from '#scripts/local/stop-error.ts';

/** How Cloudflare is spoken to: Wrangler's command line and nothing else. */
export type Wrangler = {
  /** Changes nothing. @throws {StopError} with what Wrangler said, when it fails */
  read: (args: string[]) => Promise<string>;
  /** The same, or `null` when it fails with words that `expected` knows. */
  readOr: (args: string[], expected: RegExp) => Promise<string | null>;
  /** Changes something: its output goes to the person. @throws {StopError} when it fails */
  run: (args: string[], env?: Record<string, string>) => Promise<string>;
};

export const wrangler: Wrangler = {
  read: async (args) => {
    const { code, stdout, stderr } = await start(args, {}, false);
    if (code === 0) return stdout;
    throw new StopError(`wrangler ${args.join(' ')} failed:\n${said(stdout, stderr)}`);
  },
  readOr: async (args, expected) => {
    const { code, stdout, stderr } = await start(args, {}, false);
    if (code === 0) return stdout;
    if (expected.test(stdout + stderr)) return null;
    throw new StopError(`wrangler ${args.join(' ')} failed:\n${said(stdout, stderr)}`);
  },
  run: async (args, env = {}) => {
    const { code, stdout } = await start(args, env, true);
    if (code === 0) return stdout;
    throw new StopError(`wrangler ${args.join(' ')} failed; what it said is above. Mend that, and run this again.`);
  },
};

type Ended = { code: number | null; stdout: string; stderr: string };

async function start(args: string[], env: Record<string, string>, shown: boolean): Promise<Ended> {
  const child = spawn('wrangler', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // CI: it asks nothing, as nobody can answer.
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true', ...env },
    shell: process.platform === 'win32',
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ended.stdout += chunk.toString();
    if (shown) process.stdout.write(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    ended.stderr += chunk.toString();
    if (shown) process.stderr.write(chunk);
  });
  try {
    [ended.code] = (await once(child, 'close')) as [number | null];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ENOENT') throw error;
    throw new StopError('Wrangler was not found: run npm ci, then npm run deploy.');
  }
  return ended;
}

function said(stdout: string, stderr: string): string {
  return `${stdout}\n${stderr}`.trim();
}
