import { describe, expect, it } from 'vitest';
import { blockPrefix, closesFence, openingFence } from '#core/text/plain.ts';
import { linksOf } from '#reading/open/markdown-twin.ts';
import { read } from './support.ts';

/** As a body that a fetch may bring. */
const CHARS = 5_000_000;

describe('the marks before a line', () => {
  it.each(['> ', '>', '- ', '1. ', '> - '])('are read to their end when the line is nothing but "%s"', (mark) => {
    const marks = mark.repeat(CHARS / mark.length);
    expect(blockPrefix(`${marks}x`)).toBe(marks);
    expect(openingFence(`${marks}\`\`\``)).toBe('```');
    expect(() => linksOf([marks])).not.toThrow();
  });

  it('are read of Markdown that quotes 300,000 times', async () => {
    const { lines } = await read('markdown', `${'> '.repeat(300_000)}x`);
    expect(lines.join('').length).toBeGreaterThan(0);
  });

  it('end at the fence that they precede', () => {
    expect(openingFence('> 1. ```js')).toBe('```');
    expect(openingFence('> ``` a `')).toBe(null);
    expect([closesFence('> ````', '```'), closesFence('> ``', '```'), closesFence('~~~', '```')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('may be a million back-ticks', () => {
    const fence = '`'.repeat(1_000_000);
    expect([openingFence(fence), closesFence(fence, fence)]).toEqual([fence, true]);
  });
});
