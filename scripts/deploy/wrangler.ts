import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { COMPILE_CACHE } from '#scripts/local/compile-cache.ts';
import { StopError } from '#scripts/local/stop-error.ts';

/** Wrangler's command line. */
export type Wrangler = {
  /**
   * @returns the output, or `null` if the command fails with a message that matches `expected`. @throws {StopError} on
   * other failures
   */
  readOr: (args: string[], expected: RegExp) => Promise<string | null>;
  /** Runs a command that changes something, and shows its output to the user. @throws {StopError} if it fails */
  run: (args: string[], env?: Record<string, string>) => Promise<string>;
};

/** Runs Wrangler to its end. The user sees its output if `shown` is true. */
export type StartWrangler = (args: string[], env: Record<string, string>, shown: boolean) => Promise<Ended>;

/** @param accountId the account for every command; without it, Wrangler takes the only one */
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

/** The one message of Cloudflare that does not say what to do, known by its error code. */
export const FREE_PLAN = {
  sign: /\b100328\b/u,
  words:
    'This account is on the Workers Free plan. It gives a request 10 ms of CPU time, and reading a page takes more. Change to Workers Paid at https://dash.cloudflare.com/?to=/:account/workers/plans.',
};

export type Ended = { code: number | null; stdout: string; stderr: string };

export async function startWrangler(args: string[], env: Record<string, string>, shown: boolean): Promise<Ended> {
  const child = spawn('wrangler', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // With CI, Wrangler asks no questions, which nobody could answer.
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
