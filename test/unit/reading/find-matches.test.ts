import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/errors.ts';
import { FIND_MATCHES_MAX, FIND_WORK_MAX } from '#core/limits.ts';
import { compilePattern, findMatches } from '#reading/find-matches.ts';

async function* chunksOf(lines: readonly string[], size = 1000) {
  for (let at = 0; at < lines.length; at += size) yield { firstLine: at, lines: lines.slice(at, at + size) };
}

const find = (lines: readonly string[], pattern: string, isRegex = false) =>
  findMatches(chunksOf(lines), compilePattern(pattern, isRegex));

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof PeriscopeError) return error.failure.code;
  }
  return 'none';
}

describe('find', () => {
  it('looks for text as it is, ignoring case, one entry a line, numbered across chunks', async () => {
    const lines = Array.from({ length: 2500 }, (_, n) => (n % 1000 === 7 ? 'A (Needle) and a needle' : 'hay'));
    const { matches, total } = await find(lines, '(needle)');
    expect(matches.map((match) => match.loc)).toEqual([7, 1007, 2007]);
    expect(total).toBe(3);
  });

  it('takes a regular expression when asked, case-sensitive unless it says otherwise', async () => {
    expect((await find(['Error 12', 'error 13'], String.raw`Error \d+`, true)).total).toBe(1);
    expect((await find(['Error 12', 'error 13'], String.raw`(?i)error \d+$`, true)).total).toBe(2);
  });

  it('lists so many matches and states the total', async () => {
    const { matches, total } = await find(
      Array.from({ length: 500 }, () => 'x'),
      'x',
    );
    expect(matches.length).toBe(FIND_MATCHES_MAX);
    expect(total).toBe(500);
  });

  it('shows the part of a long line where the match is', async () => {
    const { matches } = await find([`${'left '.repeat(200)}needle${' right'.repeat(200)}`], 'needle');
    expect(matches[0]?.preview).toContain('needle');
    expect(matches[0]?.preview.length).toBeLessThanOrEqual(160);
  });

  it('refuses an empty, overlong, malformed, back-referring or exploding pattern, by name', () => {
    for (const pattern of ['(', String.raw`(a)\1`, '(?=x)', '[z-a]', '*']) {
      expect(codeOf(() => compilePattern(pattern, true))).toBe('invalid_argument');
    }
    expect(codeOf(() => compilePattern('((a{1,100}){1,100}){1,10}', true))).toBe('invalid_argument');
    expect(codeOf(() => compilePattern('', false))).toBe('invalid_argument');
    expect(codeOf(() => compilePattern('x'.repeat(257), false))).toBe('invalid_argument');
  });

  it('stays within its work budget on patterns made to explode, and says where it stopped', async () => {
    const line = `${'a'.repeat(400)}!`;
    const lines = Array.from({ length: 3000 }, () => line);
    for (const pattern of ['(a+)+$', '(a|a)+$', '(a|aa)+$', '(.*a){12}$', '^(a?){25}a{25}$']) {
      const { total, stoppedAt } = await find(lines, pattern, true);
      expect(total).toBe(0);
      const searched = stoppedAt ?? lines.length;
      expect(searched).toBeGreaterThan(500);
    }
    const costly = await find([...lines, ...lines, ...lines], '(?:a{1,12}){1,10}!x', true);
    expect(costly.stoppedAt).not.toBeNull();
    expect((costly.stoppedAt ?? 0) * line.length).toBeLessThan(FIND_WORK_MAX);
  });
});
