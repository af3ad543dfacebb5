import { compileRegex, IGNORE_CASE } from '#core/text/regex.ts';
import { plainWords } from '#browsing/view/words.ts';

/** Gives the words that a regular expression first matches in a text; `null` where it matches none. */
export type Pattern = (text: string) => string | null;

const BETWEEN_SLASHES = /^\/(.+)\/i?$/su;

/** Whether words are a regular expression between slashes. */
export function isPattern(words: string): boolean {
  return BETWEEN_SLASHES.test(words.trim());
}

/**
 * A regular expression in place of a text: RE2, in any case, unless it begins with `(?-i)`.
 * @returns `null` for words as they are
 * @throws {PeriscopeError} `invalid_argument` for one that cannot be used
 */
export function patternOf(words: string, field: string): Pattern | null {
  const [, inner] = BETWEEN_SLASHES.exec(words.trim()) ?? [];
  if (inner === undefined) return null;
  const { program } = compileRegex(inner, field, 'Or leave out the slashes to mean the text as it is.', IGNORE_CASE);
  return (text) => {
    const matcher = program.matcher(plainWords(text).trim());
    return matcher.find() ? (matcher.group() ?? '') : null;
  };
}

/** What is looked for in a view counts in any case, too: letters in a regular expression as those of words. */
export function inAnyCase(find: string): string {
  return BETWEEN_SLASHES.test(find.trim()) ? find.trim().replace(/\/i?$/u, '/i') : find;
}
