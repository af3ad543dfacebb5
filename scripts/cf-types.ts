import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { experimental_generateTypes } from 'wrangler';

/**
 * Writes `worker-configuration.d.ts` from `wrangler.toml`; with `--check` it only reports whether the file is current.
 * `wrangler types` is not used because it adds the names in this machine's `.dev.vars`.
 */

const FILE = 'worker-configuration.d.ts';
process.chdir(join(import.meta.dirname, '..'));
const generated = await experimental_generateTypes({ envFile: ['.no-such-file'] });
const content = generated.content.replace(/by running `[^`]*`/, 'by running `npm run cf-types`');

if (!process.argv.includes('--check')) writeFileSync(FILE, content);
else if (readFileSync(FILE, 'utf8') !== content) {
  console.error(`${FILE} does not match wrangler.toml: run npm run cf-types and commit the result.`);
  process.exit(1);
}
