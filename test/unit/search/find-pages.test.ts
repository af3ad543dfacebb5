import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankByWords, selectDistinctiveWords } from '#search/find-pages.ts';
import type { WordMatches } from '#search/find-pages.ts';

const whole = (...ids: number[]) => ({ ids: ids.toSorted((a, b) => b - a), isWhole: true });
const EVERY = whole(...Array.from({ length: 100 }, (_, n) => n + 1));

const word = (stem: string, page: number[], more: Partial<WordMatches> = {}): WordMatches => ({
  stem,
  foreign: [],
  page: whole(...page),
  title: whole(),
  about: whole(),
  more: [],
  ...more,
});
const ranked = (...words: WordMatches[]) =>
  rankByWords(words, selectDistinctiveWords(words, EVERY), EVERY).map(({ id }) => id);

describe('the order of pages', () => {
  it('puts pages with all words first, however well others score', () => {
    const common = word('walru', [1, 2, 3], { title: whole(2, 3), about: whole(2, 3) });
    expect(ranked(common, word('alarm', [1]))).toEqual([1, 3, 2]);
  });

  it('ranks a word in the title above a main topic, and that above a mention', () => {
    expect(ranked(word('walru', [1, 2, 3], { title: whole(1), about: whole(2) }))).toEqual([1, 2, 3]);
  });

  it('gives a rare word more weight than a frequent one', () => {
    expect(ranked(word('rare', [1]), word('usual', [2, 3, 4, 5, 6]))[0]).toBe(1);
  });

  it('omits pages with less than half of the words', () => {
    expect(ranked(word('a', [1, 2]), word('b', [1]), word('c', []), word('d', []))).toEqual([1]);
    expect(ranked(word('zebra', []), word('migration', []), word('pattern', [1, 2]))).toEqual([]);
  });

  it('ignores words that most pages have, unless there are no others', () => {
    const usual = word('usual', EVERY.ids.slice(0, 60));
    expect(ranked(usual, word('zebra', []))).toEqual([]);
    expect(ranked(usual).length).toBe(60);
  });

  it('does not depend on the order of the words', () => {
    const list = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        const words = [word('a', a), word('b', b), word('c', c)];
        expect(ranked(...words.toReversed())).toEqual(ranked(...words));
      }),
    );
  });
});
