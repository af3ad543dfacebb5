import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { describedBy, shareIn } from '#extract/html/main/described.ts';

const TEXT = 'A light kettle of steel that boils a litre in two minutes.';

describe('what a page says of itself to machines', () => {
  it('is compared by runs of three words, whatever its marks', () => {
    const { content, opinion } = describedBy([
      JSON.stringify({
        '@type': 'Product',
        description: `<p>${TEXT}</p>`,
        review: [{ reviewBody: 'It broke at once.' }],
      }),
    ]);
    expect(shareIn(content, TEXT)).toBe(1);
    expect(shareIn(content, 'Quite another text, of tea and of cups.')).toBe(0);
    expect(shareIn(content, 'It broke at once.')).toBe(0);
    expect(shareIn(opinion, 'It broke at once.')).toBe(1);
  });

  it('is found however deep it stands, and as escaped HTML', () => {
    const inner = { '@type': 'Answer', text: `&lt;b&gt;${TEXT}&lt;/b&gt;&nbsp;` };
    const { content } = describedBy([JSON.stringify({ '@graph': [{ mainEntity: [{ acceptedAnswer: inner }] }] })]);
    expect(shareIn(content, TEXT)).toBe(1);
  });

  it('says nothing of who publishes the page', () => {
    const { content } = describedBy([JSON.stringify({ '@type': 'Organization', description: TEXT })]);
    expect(shareIn(content, TEXT)).toBe(0);
  });

  it('may be anything at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (source, text) => {
        const { content, opinion } = describedBy([source]);
        expect(shareIn(content, text) + shareIn(opinion, text)).toBeGreaterThanOrEqual(0);
      }),
    );
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(describedBy([nested, '{"@type":null,"text":null}', '']).content.size).toBe(0);
  });
});
