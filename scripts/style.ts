import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsOfComments, faultsOfDocument, faultsOfSource } from './style/rules.ts';
import type { Fault } from './style/rules.ts';

/**
 * Checks the writing rules in `src`, `docs` and the README, and the comments of tests, scripts and benches: a step of
 * `npm run check`. `scripts/style/allowed.json` has the number of faults that each file had when the rules were
 * introduced. A file may have fewer, never more. `--write` lowers the numbers to the current ones, and `--list` prints
 * every fault.
 */

process.chdir(join(import.meta.dirname, '..'));
const ALLOWED = 'scripts/style/allowed.json';
const isSource = (file: string) => /^src\/.*\.tsx?$/.test(file);
const isOtherCode = (file: string) => /^(?:bench|scripts|test)\/.*\.(?:mjs|tsx?)$/.test(file);
const isDocument = (file: string) => /^(?:docs\/.*|README)\.md$/.test(file);

const { stdout } = spawnSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'bench', 'scripts', 'test', 'docs', 'README.md'],
  {
    encoding: 'utf8',
  },
);
const faults = new Map<string, Fault[]>();
for (const file of stdout
  .split('\n')
  .filter((name) => isSource(name) || isOtherCode(name) || isDocument(name))
  .sort()) {
  const text = readFileSync(file, 'utf8');
  const find = isSource(file) ? faultsOfSource : isOtherCode(file) ? faultsOfComments : faultsOfDocument;
  const found = find(text);
  if (found.length > 0) faults.set(file, found);
}

const allowed: Record<string, number> = JSON.parse(readFileSync(ALLOWED, 'utf8'));
const all = [...faults.values()].flat();
if (process.argv.includes('--write')) {
  const counts = [...faults].map(([file, found]) => [file, Math.min(found.length, allowed[file] ?? 0)] as const);
  writeFileSync(ALLOWED, `${JSON.stringify(Object.fromEntries(counts.filter(([, count]) => count > 0)), null, 2)}\n`);
}
const over = [...faults].filter(([file, found]) => found.length > (allowed[file] ?? 0));
for (const [file, found] of process.argv.includes('--list') ? faults : over) {
  for (const { rule, line, text } of found) console.log(`${file}:${line} ${rule}: ${text.slice(0, 160)}`);
}
const counts = Map.groupBy(all, ({ rule }) => rule);
console.log([...counts].map(([rule, found]) => `${rule} ${found.length}`).join(', '));
if (over.length > 0) {
  console.error(
    `\n${over.length} files have more faults than before. Rewrite the new ones: subject first, one idea a sentence.`,
  );
  process.exitCode = 1;
}
