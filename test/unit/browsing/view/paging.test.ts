import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '#core/text/text.ts';
import { paginateLines as pageOfLines } from '#browsing/view/paging.ts';

const pageOf = (words: readonly string[], generation: string, maxBytes: number, after: string | undefined) =>
  pageOfLines(
    words.map((text) => ({ depth: 0, kind: 'text', parts: [text] })),
    generation,
    maxBytes,
    after,
  );

const lines = fc.array(fc.string({ maxLength: 40 }), { maxLength: 60 });

describe('pages of lines', () => {
  it('fit the budget unless a single line exceeds it, and together contain all lines', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 20, max: 200 }), (all, budget) => {
        const read: string[] = [];
        let after: string | undefined;
        do {
          const page = pageOf(all, 'g', budget, after);
          if (typeof page === 'string') throw new Error(page);
          const part = all.slice(page.from, page.to);
          expect(part.length === 1 || utf8Bytes(part.join('\n')) <= budget).toBe(true);
          read.push(...part);
          after = page.next ?? undefined;
        } while (after !== undefined);
        expect(read).toEqual(all);
      }),
    );
  });

  it('continue after the same line when earlier lines appear or disappear', () => {
    const all = Array.from({ length: 50 }, (_, at) => `line ${at}`);
    const first = pageOf(all, 'g', 100, undefined);
    const next = typeof first === 'string' ? '' : (first.next ?? '');
    const last = typeof first === 'string' ? 0 : first.to;
    expect(pageOf(['new', ...all], 'g', 100, next)).toMatchObject({ from: last + 1 });
    expect(pageOf(all.slice(2), 'g', 100, next)).toMatchObject({ from: last - 2 });
  });

  it('report an invalid page token', () => {
    const first = pageOf(['a', 'b'], 'g', 1, undefined);
    const next = typeof first === 'string' ? '' : (first.next ?? '');
    expect(pageOf(['a', 'b'], 'other', 1, next)).toBe('document');
    expect(pageOf(['x', 'b'], 'g', 1, next)).toBe('lines');
    expect(pageOf(['a', 'b'], 'g', 1, '@e12')).toBe('malformed');
  });
});
