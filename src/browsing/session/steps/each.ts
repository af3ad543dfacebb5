import { fail } from '#core/failures/failure.ts';

/** Steps that one call may run. */
export const STEPS_RUN_MAX = 60;

/** Lines of steps, and the string that each run of them is for. */
export type Repeated = { lines: string[]; perRound: number; each: readonly string[] };

const BRACES = /\{\{|\}\}|\{\}/gu;

/**
 * Repeats lines for each of some strings: `{}` is the string, `{{` and `}}` are braces. Without strings, lines stay as they are.
 * @throws {PeriscopeError} `invalid_argument` for more steps than a call may run, and where no line has a `{}`
 */
export function repeatLines(lines: readonly string[], each: readonly string[] | undefined): Repeated {
  if (each === undefined) return { lines: [...lines], perRound: lines.length, each: [] };
  if (!lines.some(hasPlace)) {
    const hint = 'Put {} where the string goes, such as fill "Name" = {}. For a brace, write {{ or }}.';
    fail({ code: 'invalid_argument', field: 'each', problem: 'is given, and no step has a {}', hint });
  }
  const count = lines.length * each.length;
  if (count > STEPS_RUN_MAX) {
    const fits = Math.floor(STEPS_RUN_MAX / lines.length);
    const problem = `makes ${count} steps of these ${lines.length}, and a call runs ${STEPS_RUN_MAX} at most`;
    fail({ code: 'invalid_argument', field: 'each', problem, hint: `Pass up to ${fits} strings in a call.` });
  }
  const written = (line: string, value: string) =>
    line.replaceAll(BRACES, (found) => (found === '{}' ? value : found.charAt(0)));
  return { lines: each.flatMap((value) => lines.map((line) => written(line, value))), perRound: lines.length, each };
}

function hasPlace(line: string): boolean {
  return [...line.matchAll(BRACES)].some(([found]) => found === '{}');
}

/** Which line a step is of, and for which string, as a sentence; empty for a list that is not repeated. */
export function roundOf(step: number, { perRound, each }: Repeated): string {
  const value = each[Math.floor((step - 1) / perRound)];
  if (value === undefined) return '';
  return ` Step ${step} is line ${((step - 1) % perRound) + 1} for ${JSON.stringify(value)}.`;
}
