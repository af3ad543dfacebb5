import { spawnSync } from 'node:child_process';
import { extname } from 'node:path';
import { transformSync } from 'esbuild';
import type { Measurement, Row } from './rows.ts';

export type Age =
  /** No later commit changed the measured code, except for comments, types and spaces. */
  | { age: 'current' }
  /** This number of later commits did, or the commit is not in the history. */
  | { age: 'stale'; commits: number; why: string }
  /** The clone lacks the history that would show it. */
  | { age: 'unknown'; why: string };

/**
 * Compares a measurement with the history of the paths that its row measures.
 * @param project a clone of the repository
 */
export function ageOf(project: string, { measures }: Pick<Row, 'measures'>, { commit }: Measurement): Age {
  if (git(project, 'rev-parse', '--is-shallow-repository').output !== 'false') {
    return { age: 'unknown', why: 'a shallow clone has no history: git fetch --unshallow' };
  }
  if (!git(project, 'merge-base', '--is-ancestor', commit, 'HEAD').isDone) {
    return { age: 'stale', commits: 0, why: `commit ${commit} is not in this history` };
  }
  const later = git(project, 'log', '--format=%h', '--abbrev=8', `${commit}..HEAD`, '--', ...measures);
  if (!later.isDone) throw new Error(later.output);
  const commits = later.output.split('\n').filter((line) => line !== '');
  if (commits.length === 0 || !hasOtherCode(project, commit, measures)) return { age: 'current' };
  const many = commits.length === 1 ? '1 later commit' : `${commits.length} later commits`;
  return { age: 'stale', commits: commits.length, why: `${many}, the last ${commits[0] ?? ''}` };
}

function hasOtherCode(project: string, commit: string, measures: readonly string[]): boolean {
  const changed = git(project, 'diff', '--no-renames', '--name-only', '-z', commit, 'HEAD', '--', ...measures);
  if (!changed.isDone) throw new Error(changed.output);
  const paths = changed.output.split('\0').filter((path) => path !== '');
  return paths.some((path) => {
    const before = codeOf(project, commit, path);
    return before === null || before !== codeOf(project, 'HEAD', path);
  });
}

/** The code of a file without comments, types and spaces, or its whole text. `null` if the commit does not have the file. */
function codeOf(project: string, commit: string, path: string): string | null {
  const { isDone, output } = git(project, 'show', `${commit}:${path}`);
  if (!isDone) return null;
  const [, loader] = /^\.(tsx?)$/.exec(extname(path)) ?? [];
  if (loader !== 'ts' && loader !== 'tsx') return output;
  return transformSync(output, { loader, minifyWhitespace: true, legalComments: 'none' }).code;
}

export type Aged = { id: string; commit: string; why: string; isOnPage: boolean };

/** Rows whose measurement is older than the code it measures, or has an age that this clone cannot determine. */
export function agedRows(project: string, rows: readonly Row[]): Aged[] {
  return rows.flatMap(({ id, measures, measured, isStale }) => {
    if (measured === undefined) return [];
    const found = ageOf(project, { measures }, measured);
    return found.age === 'current' ? [] : [{ id, commit: measured.commit, why: found.why, isOnPage: !isStale }];
  });
}

const BYTES_MAX = 64 * 1024 * 1024;

function git(cwd: string, ...args: string[]): { isDone: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: BYTES_MAX });
  return { isDone: status === 0, output: status === 0 ? stdout.trim() : stderr.trim() };
}
