import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldForSearch, unfoldedIndex } from '#core/text/fold.ts';

describe('folded text', () => {
  it('maps back to its place in the original text', () => {
    const character = fc.constantFrom(
      'a',
      'B',
      ' ',
      ' ',
      '\u00a0',
      '“',
      '…',
      '字',
      'の',
      'ＡＰ',
      '검',
      '–',
      '\t',
      '。',
      'é',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), (characters) => {
        const text = characters.join('').trim();
        for (const [place, one] of Array.from(text).entries()) {
          if (/\s/.test(one)) continue;
          const at = foldForSearch(text.slice(0, place + 1)).length - foldForSearch(one).length;
          expect([text, unfoldedIndex(text, at)]).toEqual([text, place]);
        }
      }),
    );
  });

  it('has no space next to letters of scripts without spaces, in every Unicode block', () => {
    for (const letter of ['ก', 'の', 'カ', '々', '字', '\u{20000}', '。', '·'])
      expect([letter, foldForSearch(`a ${letter} b`)]).toEqual([letter, `a${letter}b`]);
  });

  it('has one space for very long white space', () => {
    expect(foldForSearch(`é${' '.repeat(2_000_000)}a`)).toBe('é a');
  });
});
