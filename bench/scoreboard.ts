import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCHES } from '#scripts/docs/scoreboard/benches.ts';
import type { BenchName } from '#scripts/docs/scoreboard/benches.ts';
import { recorded, recordedRuns } from '#scripts/docs/scoreboard/recorded.ts';
import { lastCommit, RESULTS } from './record.ts';

/**
 * `npm run scoreboard [-- --run shift,tokens --data FOLDER --corpus CORPUS]`: runs the benches that are named, one after the
 * other (`all`: each), takes what they and earlier runs have left, and writes `docs/scoreboard.md`. FOLDER has the public
 * sets: `truth.json` with `pages` and `more`, `shift`, `search-eval` and `miniwob/html` (default: ../shared/bench beside the
 * project); CORPUS the unpacked packages of documentation. What is not run keeps its figures and says which commit they are of.
 */
const ROOT = join(import.meta.dirname, '..');
const RUNS = join(ROOT, 'scripts/docs/scoreboard/recorded.json');
const { values } = parseArgs({
  options: {
    run: { type: 'string', default: '' },
    data: { type: 'string', default: join(ROOT, '../shared/bench') },
    corpus: { type: 'string' },
  },
});
const corpus = values.corpus === undefined ? null : [values.corpus];
const { data } = values;

/** `null`: not without a corpus. */
const COMMANDS: Readonly<Record<BenchName, string[] | null>> = {
  shift: ['bench/shift.ts', join(data, 'shift')],
  folds: ['bench/training/train.ts', data, '--folds'],
  'passages-unseen': corpus && ['bench/passages.ts', ...corpus],
  miniwob: ['bench/miniwob.ts', join(data, 'miniwob/html'), '--seeds', '901,902,903'],
  extraction: ['bench/extraction.ts', data],
  'passages-first': corpus && ['bench/passages.ts', ...corpus, '--questions=first'],
  'local-search': ['bench/local-search.ts', join(data, 'search-eval')],
  loss: corpus && ['bench/loss.ts', ...corpus],
  apps: ['bench/apps.ts'],
  browser: ['bench/browser.ts', join(data, 'pages')],
  load: ['bench/load.ts'],
  tokens: ['bench/tokens.ts'],
};

const asked = values.run.split(',').filter((name) => name !== '');
const unknown = asked.filter((name) => name !== 'all' && !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const failed: string[] = [];
for (const { name } of BENCHES) {
  if (!asked.includes('all') && !asked.includes(name)) continue;
  const command = COMMANDS[name];
  if (command === null) console.error(`${name} needs --corpus.`);
  else console.log(`\n── ${name}`);
  const isDone = command !== null && spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' }).status === 0;
  if (!isDone) failed.push(name);
}

const runs = recordedRuns.parse(existsSync(RUNS) ? JSON.parse(readFileSync(RUNS, 'utf8')) : {});
for (const file of globSync(join(RESULTS, '*.json'))) {
  runs[basename(file, '.json')] = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
}
for (const [name, run] of Object.entries(runs)) run.isOlder = run.commit !== lastCommit(name);
const known = BENCHES.flatMap(({ name }) => (runs[name] === undefined ? [] : [[name, runs[name]]]));
writeFileSync(RUNS, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
for (const step of [['node_modules/oxfmt/bin/oxfmt', RUNS], ['scripts/generate-docs.ts']]) {
  if (spawnSync(process.execPath, step, { cwd: ROOT, stdio: 'inherit' }).status !== 0) failed.push(step.join(' '));
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}. What was measured before stands as it was.`);
  process.exitCode = 1;
}
