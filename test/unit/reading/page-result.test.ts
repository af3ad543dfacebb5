import { describe, expect, it } from 'vitest';
import { pageResult } from '#reading/page-result.ts';

async function resultOf(lines: readonly string[], maxLines: number | undefined, budgetBytes: number) {
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
  return pageResult(whole, { cursor: null, status: [] }, budgetBytes);
}

/** The last line of a result, below the lines of the page. */
async function endOf(lines: readonly string[], maxLines: number | undefined, budgetBytes: number): Promise<string> {
  const { text } = await resultOf(lines, maxLines, budgetBytes);
  return text.split('\n').at(-1) ?? '';
}

describe('a page that is shown in part', () => {
  const lines = Array.from({ length: 100 }, (_, index) => (index === 10 || index === 11 ? '' : `line ${index}`));

  it('reports if it has as many lines as requested', async () => {
    expect(await endOf(lines, 12, 100_000)).toBe('Cut after line 11 of 100 because of max_lines.');
    // Blank lines at the end of a view may not be stored.
    expect(await endOf(lines.slice(0, 10), 12, 100_000)).toBe('Cut after line 9 of 100 because of max_lines.');
  });

  it('reports if more lines would not have fitted, and only then', async () => {
    expect(await endOf(lines, 12, 440)).toContain('to fit the size limit.');
    expect(await endOf(lines, undefined, 700)).toContain('to fit the size limit.');
  });
});

describe('a page that is shown whole', () => {
  it('shows links relative to its URL in the text, and whole in the structured result', async () => {
    const lines = ['- [Wicks](https://lamps.example/parts/wicks)', '```', '[a](https://lamps.example/b)', '```'];
    const { text, markdown, links } = await resultOf(lines, undefined, 10_000);
    expect(text).toContain('\n- [Wicks](parts/wicks)\n```\n[a](https://lamps.example/b)\n');
    expect(text).toContain('\nNote: Links are relative to the URL.\n');
    expect(markdown).toContain('[Wicks](https://lamps.example/parts/wicks)');
    expect(links[0]?.url).toBe('https://lamps.example/parts/wicks');
  });

  it('omits the note about relative links if all links are unchanged', async () => {
    const { text } = await resultOf(['See [oil](https://oil.example/).', 'No link.'], undefined, 10_000);
    expect(text).toContain('[oil](https://oil.example/)');
    expect(text).not.toContain('relative');
  });
});
