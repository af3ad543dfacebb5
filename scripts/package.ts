import { join } from 'node:path';
import { StopError } from './local/stop-error.ts';
import { makePackage } from './package/make-package.ts';

/**
 * `npm run package`: makes `dist/package`, the package that `npx periscope-mcp` runs once it is published, and packs it
 * into `dist/periscope-mcp-VERSION.tgz`. It publishes nothing.
 */
const PROJECT = join(import.meta.dirname, '..');

try {
  const { file, files, bytes } = await makePackage(PROJECT, join(PROJECT, 'dist'));
  console.log(`${file}: ${files} files, ${Math.round(bytes / 1_000)} kB`);
} catch (error) {
  console.error(error instanceof StopError ? error.message : error);
  process.exitCode = 1;
}
