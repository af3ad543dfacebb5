import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INDEXED_WORD_CHARS_MAX } from '#core/limits.ts';
import { findIndexOfStem, stem, stemEnglish, stemSequence, splitWords } from '#core/words/words.ts';

describe('the words of a text', () => {
  it.each([
    ['Running cafés, ＡＰＴ and ﬁles', ['running', 'cafes', 'apt', 'and', 'files']],
    ["don't wait_for c++ 3.13", ['don', 't', 'wait', 'for', 'c', '3', '13']],
    ['全文検', ['全', '全文', '文', '文検', '検']],
    ['D1データ', ['d1', 'デ', 'デー', 'ー', 'ータ', 'タ']],
    ['한국', ['한', '한국', '국']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['*** — …', []],
  ])('are extracted from %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('are letters, digits and marks only, and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const word of splitWords(text)) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(word.length).toBeLessThanOrEqual(INDEXED_WORD_CHARS_MAX);
        }
      }),
    );
    expect(splitWords('x'.repeat(100_000))).toEqual(['x'.repeat(INDEXED_WORD_CHARS_MAX)]);
  });

  it('keep the order of the phrase, and are single characters in scripts without spaces', () => {
    expect(stemSequence('全文 indexes')).toEqual(['全', '文', 'index']);
  });

  it('can be found again in the original text', () => {
    expect(findIndexOfStem('See the ÀRGER here', (word) => word === 'arger')).toBe(8);
    expect(findIndexOfStem('これは全文検索', (word) => word === '検索')).toBe(5);
    expect(findIndexOfStem('nothing', () => false)).toBe(0);
  });
});

describe('a stem', () => {
  it.each([
    ['running runs run', 'run'],
    ['configuration configure configured', 'configur'],
    ['installation install installing', 'instal'],
    ['caches cached caching', 'cach'],
    ['hopping', 'hop'],
    ['relational', 'relat'],
    ['agreed', 'agre'],
    ['sky', 'sky'],
    ['happy happiness', 'happi'],
    ['generalizations', 'gener'],
    ['controlling controlled', 'control'],
  ])('of %s is %s', (words, expected) => {
    expect(new Set(words.split(' ').map(stemEnglish))).toEqual(new Set([expected]));
  });

  it('is never empty, and begins like its word', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,32}$/), (word) => {
        expect(stem(word).length).toBeGreaterThan(0);
        expect(word.startsWith(stem(word).slice(0, 1))).toBe(true);
        expect(word.startsWith(stem(word).slice(0, -1))).toBe(true);
      }),
    );
  });
});
