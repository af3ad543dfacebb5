import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { compilePattern, suggestRegex } from '#reading/find/matcher.ts';

function problemOf(pattern: string): string {
  try {
    compilePattern(pattern, true);
  } catch (error) {
    if (error instanceof PeriscopeError && error.failure.code === 'invalid_argument') return error.failure.problem;
  }
  return 'none';
}

describe('an invalid regular expression', () => {
  it.each([
    ['fn entry(', 'has a ( that is never closed: at character 9, "("'],
    ['a(b[)]c', 'has a ( that is never closed: at character 2, "(b[)]c"'],
    [String.raw`\(a)b`, 'has a ) that was never opened: at character 4, ")b"'],
    ['x[a-', 'has a [ that is never closed: at character 2, "[a-"'],
    ['a**', 'repeats a repetition: at character 2, "**"'],
    ['x|*a', 'has a repetition with nothing before it to repeat: at character 3, "*a"'],
    ['a\\', 'ends in a backslash that escapes nothing: at character 2, "\\\\"'],
    ['x(?=y)', 'uses look-around, which RE2 does not have: at character 2, "(?=y)"'],
    ['a(?<!b)', 'uses look-around, which RE2 does not have: at character 2, "(?<!b)"'],
    [String.raw`(a)\1`, String.raw`uses a back-reference, which RE2 does not have: at character 4, "\\1"`],
    [String.raw`a\q`, String.raw`escapes something that has no meaning here: at character 2, "\\q"`],
    ['x{2,1}', 'has a repetition count that is not possible; at most 1000, the smaller first: at character 2, "{2,1}"'],
    ['[z-a]', 'has a range or class of characters that does not exist: at character 2, "z-a]"'],
    ['(?<a>x)(?<a>y)', 'has two groups of the same name'],
    ['(?>a)', 'uses a possessive or atomic repetition, which RE2 neither has nor needs: at character 1, "(?>a)"'],
    ['(?#x)', 'uses a kind of group that RE2 does not have: at character 1, "(?#x)"'],
  ])('is reported with its error and position: %s', (pattern, problem) => {
    expect(problemOf(pattern)).toContain(problem);
  });

  it('is quoted up to the length of one line', () => {
    expect(problemOf(`(${'x'.repeat(200)}`).length).toBeLessThan(120);
  });
});

describe('a plain text that looks like a regular expression', () => {
  it.each(['fsync|wal_level', 'Fsync.*on', String.raw`\bINT\b`, '^Name', '[a-z]+_max', String.raw`open\(`, 'ends$'])(
    'is suggested as one that ignores case: %s',
    (text) => {
      expect(suggestRegex(text, false)).toBe(`(?i)${text}`);
    },
  );

  it('keeps its own flags', () => {
    expect(suggestRegex('(?s)a.*b', false)).toBe('(?s)a.*b');
  });

  it.each(['wal_level', 'e.g. 5 * 3', 'open(path)', 'a|(', 'x'.repeat(252) + 'a|b', 'a\u200b|b'])(
    'is not suggested if it is none: %j',
    (text) => {
      expect(suggestRegex(text, false)).toBeNull();
    },
  );
});

describe('a case-sensitive regular expression', () => {
  it('is suggested as one that ignores case, if that can make a difference', () => {
    expect(suggestRegex('Wal_level', true)).toBe('(?i)Wal_level');
    expect(suggestRegex('(?i)wal', true)).toBeNull();
    expect(suggestRegex('[0-9]+', true)).toBeNull();
  });
});
