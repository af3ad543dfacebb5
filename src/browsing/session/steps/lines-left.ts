import type { ListedStep, ListResult } from './step-list.ts';

/** Steps that do no harm when they are taken twice. */
const REPEATABLE: ReadonlySet<ListedStep['kind']> = new Set(['fill', 'wait', 'expect']);

/**
 * The lines of a list that are still to be taken, where it stopped for no reason that has to be dealt with first. A step that
 * may have been taken is among them only if it may be taken twice.
 */
export function linesLeft(
  lines: readonly string[],
  steps: readonly ListedStep[],
  { done, stopped }: Pick<ListResult, 'done' | 'stopped'>,
): readonly string[] {
  if (stopped?.why !== 'time' && stopped?.why !== 'moved') return [];
  const begun = stopped.why === 'time' && stopped.isBegun ? steps[done] : undefined;
  const left = lines.slice(begun === undefined || REPEATABLE.has(begun.kind) ? done : done + 1);
  // Refs are of the page that has gone.
  return stopped.why === 'moved' && left.some((line) => /@e\d/u.test(line)) ? [] : left;
}
