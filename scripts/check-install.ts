import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Checks that each npm that users have installs what the lock file says: a step of the gate. npm 10.8 comes with Node 20,
 * npm 10.9 with Node 22, npm 11 with Node 24.
 */

const VERSIONS = ['10.8.2', '10.9.4', '11'];

process.chdir(join(import.meta.dirname, '..'));
for (const version of VERSIONS) {
  const { status, error, stdout, stderr } = spawnSync(
    'npx',
    ['--yes', `npm@${version}`, 'ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'],
    { encoding: 'utf8' },
  );
  if (status === 0) continue;
  console.error(`npm ${version} does not install this lock file.\n${error?.message ?? stdout + stderr}`);
  process.exitCode = 1;
}
