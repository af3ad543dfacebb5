import { describe, expect, it } from 'vitest';
import { msOf } from '#scripts/local/cpu-time.ts';

describe('a CPU time in the format of ps', () => {
  it.each([
    ['0:00.05', 50],
    ['1:02.50', 62_500],
    ['00:01:02', 62_000],
    ['2-03:00:01', (2 * 86_400 + 3 * 3_600 + 1) * 1_000],
  ])('is parsed: %s', (time, ms) => {
    expect(msOf(time)).toBe(ms);
  });
});
