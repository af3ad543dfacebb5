import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { measurement, readRows, ROWS_FILE } from '#scripts/docs/scoreboard/rows.ts';
import { agedRows, ageOf } from '#scripts/docs/scoreboard/stale.ts';
import { RESULTS } from './record.ts';

/**
 * `npm run scoreboard [-- --run ROW,ROW --data DATA --corpus CORPUS]`: runs the commands of these rows, puts the
 * results of these and earlier runs into `rows.json`, marks the rows that are older than the code they measure, and
 * writes the page. `--stale` changes nothing: it lists rows that are older than the code, and fails if the page shows
 * one. DATA has the public sets (default: ../shared/bench next to the project), CORPUS the unpacked documentation.
 */
const ROOT = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    run: { type: 'string', default: '' },
    data: { type: 'string', default: join(ROOT, '../shared/bench') },
    corpus: { type: 'string' },
    stale: { type: 'boolean', default: false },
  },
});

if (values.stale) listStale();
else update();

function listStale(): void {
  const aged = agedRows(ROOT, readRows());
  const onPage = aged.filter((row) => row.isOnPage);
  const tell = (title: string, rows: typeof aged) => {
    if (rows.length === 0) return;
    console.log(`${title}:`);
    for (const { id, commit, why } of rows) console.log(`  ${id}: measured at ${commit}; ${why}`);
  };
  tell('On the page, and not known to be measured on this code', onPage);
  tell(
    'Left out of the page',
    aged.filter((row) => !row.isOnPage),
  );
  if (aged.length === 0) console.log('Every measured row is as new as the code it measures.');
  if (onPage.length > 0) process.exitCode = 1;
}

function update(): void {
  const failed = run(values.run.split(',').filter((id) => id !== ''));
  const rows = readRows();
  for (const file of globSync(join(RESULTS, '*.json'))) {
    const row = rows.find(({ id }) => id === basename(file, '.json'));
    if (row !== undefined) row.measured = measurement.parse(JSON.parse(readFileSync(file, 'utf8')));
  }
  for (const row of rows) {
    if (row.measured === undefined) continue;
    const found = ageOf(ROOT, row, row.measured);
    if (found.age === 'unknown') throw new Error(`The age of rows cannot be known: ${found.why}`);
    row.isStale = found.age === 'stale';
  }
  writeFileSync(ROWS_FILE, `${JSON.stringify(rows.map(withoutDefaults), null, 2)}\n`);
  for (const step of [['node_modules/oxfmt/bin/oxfmt', ROWS_FILE], ['scripts/generate-docs.ts']]) {
    if (spawnSync(process.execPath, step, { cwd: ROOT, stdio: 'inherit' }).status !== 0) failed.push(step.join(' '));
  }
  if (failed.length === 0) return;
  console.error(`Failed: ${failed.join(', ')}. Earlier measurements stay as they are.`);
  process.exitCode = 1;
}

/** @returns the commands that failed; rows of one bench share a command, which runs once */
function run(ids: readonly string[]): string[] {
  const rows = readRows();
  const unknown = ids.filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}. There are: ${rows.map(({ id }) => id).join(', ')}.`);
  }
  const commands = new Set(rows.filter(({ id }) => ids.includes(id)).map(({ command }) => command));
  return [...commands].filter((command) => {
    const words = command
      .replaceAll('DATA', values.data)
      .replaceAll('CORPUS', values.corpus ?? 'CORPUS')
      .split(' ');
    const open = words.filter((word) => /^[A-Z]{3,}$/.test(word));
    if (open.length > 0) {
      console.error(`${command}: ${open.join(', ')} is not given. Run the command by hand, then npm run scoreboard.`);
      return true;
    }
    console.log(`\n── ${command}`);
    const [program = '', ...args] = words[0] === 'node' ? [process.execPath, ...words.slice(1)] : words;
    return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status !== 0;
  });
}

/** The row in its written form, without defaults. */
function withoutDefaults(row: ReturnType<typeof readRows>[number]): object {
  const { published, better, isStale, measured, ...declared } = row;
  const others = measured !== undefined && Object.keys(measured.others).length > 0 ? { others: measured.others } : {};
  return {
    ...declared,
    ...(better === 'low' && { better }),
    ...(published.length > 0 && { published }),
    ...(measured !== undefined && { measured: { ...measured, others: undefined, ...others } }),
    ...(isStale && { isStale }),
  };
}
