import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countCharacters, countLetterRuns } from '#extract/html/main/model/characters.ts';

const WORDS = fc.stringMatching(/^(?:(?:The|or|OF|ſ|K|Ω|é|中|[a-zA-Z@[{_]{1,5}|\d\d?|[.!?,;，、。]){1,3} ){0,9}\S$/);

it('counts what regular expressions count', () => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), WORDS).map((text) => text.replace(/\s+/g, ' ').trim());
  fc.assert(
    fc.property(texts, (text) => {
      const sample = text.slice(0, 20);
      const count = (counted: string, pattern: RegExp) => counted.match(pattern)?.length ?? 0;
      expect(countCharacters(text, sample)).toEqual({
        words: count(text, /\S+/g),
        commas: count(sample, /[,;，、]/g),
        sentences: count(sample, /[.!?。！？](?:\s|$)/g),
        digits: count(sample, /\d/g),
        capitals: count(sample, /(?:^|\s)\p{Lu}/gu),
        functionWords: count(
          sample,
          /(?:^|\s)(?:the|a|an|of|to|and|in|is|are|was|for|that|it|with|you|i|this|on|be|as|have|not|we|or)(?=\s|$)/gi,
        ),
        isUpper: /\p{Lu}{2}/u.test(sample) && !/\p{Ll}/u.test(sample),
      });
      expect(countLetterRuns(text)).toBe(count(text, /[\p{L}\p{N}_]+/gu));
    }),
    { numRuns: 500 },
  );
});
