import { fail } from '#core/failures/failure.ts';

export const STEPS_PER_CALL_MAX = 60;
/** Maximum characters of one step with its string: a sentence or two. Longer texts go to `browser_fill`. */
export const STEP_LINE_CHARS_MAX = 2_000;

export type RepeatedStepLines = { lines: string[]; perRound: number; each: readonly string[] };

const BRACES = /\{\{|\}\}|\{\}/gu;

/**
 * Repeats lines for each string: `{}` becomes the string, and `{{` and `}}` become braces. Without strings, the lines
 * stay unchanged.
 * @throws {PeriscopeError} `invalid_argument` if there are more steps than a call may run, if a step becomes too long,
 * or if no line contains `{}`
 */
export function repeatStepLines(lines: readonly string[], each: readonly string[] | undefined): RepeatedStepLines {
  if (each === undefined) return { lines: [...lines], perRound: lines.length, each: [] };
  if (!lines.some((line) => placesIn(line) > 0)) {
    const hint = 'Put {} where the string goes, such as fill "Name" = {}. For a brace, write {{ or }}.';
    fail({ code: 'invalid_argument', field: 'each', problem: 'is given, and no step has a {}', hint });
  }
  const count = lines.length * each.length;
  if (count > STEPS_PER_CALL_MAX) {
    const fits = Math.floor(STEPS_PER_CALL_MAX / lines.length);
    const problem = `makes ${count} steps of these ${lines.length}, and a call runs ${STEPS_PER_CALL_MAX} at most`;
    fail({ code: 'invalid_argument', field: 'each', problem, hint: `Pass up to ${fits} strings in a call.` });
  }
  const longest = each.reduce((most, { length }) => Math.max(most, length), 0);
  const long = lines.find((line) => line.length + placesIn(line) * (longest - 2) > STEP_LINE_CHARS_MAX);
  if (long !== undefined) {
    const problem = `makes a step of more than ${STEP_LINE_CHARS_MAX} characters`;
    fail({ code: 'invalid_argument', field: 'each', problem, hint: 'Pass shorter strings, or write {} less often.' });
  }
  const written = (line: string, value: string) =>
    line.replaceAll(BRACES, (found) => (found === '{}' ? value : found.charAt(0)));
  return { lines: each.flatMap((value) => lines.map((line) => written(line, value))), perRound: lines.length, each };
}

function placesIn(line: string): number {
  return [...line.matchAll(BRACES)].filter(([found]) => found === '{}').length;
}

/** A sentence that names the line and string of a step, for an error; `''` for lines that are not repeated. */
export function describeRepetition(step: number, { perRound, each }: RepeatedStepLines): string {
  const value = each[Math.floor((step - 1) / perRound)];
  if (value === undefined) return '';
  return ` Step ${step} is line ${((step - 1) % perRound) + 1} for ${JSON.stringify(value)}.`;
}
