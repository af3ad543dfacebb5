import type { ListedStep, ListResult } from './step-list.ts';

const REPEATABLE: ReadonlySet<ListedStep['kind']> = new Set(['fill', 'wait', 'expect']);

/**
 * Remaining lines of a list that stopped for a reason that needs no correction. A step that may already have run is
 * included only if it may run twice.
 */
export function findRemainingLines(
  lines: readonly string[],
  steps: readonly ListedStep[],
  { done, stopped }: Pick<ListResult, 'done' | 'stopped'>,
): readonly string[] {
  if (stopped?.why === 'failed' && stopped.isAsked === true) return lines.slice(done);
  if (stopped?.why !== 'time' && stopped?.why !== 'moved') return [];
  const begun = stopped.why === 'time' && stopped.isBegun ? steps[done] : undefined;
  const left = lines.slice(begun === undefined || REPEATABLE.has(begun.kind) ? done : done + 1);
  // Lines with refs are dropped, because refs belong to the page that has gone.
  return stopped.why === 'moved' && left.some((line) => /@e\d/u.test(line)) ? [] : left;
}
