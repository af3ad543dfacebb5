import { RE2JS, RE2JSSyntaxException } from 're2js';
import { fail } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from './text.ts';

/** Maximum instructions of a compiled pattern. The running time of re2js grows with this number × text length. */
const REGEX_PROGRAM_SIZE_MAX = 500;

/** Value of `flags` for {@link compileRegex} that ignores case. A pattern can switch it off with `(?-i)`. */
export const IGNORE_CASE = RE2JS.CASE_INSENSITIVE;

/**
 * Compiles a caller's regular expression. The RE2 engine takes linear time because it never backtracks.
 * @param plainly a sentence for the error's hint: how to search for plain text instead
 * @throws {PeriscopeError} `invalid_argument` if the pattern is too long, malformed, or too large when compiled
 */
export function compileRegex(
  pattern: string,
  field: string,
  plainly: string,
  flags = 0,
): { program: RE2JS; size: number } {
  const refuse = (problem: string, hint: string) => fail({ code: 'invalid_argument', field, problem, hint });
  if (pattern.length > REGEX_CHARS_MAX)
    refuse(`must be at most ${REGEX_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  const program = compiled(pattern, flags, refuse, plainly);
  const size = program.programSize();
  if (size > REGEX_PROGRAM_SIZE_MAX)
    refuse('is too large once its repetitions are expanded', 'Use smaller repetition counts, such as {1,20}.');
  return { program, size };
}

function compiled(
  pattern: string,
  flags: number,
  refuse: (problem: string, hint: string) => never,
  plainly: string,
): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    const hint = `Use RE2 syntax: no look-around and no back-references; \\( for a bracket that is meant as one; (?i) first to ignore case. ${plainly}`;
    return refuse(regexProblem(pattern, error), hint);
  }
}

const FRAGMENT_CHARS_MAX = 30;

const WORDS: ReadonlyMap<string, string> = new Map([
  ['missing closing )', 'has a ( that is never closed'],
  ['unexpected )', 'has a ) that was never opened'],
  ['missing closing ]', 'has a [ that is never closed'],
  ['trailing backslash at end of expression', 'ends in a backslash that escapes nothing'],
  ['invalid nested repetition operator', 'repeats a repetition'],
  ['missing argument to repetition operator', 'has a repetition with nothing before it to repeat'],
  ['invalid repeat count', 'has a repetition count that is not possible; at most 1000, the smaller first'],
  ['invalid character class range', 'has a range or class of characters that does not exist'],
  ['invalid escape sequence', 'escapes something that has no meaning here'],
  ['invalid named capture', 'has a named group that is not well formed'],
  ['duplicate capture group name', 'has two groups of the same name'],
  ['invalid or unsupported Perl syntax', 'uses a kind of group that RE2 does not have'],
  ['expression nests too deeply', 'nests too deeply'],
  ['expression too large', 'is too large once its repetitions are expanded'],
]);

/** Explanations for syntax that other engines have, but an engine with linear time cannot support. */
const MISSING: readonly [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'uses look-around, which RE2 does not have'],
  [/^\\[1-9]/, 'uses a back-reference, which RE2 does not have'],
  [/^\(\?>|^(?:[*+?]|\{[\d,]*\})\+/, 'uses a possessive or atomic repetition, which RE2 neither has nor needs'],
];

/**
 * Explains what is wrong with a pattern. The explanation contains only the server's words and a few characters of the
 * caller's pattern.
 */
function regexProblem(pattern: string, error: unknown): string {
  if (!(error instanceof RE2JSSyntaxException)) return 'is not a regular expression that can be used here';
  const fault = error.getDescription();
  const fragment = error.getPattern() ?? '';
  const words =
    MISSING.find(([sign]) => sign.test(fragment))?.[1] ??
    WORDS.get(fault) ??
    'is not a regular expression that can be used here';
  const at = offsetOf(pattern, fault, fragment);
  return at === null
    ? words
    : `${words}: at character ${at + 1}, ${JSON.stringify(oneLine(pattern.slice(at), FRAGMENT_CHARS_MAX))}`;
}

function offsetOf(pattern: string, fault: string, fragment: string): number | null {
  if (fault === 'trailing backslash at end of expression') return pattern.length - 1;
  // For unmatched brackets the engine's error contains the whole pattern and no position, so `unmatched` searches for
  // the position.
  if (fault === 'missing closing )' || fault === 'unexpected )') return unmatched(pattern);
  const at = fragment === '' ? -1 : pattern.indexOf(fragment);
  return at < 0 ? null : at;
}

function unmatched(pattern: string): number | null {
  const open: number[] = [];
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') open.push(at);
    else if (character === ')' && open.pop() === undefined) return at;
  }
  return open.at(-1) ?? null;
}
