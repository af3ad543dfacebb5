import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlain } from '#extract/plain.ts';

const INVISIBLE =
  /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060-\u2064\ufeff\xad\u061c\u3164\0-\x08]/u;

describe('toPlain', () => {
  it('removes tag characters, bidi controls, zero-width characters and soft hyphens', () => {
    expect(toPlain('a\u{e0049}\u{e0067}b\u202e\u2066c\u200bd\u00ade\u2060\ufefff')).toBe('abcdef');
  });

  it('keeps the joiners that Persian and Hindi words and emoji families need', () => {
    for (const word of ['می\u200cخواهم', 'क्\u200dष', '👨\u200d👩\u200d👧', '❤️']) expect(toPlain(word)).toBe(word);
  });

  it('removes joiners from Latin words and where they begin or end nothing', () => {
    expect(toPlain('ad\u200cmin\u200d \u200dx')).toBe('admin x');
  });

  it('removes bytes hidden in variation selectors but keeps one that draws a symbol', () => {
    expect(toPlain('☺\ufe0f\ufe01\ufe02')).toBe('☺\ufe0f');
    expect(toPlain('a\ufe01b\u{e0101}\u{e0102}')).toBe('ab');
  });

  it('makes every line end a line feed', () => {
    expect(toPlain('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne');
  });

  it('replaces half a surrogate pair', () => {
    expect(toPlain('a\ud800b')).toBe('a\ufffdb');
  });

  it('is idempotent and leaves nothing invisible, whatever comes', () => {
    const invisible = fc.constantFrom(
      '\u200b',
      '\u202e',
      '\u{e0041}',
      '\ufe0f',
      '\u200d',
      '\u200c',
      '\u00ad',
      '\u{e0100}',
      '👩',
      'م',
      'a',
      '\r',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(invisible, fc.string({ unit: 'binary' })), { maxLength: 30 }), (parts) => {
        const once = toPlain(parts.join(''));
        expect(INVISIBLE.test(once)).toBe(false);
        expect(toPlain(once)).toBe(once);
      }),
    );
  });
});
