import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deploy } from './deploy/deploy.ts';
import { deployFailure } from './deploy/deployed.ts';
import { terminalAsk } from './local/ask-web-search.ts';
import { StopError } from './local/stop-error.ts';

/** D1's location hints. */
const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam'];

/**
 * `npm run deploy [-- --domain periscope.example.com] [-- --location weur] [-- --dry-run]`: deploys to a Cloudflare
 * account. Settings in the environment are passed to the Worker, secret ones as secrets.
 */
try {
  const project = join(import.meta.dirname, '..');
  await deploy({ ...readOptions(), project, environment: process.env, askPerson: terminalAsk() });
} catch (error) {
  console.error(error instanceof StopError ? `\n${deployFailure(error)}` : error);
  process.exitCode = 1;
}

function readOptions(): { domain: string | null; location: string | null; dryRun: boolean } {
  const wrong = `The options are --domain periscope.example.com, a domain on Cloudflare; --location, one of ${LOCATIONS.join(', ')}; and --dry-run.`;
  try {
    const { values } = parseArgs({
      options: { domain: { type: 'string' }, location: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    });
    const { domain = null, location = null } = values;
    if (domain !== null && !/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/u.test(domain))
      throw new StopError(wrong);
    if (location !== null && !LOCATIONS.includes(location)) throw new StopError(wrong);
    return { domain, location, dryRun: values['dry-run'] === true };
  } catch {
    throw new StopError(wrong);
  }
}
