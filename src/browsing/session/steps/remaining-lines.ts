import type { BrowserStep, StepListResult } from './step-list.ts';

const REPEATABLE: ReadonlySet<BrowserStep['kind']> = new Set(['fill', 'wait', 'expect']);

/**
 * The lines to send in the next call if the steps stopped for an external reason, such as an elapsed time limit. A step
 * that may already have run is included only if it may run twice.
 */
export function findRemainingLines(
  lines: readonly string[],
  steps: readonly BrowserStep[],
  { done, stopped }: Pick<StepListResult, 'done' | 'stopped'>,
): readonly string[] {
  if (stopped?.why === 'failed' && stopped.isAsked === true) return lines.slice(done);
  if (stopped?.why !== 'time' && stopped?.why !== 'moved') return [];
  const begun = stopped.why === 'time' && stopped.isBegun ? steps[done] : undefined;
  const left = lines.slice(begun === undefined || REPEATABLE.has(begun.kind) ? done : done + 1);
  // If the page was replaced, lines with refs are of no use, because the refs belong to the previous page.
  return stopped.why === 'moved' && left.some((line) => /@e\d/u.test(line)) ? [] : left;
}
