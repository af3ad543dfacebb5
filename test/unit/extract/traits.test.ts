import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { readJsonLdPhrases, phraseShares } from '#extract/html/main/model/traits.ts';

const TEXT = 'A light kettle of steel that boils a litre in two minutes.';

describe('the metadata of a page', () => {
  it('is compared by runs of three words, whatever its punctuation', () => {
    const described = readJsonLdPhrases([
      JSON.stringify({
        '@type': 'Product',
        description: `<p>${TEXT}</p>`,
        review: [{ reviewBody: 'It broke at once.' }],
      }),
    ]);
    expect(phraseShares(described, TEXT)).toEqual([1, 0]);
    expect(phraseShares(described, 'Quite another text, of tea and of cups.')).toEqual([0, 0]);
    expect(phraseShares(described, 'It broke at once.')).toEqual([0, 1]);
  });

  it('is found at any depth, and also as escaped HTML', () => {
    const inner = { '@type': 'Answer', text: `&lt;b&gt;${TEXT}&lt;/b&gt;&nbsp;` };
    const described = readJsonLdPhrases([JSON.stringify({ '@graph': [{ mainEntity: [{ acceptedAnswer: inner }] }] })]);
    expect(phraseShares(described, TEXT)).toEqual([1, 0]);
  });

  it('does not include the publisher of the page', () => {
    const described = readJsonLdPhrases([JSON.stringify({ '@type': 'Organization', description: TEXT })]);
    expect(phraseShares(described, TEXT)[0]).toBe(0);
  });

  it('may have any form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (source, text) => {
        for (const share of phraseShares(readJsonLdPhrases([source]), text)) expect(share).toBeGreaterThanOrEqual(0);
      }),
    );
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(readJsonLdPhrases([nested, '{"@type":null,"text":null}', '']).content.size).toBe(0);
  });
});
