import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './package/release.ts';
import { StopError } from './local/stop-error.ts';

/** `node scripts/release-notes.ts v0.2.0`: prints what CHANGELOG.md says of a version that may be released. */
const PROJECT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');

try {
  process.stdout.write(notesOf(process.argv[2] ?? '', read('package.json'), read('CHANGELOG.md')));
} catch (error) {
  console.error(error instanceof StopError ? error.message : error);
  process.exitCode = 1;
}
