import { describe, expect, it } from 'vitest';
import { blockPrefix, closesFence, openingFence } from '#core/text/plain.ts';
import { listWebLinks } from '#reading/open/markdown-twin.ts';
import { read } from './support.ts';

/** The size of the largest body that a fetch may return. */
const CHARS = 5_000_000;

describe('the block marks before a line', () => {
  it.each(['> ', '>', '- ', '1. ', '> - '])('are all read when the line contains only "%s"', (mark) => {
    const marks = mark.repeat(CHARS / mark.length);
    expect(blockPrefix(`${marks}x`)).toBe(marks);
    expect(openingFence(`${marks}\`\`\``)).toBe('```');
    expect(() => listWebLinks([marks])).not.toThrow();
  });

  it('are read in a line with 300,000 nested quotes', async () => {
    const { lines } = await read('markdown', `${'> '.repeat(300_000)}x`);
    expect(lines.join('').length).toBeGreaterThan(0);
  });

  it('end at the code fence after them', () => {
    expect(openingFence('> 1. ```js')).toBe('```');
    expect(openingFence('> ``` a `')).toBe(null);
    expect([closesFence('> ````', '```'), closesFence('> ``', '```'), closesFence('~~~', '```')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('may be a million backticks', () => {
    const fence = '`'.repeat(1_000_000);
    expect([openingFence(fence), closesFence(fence, fence)]).toEqual([fence, true]);
  });
});
