import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { foldForSearch } from '#core/text/fold.ts';
import { isPlain } from '#core/text/plain.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { literalMatcher } from './literal-matcher.ts';
import type { LineMatcher } from './matcher.ts';
import { regexMatcher } from './regex-matcher.ts';

/**
 * Ways to look for a pattern, each tried when the one before finds nothing: as given, then without Markdown marks,
 * because the text may have been copied with them, then without spaces between Arabic letters. Regular expressions run on a linear-time engine (RE2 syntax), so no
 * pattern can backtrack.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): [LineMatcher, ...LineMatcher[]] {
  checkLength(pattern);
  if (isRegex) return [regexMatcher(pattern)];
  const asGiven = foldForSearch(pattern);
  const asRead = foldForSearch(visibleText(pattern));
  const joined = asGiven.replace(SPACE_WITHIN_ARABIC, '');
  const others = new Set([asRead, joined].filter((other) => other !== '' && other !== asGiven));
  return [literalMatcher(asGiven), ...[...others].map(literalMatcher)];
}

/** Persian has a joiner where some write a space. */
const SPACE_WITHIN_ARABIC = /(?<=\p{Script=Arabic}) (?=\p{Script=Arabic})/gu;

/** @throws {PeriscopeError} `invalid_argument` for an empty or overlong pattern */
export function checkLength(pattern: string): void {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > REGEX_CHARS_MAX) {
    refuse(`must be at most ${REGEX_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
}

/** Syntax of regular expressions that readers seldom see in a text. */
const REGEX_SYNTAX = /^\^|\||\.[*+]|\\[bdswBDSW.()[\]]|\(\?|\[[^[\]]+\][*+{]|\$$/;

/**
 * The regular expression that may find more: one that was given as text, or that minds case. `null` for a text that
 * looks like none, or is none.
 */
export function regexMeantBy(text: string, isRegex: boolean): string | null {
  const hasFlags = text.startsWith('(?');
  const pattern = hasFlags ? text : `(?i)${text}`;
  if (isRegex ? hasFlags || !/\p{L}/u.test(text) : !REGEX_SYNTAX.test(text)) return null;
  if (!isPlain(text)) return null;
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
