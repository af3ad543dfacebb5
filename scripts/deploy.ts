import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deploy } from './deploy/deploy.ts';
import { StopError } from './local/stop-error.ts';

/**
 * `npm run deploy [-- --domain periscope.example.com] [-- --dry-run]`: takes a Cloudflare account to a working address.
 * Settings in its environment reach the Worker, secret ones as secrets.
 */
try {
  const { domain, dryRun } = readOptions();
  await deploy({ project: join(import.meta.dirname, '..'), domain, dryRun, environment: process.env });
} catch (error) {
  console.error(error instanceof StopError ? `\nPeriscope was not deployed. ${error.message}` : error);
  process.exitCode = 1;
}

function readOptions(): { domain: string | null; dryRun: boolean } {
  const wrong = 'The options are --domain periscope.example.com, a domain that is on Cloudflare, and --dry-run.';
  try {
    const { values } = parseArgs({ options: { domain: { type: 'string' }, 'dry-run': { type: 'boolean' } } });
    const domain = values.domain ?? null;
    if (domain !== null && !/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/u.test(domain))
      throw new StopError(wrong);
    return { domain, dryRun: values['dry-run'] === true };
  } catch {
    throw new StopError(wrong);
  }
}
