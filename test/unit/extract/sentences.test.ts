import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentenceEnds } from '#extract/lines/sentences.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

function endsBySegmenter(text: string): number[] {
  return [...segmenter.segment(text)].map(({ index }) => index).filter((index) => index > 0);
}

describe('the places where a sentence may end', () => {
  it('are those of the built-in segmenter in plain text', () => {
    const character = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('.', '!', '?', ' ', '\t', ',', '-', ':', '"', "'", '(', ')', '[', '}') },
      { weight: 2, arbitrary: fc.constantFrom('a', 'z', 'A', 'Z', '0', '9') },
      // Markdown marks that end a sentence are not part of the Unicode rules.
      fc
        .constantFrom(...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)))
        .filter((one) => !'*_~^;'.includes(one)),
    );
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 40 }), (text) => {
        expect([...sentenceEnds(text)]).toEqual(endsBySegmenter(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('are found in text of other scripts, and after Markdown marks', () => {
    expect([...sentenceEnds('Один. Два; три. 今日は。明日。')]).toEqual(
      endsBySegmenter('Один. Два; три. 今日は。明日。'),
    );
    expect([...sentenceEnds('**One.** Two.[^1] Three.')]).toEqual(expect.arrayContaining([9, 18]));
  });
});
