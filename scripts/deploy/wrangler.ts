import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { COMPILE_CACHE } from '#scripts/local/compile-cache.ts';
import { StopError } from '#scripts/local/stop-error.ts';

/** Wrangler's command line. */
export type Wrangler = {
  /** What it prints, or `null` when it fails with words that `expected` knows. @throws {StopError} on other failures */
  readOr: (args: string[], expected: RegExp) => Promise<string | null>;
  /** Changes something: its output goes to the person. @throws {StopError} when it fails */
  run: (args: string[], env?: Record<string, string>) => Promise<string>;
};

/** Starts Wrangler and waits for its end. What it prints goes to the person, too, where that is `shown`. */
export type StartWrangler = (args: string[], env: Record<string, string>, shown: boolean) => Promise<Ended>;

/** @param accountId the account that every command is for; without it, Wrangler takes the only one there is */
export function wranglerFor(accountId?: string, start: StartWrangler = startWrangler): Wrangler {
  const account = accountId === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: accountId };
  return {
    readOr: async (args, expected) => {
      const ended = await start(args, account, false);
      if (ended.code === 0) return ended.stdout;
      if (expected.test(said(ended))) return null;
      throw new StopError(`wrangler ${args.join(' ')} failed:\n${said(ended)}`);
    },
    run: async (args, env = {}) => {
      const ended = await start(args, { ...account, ...env }, true);
      if (ended.code === 0) return ended.stdout;
      throw new StopError(
        FREE_PLAN.sign.test(said(ended)) ? FREE_PLAN.words : `wrangler ${args[0]} failed; its output is above.`,
      );
    },
  };
}

/** The one answer of Cloudflare that says too little of what to do, known by its error code. */
export const FREE_PLAN = {
  sign: /\b100328\b/u,
  words:
    'This account is on the Workers Free plan. It gives a request 10 ms of CPU time, and reading a page takes more. Change to Workers Paid at https://dash.cloudflare.com/?to=/:account/workers/plans.',
};

export type Ended = { code: number | null; stdout: string; stderr: string };

export async function startWrangler(args: string[], env: Record<string, string>, shown: boolean): Promise<Ended> {
  const child = spawn('wrangler', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // CI: it asks nothing, as nobody can answer.
    env: { ...process.env, ...COMPILE_CACHE, WRANGLER_SEND_METRICS: 'false', CI: 'true', ...env },
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

function said({ stdout, stderr }: Ended): string {
  return `${stdout}\n${stderr}`.trim();
}
