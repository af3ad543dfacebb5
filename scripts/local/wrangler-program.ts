import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';

/** Exit code and output of a Wrangler command. */
export type WranglerRun = { code: number | null; said: string };

/** Runs a Wrangler command without questions, banners, update checks and usage reports. */
export async function runWrangler(project: string, args: readonly string[]): Promise<WranglerRun> {
  const require = createRequire(import.meta.url);
  const program = join(dirname(require.resolve('wrangler/package.json')), 'bin/wrangler.js');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project,
    env: {
      ...process.env,
      ...COMPILE_CACHE,
      // Wrangler's build command finds node in the shell's PATH, and must use this one.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_LOG: 'error',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_WRITE_LOGS: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, said: said.trim() };
}
