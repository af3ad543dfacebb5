import { fail } from '#core/failures/failure.ts';

export const STEPS_PER_CALL_MAX = 60;
/** Maximum characters of one step with its string: a sentence or two. Longer texts go to `browser_fill`. */
export const STEP_LINE_CHARS_MAX = 2_000;

/** `each`: the strings of the repetitions; empty if the lines are repeated `times` without strings. */
export type RepeatedStepLines = { lines: string[]; perRound: number; each: readonly string[]; times: number };

const BRACES = /\{\{|\}\}|\{\}/gu;

/**
 * Repeats lines for each string: `{}` becomes the string, and `{{` and `}}` become braces. Without strings, the lines
 * stay unchanged and are repeated `times`.
 * @throws {PeriscopeError} `invalid_argument` if there are more steps than a call may run, if a step becomes too long,
 * or if no line contains `{}`
 */
export function repeatStepLines(
  lines: readonly string[],
  each: readonly string[] | undefined,
  times = 1,
): RepeatedStepLines {
  const perRound = lines.length;
  if (each === undefined) {
    failIfTooMany(perRound, times, 'times');
    return { lines: Array.from({ length: times }, () => lines).flat(), perRound, each: [], times };
  }
  if (!lines.some((line) => placesIn(line) > 0)) failWithoutPlace(lines, each);
  failIfTooMany(perRound, each.length, 'each');
  const longest = each.reduce((most, { length }) => Math.max(most, length), 0);
  const long = lines.find((line) => line.length + placesIn(line) * (longest - 2) > STEP_LINE_CHARS_MAX);
  if (long !== undefined) {
    const problem = `makes a step of more than ${STEP_LINE_CHARS_MAX} characters`;
    fail({ code: 'invalid_argument', field: 'each', problem, hint: 'Pass shorter strings, or write {} less often.' });
  }
  const written = (line: string, value: string) =>
    line.replaceAll(BRACES, (found) => (found === '{}' ? value : found.charAt(0)));
  const all = each.flatMap((value) => lines.map((line) => written(line, value)));
  return { lines: all, perRound, each, times: each.length };
}

function failIfTooMany(perRound: number, rounds: number, field: 'each' | 'times'): void {
  const count = perRound * rounds;
  if (rounds === 1 || count <= STEPS_PER_CALL_MAX) return;
  const fits = Math.floor(STEPS_PER_CALL_MAX / perRound);
  const problem = `makes ${count} steps of these ${perRound}, and a call runs ${STEPS_PER_CALL_MAX} at most`;
  const hint = field === 'each' ? `Pass up to ${fits} strings in a call.` : `Pass times ${fits} at most in a call.`;
  fail({ code: 'invalid_argument', field, problem, hint });
}

/** Fails with the steps that were probably meant: a string in a line, or an empty value, is the place for `{}`. */
function failWithoutPlace(lines: readonly string[], each: readonly string[]): never {
  const meant = lines.map((line) => {
    const value = each.find((one) => one.trim() !== '' && line.includes(one));
    return value === undefined ? line.replace(/=\s?$/u, '= {}') : line.replace(value, () => '{}');
  });
  const isFound = meant.some((line, at) => line !== lines[at]) && JSON.stringify(meant).length <= MEANT_CHARS_MAX;
  const steps = JSON.stringify(isFound ? meant : ['fill "Name" = {}']);
  const hint = `Put {} where the string goes, such as "steps": ${steps}. To repeat the steps without strings, pass "times": ${each.length} instead of each. For a brace, write {{ or }}.`;
  return fail({ code: 'invalid_argument', field: 'each', problem: 'is given, and no step has a {}', hint });
}

/** Maximum characters of corrected steps in an error. */
const MEANT_CHARS_MAX = 600;

function placesIn(line: string): number {
  return [...line.matchAll(BRACES)].filter(([found]) => found === '{}').length;
}

/** A sentence that names the line and round of a step, for an error; `''` for lines that are not repeated. */
export function describeRepetition(step: number, { perRound, each, times }: RepeatedStepLines): string {
  const round = Math.floor((step - 1) / perRound);
  const value = each[round];
  if (value === undefined && times === 1) return '';
  const which = value === undefined ? `of round ${round + 1}` : `for ${JSON.stringify(value)}`;
  return ` Step ${step} is line ${((step - 1) % perRound) + 1} ${which}.`;
}
