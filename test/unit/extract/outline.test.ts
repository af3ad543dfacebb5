import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTLINE_TOKENS_MAX } from '#extract/limits.ts';
import { outlineOf } from '#extract/extract.ts';

const outline = (lines: string[], restStart?: number) =>
  outlineOf({ title: null, language: null, lines, restStart, extractor: 'test@1', cuts: [] }) ?? [];
const under = (headings: readonly string[]) => headings.flatMap((heading) => [heading, '', 'Text.', '', 'Text.', '']);
const omitted = (entries: ReturnType<typeof outline>) => entries.reduce((sum, entry) => sum + (entry.omitted ?? 0), 0);

describe('the outline of a document', () => {
  it('omits headings that many parts of it have, and counts them', () => {
    const parts = Array.from({ length: 30 }, (_, n) => [`## function_${n}`, '### Types', '### Returns']).flat();
    const entries = outline(under(['# A module', ...parts]));
    expect(entries.map(({ text }) => text)).toEqual([
      'A module',
      ...Array.from({ length: 30 }, (_, n) => `function_${n}`),
    ]);
    expect(omitted(entries)).toBe(60);
    expect(entries.at(-1)?.omitted).toBe(2);
  });

  it('keeps headings that repeat where there are no others', () => {
    const entries = outline(under(Array.from({ length: 40 }, () => '## The same')));
    expect(entries.map(({ text }) => text)).toContain('The same');
  });

  it('counts every heading of the main part as shown or omitted, and has a maximum size', () => {
    const heading = fc.tuple(
      fc.integer({ min: 1, max: 6 }),
      fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '字') }),
    );
    fc.assert(
      fc.property(fc.array(heading, { minLength: 40, maxLength: 400 }), fc.nat(), (drawn, pick) => {
        const headings = drawn.map(([level, text]) => `${'#'.repeat(level)} x${text}`);
        const lines = under(headings);
        const restStart = pick % 2 === 0 ? undefined : lines.length - 6;
        const entries = outline(lines, restStart);
        const inMain = headings.length - (restStart === undefined ? 0 : 1);
        if (entries.length > 0) expect(entries.length + omitted(entries)).toBe(inMain);
        for (const { line, text } of entries)
          expect(lines[line]?.replace(/^#+ /, '').replace(/ +/g, ' ').trim().slice(0, 5)).toBe(text.slice(0, 5));
        const tokens = entries.reduce((sum, { text }) => sum + 6 + text.length / 3, 0);
        expect(tokens).toBeLessThanOrEqual(OUTLINE_TOKENS_MAX);
      }),
      { numRuns: 60 },
    );
  });
});
