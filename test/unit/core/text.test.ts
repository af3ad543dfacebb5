import { describe, expect, it } from 'vitest';
import { cutToBytes, oneLine, utf8Bytes } from '#core/text/text.ts';

describe('cutToBytes', () => {
  it('cuts at a whole character', () => {
    expect(cutToBytes('aé😀b', 3)).toBe('aé');
    expect(cutToBytes('aé😀b', 6)).toBe('aé');
    expect(cutToBytes('aé😀b', 7)).toBe('aé😀');
    expect(utf8Bytes('aé😀')).toBe(7);
  });
});

describe('oneLine', () => {
  it('folds white space, marks a cut and never leaves half a surrogate pair', () => {
    expect(oneLine(' a\n b\t c ', 10)).toBe('a b c');
    expect(oneLine('ab😀cd', 4)).toBe('ab…');
  });
});
