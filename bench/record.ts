import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { benchNamed } from '#scripts/docs/scoreboard/benches.ts';
import type { BenchName } from '#scripts/docs/scoreboard/benches.ts';
import type { Figure } from '#scripts/docs/scoreboard/recorded.ts';

const ROOT = join(import.meta.dirname, '..');
/** Where benches leave what `npm run scoreboard` puts into `docs/scoreboard.md`; not part of the repository. */
export const RESULTS = join(ROOT, 'bench/results/scoreboard');

/** When the run began: somebody may change things while it goes on. */
const started = { head: git('rev-parse', 'HEAD'), changed: git('status', '--porcelain', '--', 'src', 'generated') };

/** @param seeds what makes the run the same again */
export function record(bench: BenchName, figures: readonly Figure[], seeds = 'none, the same each time'): void {
  const paths = measuredBy(bench);
  const result = {
    commit: lastCommit(bench, started.head),
    isChanged: paths.some((path) => started.changed.includes(` ${path}`)),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'a processor'}, Node ${process.versions.node}`,
    seeds,
    figures,
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${bench}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

/** The last commit that changed what a bench measures. */
export function lastCommit(bench: string, head = 'HEAD'): string {
  return git('log', '-1', '--abbrev=8', '--format=%h', head, '--', ...measuredBy(bench));
}

function measuredBy(bench: string): readonly string[] {
  return benchNamed(bench)?.measures ?? ['src', 'generated'];
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', cwd: ROOT }).trimEnd();
}
