import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { foldForSearch } from '#core/text/fold.ts';
import { isPlainText } from '#core/text/plain.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { literalMatcher } from './literal-matcher.ts';
import type { LineMatcher } from './matcher.ts';
import { regexMatcher } from './regex-matcher.ts';

/**
 * Returns matchers for a pattern; a regular expression has only one. Each is used only if the ones before it find
 * nothing. The first searches for the pattern as given, the next without Markdown marks, in case it was copied with
 * them, and the last without spaces between Arabic letters. Regular expressions (RE2 syntax) run on an engine with
 * linear time, without backtracking.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): [LineMatcher, ...LineMatcher[]] {
  checkPatternLength(pattern);
  if (isRegex) return [regexMatcher(pattern)];
  const asGiven = foldForSearch(pattern);
  const asRead = foldForSearch(visibleText(pattern));
  const joined = asGiven.replace(SPACE_WITHIN_ARABIC, '');
  const others = new Set([asRead, joined].filter((other) => other !== '' && other !== asGiven));
  return [literalMatcher(asGiven), ...[...others].map(literalMatcher)];
}

/** A space between Arabic letters. Persian texts may have a zero-width non-joiner or nothing instead. */
const SPACE_WITHIN_ARABIC = /(?<=\p{Script=Arabic}) (?=\p{Script=Arabic})/gu;

/** @throws {PeriscopeError} `invalid_argument` if the pattern is empty or too long */
export function checkPatternLength(pattern: string): void {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > REGEX_CHARS_MAX) {
    refuse(`must be at most ${REGEX_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
}

const REGEX_SYNTAX = /^\^|\||\.[*+]|\\[bdswBDSW.()[\]]|\(\?|\[[^[\]]+\][*+{]|\$$/;

/**
 * Returns a regular expression that may find more, to suggest to the caller: for text that looks like an expression,
 * the text itself; for a case-sensitive expression, the same with case ignored. `null` if there is none.
 */
export function suggestRegex(text: string, isRegex: boolean): string | null {
  const hasFlags = text.startsWith('(?');
  const pattern = hasFlags ? text : `(?i)${text}`;
  if (isRegex ? hasFlags || !/\p{L}/u.test(text) : !REGEX_SYNTAX.test(text)) return null;
  if (!isPlainText(text)) return null;
  try {
    regexMatcher(pattern);
    return pattern;
  } catch (error) {
    if (error instanceof PeriscopeError) return null;
    throw error;
  }
}

function refuse(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'pattern', problem, hint });
}
