import { describe, expect, it } from 'vitest';
import { pageResult } from '#reading/page-result.ts';

/** The last line of a result, below the lines of the page. */
async function endOf(lines: readonly string[], maxLines: number | undefined, budgetBytes: number): Promise<string> {
  const whole = {
    source: 'https://lamps.example/a',
    title: null,
    lineCount: 100,
    restStart: null,
    maxLines,
    part: null,
    outline: [],
    fetchedAt: null,
    extractor: 'html@1',
    siteconfig: null,
    notes: [],
    chunks: [{ lines }],
  };
  const { text } = await pageResult(whole, { cursor: null, status: [] }, budgetBytes);
  return text.split('\n').at(-1) ?? '';
}

describe('a page that is shown in part', () => {
  const lines = Array.from({ length: 100 }, (_, index) => (index === 10 || index === 11 ? '' : `line ${index}`));

  it('says whether its lines were as many as asked for', async () => {
    expect(await endOf(lines, 12, 100_000)).toBe('Cut after line 11 of 100 as max_lines says.');
    // Blank lines at the end of a view may not be stored.
    expect(await endOf(lines.slice(0, 10), 12, 100_000)).toBe('Cut after line 9 of 100 as max_lines says.');
  });

  it('says so when more lines would not have fitted, and only then', async () => {
    expect(await endOf(lines, 12, 440)).toContain('to fit the size limit.');
    expect(await endOf(lines, undefined, 700)).toContain('to fit the size limit.');
  });
});
