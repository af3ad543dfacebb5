import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRows } from '#scripts/docs/scoreboard/rows.ts';
import type { Measurement } from '#scripts/docs/scoreboard/rows.ts';

const ROOT = join(import.meta.dirname, '..');
/** Folder in which benches store results for `npm run scoreboard`; not part of the repository. */
export const RESULTS = join(ROOT, 'bench/results/scoreboard');

export type Measured = Omit<Measurement, 'date' | 'commit' | 'others'> & {
  /** Id of a row of the scoreboard. */
  row: string;
  others?: Measurement['others'];
};

/** The state at the start of the run, because files may change meanwhile. */
const started = { head: git('rev-parse', 'HEAD'), changed: git('status', '--porcelain', '--', 'src', 'generated') };

/** Stores measurements for rows of the scoreboard. Uncommitted code gives no row. */
export function record(...all: readonly Measured[]): void {
  const rows = new Map(readRows().map((row) => [row.id, row]));
  mkdirSync(RESULTS, { recursive: true });
  for (const { row: id, others = {}, ...measured } of all) {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`The scoreboard has no row ${id}.`);
    if (row.measures.some((path) => started.changed.includes(` ${path}`))) {
      console.error(`${id} is not recorded: ${row.measures.join(', ')} have uncommitted changes.`);
      continue;
    }
    const commit = git('log', '-1', '--abbrev=8', '--format=%h', started.head, '--', ...row.measures);
    const result: Measurement = { date: new Date().toISOString().slice(0, 10), commit, ...measured, others };
    writeFileSync(join(RESULTS, `${id}.json`), `${JSON.stringify(result, null, 2)}\n`);
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', cwd: ROOT }).trimEnd();
}
