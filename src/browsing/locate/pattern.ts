import { compileRegex, IGNORE_CASE } from '#core/text/regex.ts';
import { sanitizeInlineText } from '#browsing/view/words.ts';

/** Returns the first match of a regular expression in a text; `null` for none. */
export type TextPattern = (text: string) => string | null;

const BETWEEN_SLASHES = /^\/(.+)\/i?$/su;

export function isSlashRegex(words: string): boolean {
  return BETWEEN_SLASHES.test(words.trim());
}

/**
 * Compiles a regular expression between slashes: RE2, case-insensitive unless it begins with `(?-i)`.
 * @returns `null` for plain words
 * @throws {PeriscopeError} `invalid_argument` for an invalid expression
 */
export function compileTextPattern(words: string, field: string): TextPattern | null {
  const [, inner] = BETWEEN_SLASHES.exec(words.trim()) ?? [];
  if (inner === undefined) return null;
  const { program } = compileRegex(
    inner,
    field,
    'Or leave out the slashes to search for it as plain text.',
    IGNORE_CASE,
  );
  return (text) => {
    const matcher = program.matcher(sanitizeInlineText(text).trim());
    return matcher.find() ? (matcher.group() ?? '') : null;
  };
}

/**
 * Adds the flag `i` to a regular expression for searching a view, because a search for plain words ignores case as
 * well.
 */
export function makeCaseInsensitive(find: string): string {
  return BETWEEN_SLASHES.test(find.trim()) ? find.trim().replace(/\/i?$/u, '/i') : find;
}
