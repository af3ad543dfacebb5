import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '#core/text/text.ts';
import { writePageResult } from '#reading/page-result.ts';

async function resultOf(lines: readonly string[], maxLines: number | undefined, budgetBytes: number, more = {}) {
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
    ...more,
  };
  return writePageResult(whole, { cursor: null, status: [] }, { textBytes: budgetBytes, markdownBytes: 100_000 });
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
    expect(await endOf(lines, 12, 250)).toContain('to fit the size limit.');
    expect(await endOf(lines, undefined, 700)).toContain('to fit the size limit.');
  });
});

describe('the size of a result', () => {
  const links = Array.from({ length: 100 }, (_, n) => `- [Lamp ${n}](https://lamps.example/catalogue/lamps/${n})`);

  it('includes a long URL above the page, and the page has as many lines as fit beside it', async () => {
    const source = `https://lamps.example/${'a'.repeat(8_000)}`;
    const many = { source, lineCount: 60_000 };
    const lines = Array.from({ length: 60_000 }, () => '');
    const { text, shown } = await resultOf(lines, undefined, 60_000, many);
    expect(utf8Bytes(text)).toBeLessThanOrEqual(60_000);
    expect(utf8Bytes(text)).toBeGreaterThan(60_000 - 20);
    expect(text).toContain(`Cut after line ${shown.end} of 60000 to fit the size limit.`);
  });

  it('is that of the text as it is shown: a page is cut only if the text would be larger', async () => {
    const whole = await resultOf(links, undefined, 100_000);
    const bytes = utf8Bytes(whole.text);
    expect(whole.text).toContain('This is the whole page.');
    expect((await resultOf(links, undefined, bytes)).text).toBe(whole.text);
    const cut = await resultOf(links, undefined, bytes - 1);
    expect(cut.text).toContain('to fit the size limit.');
    expect(utf8Bytes(cut.text)).toBeLessThan(bytes);
  });

  it('is nearly as large as allowed if the page is cut, though links have more bytes than the text shows', async () => {
    for (const limit of [1_000, 1_500, 2_000]) {
      const { text, shown } = await resultOf(links, undefined, limit);
      expect(utf8Bytes(text)).toBeLessThanOrEqual(limit);
      const next = `- [Lamp ${shown.end + 1}](/catalogue/lamps/${shown.end + 1})\n`;
      expect(utf8Bytes(text) + utf8Bytes(next)).toBeGreaterThan(limit);
    }
  });

  it('is limited in the structured result, too, where links are whole', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => `[${n}](https://lamps.example/${'long/'.repeat(400)}${n})`);
    const { markdown, text } = await resultOf(lines, undefined, 1_000_000);
    expect(utf8Bytes(markdown)).toBeLessThanOrEqual(100_000);
    expect(text).toContain('to fit the size limit.');
  });
});

describe('a page that is shown whole', () => {
  it('shows links relative to its URL in the text, and whole in the structured result', async () => {
    const lines = ['- [Wicks](https://lamps.example/parts/wicks)', '```', '[a](https://lamps.example/b)', '```'];
    const { text, markdown, links } = await resultOf(lines, undefined, 10_000);
    expect(text).toContain('\n- [Wicks](/parts/wicks)\n```\n[a](https://lamps.example/b)\n');
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
