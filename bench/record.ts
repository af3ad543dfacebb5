import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Figure, Recorded } from '#scripts/docs/scoreboard/recorded.ts';

/** Where benches leave what `npm run scoreboard` puts into `docs/scoreboard.md`; not part of the repository. */
export const RESULTS = join(import.meta.dirname, 'results/scoreboard');

/** @param seeds what made the run repeatable */
export function record(bench: string, figures: readonly Figure[], seeds = 'none: the same each time'): void {
  const result: Recorded = {
    ...STARTED,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'a processor'}, Node ${process.versions.node}`,
    seeds,
    figures: [...figures],
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${bench}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** What is measured. A commit that changes nothing of it changes no figure. */
const MEASURED = ['src', 'generated'];

/** When the run began: somebody may commit while it goes on. */
const STARTED = { commit: lastCommit(), isChanged: git('status', '--porcelain', '--', ...MEASURED) !== '' };

/** The last commit that changed what is measured. */
export function lastCommit(): string {
  return git('log', '-1', '--abbrev=8', '--format=%h', '--', ...MEASURED);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', cwd: join(import.meta.dirname, '..') }).trim();
}
