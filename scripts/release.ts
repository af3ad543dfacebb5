import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agedRows } from './docs/scoreboard/stale.ts';
import { readRows } from './docs/scoreboard/rows.ts';
import { StopError } from './local/stop-error.ts';
import { findObstacles, notesOf } from './package/release.ts';

/**
 * `node scripts/release.ts v0.2.0`: prints the changelog's text about a version, if it may be released. It publishes
 * nothing: `.github/workflows/release.yml` does. `npm run release -- --dry` lists the obstacles. It fails only on those
 * that the project has to fix, not on those that the owner has to decide.
 */
const PROJECT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dry: { type: 'boolean', default: false } },
});
const release = {
  manifest: read('package.json'),
  changelog: read('CHANGELOG.md'),
  aged: agedRows(PROJECT, readRows()).filter(({ isOnPage }) => isOnPage),
};

try {
  if (values.dry) tryOut();
  else process.stdout.write(notesOf(positionals[0] ?? '', release));
} catch (error) {
  console.error(error instanceof StopError ? error.message : error);
  process.exitCode = 1;
}

function tryOut(): void {
  const tag = positionals[0] ?? null;
  const obstacles = findObstacles(tag, release);
  const owners = obstacles.filter(({ isForOwner }) => isForOwner);
  const ours = obstacles.filter(({ isForOwner }) => !isForOwner);
  for (const { reason } of owners) console.log(`For the owner: ${reason}`);
  for (const { reason } of ours) console.error(`To mend: ${reason}`);
  console.log(ours.length === 0 ? 'Nothing else is in the way of a release.' : 'This version cannot be released.');
  if (ours.length > 0) process.exitCode = 1;
}
