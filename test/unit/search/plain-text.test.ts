import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainLine, textOfHtml } from '#search/tidy-hits.ts';

describe('textOfHtml', () => {
  it.each([
    ['a <strong>bold</strong> word', 'a bold word'],
    ['Tom &amp; Jerry&#39;s &quot;show&quot; &#x27;24', `Tom & Jerry's "show" '24`],
    ['Vec&lt;T&gt; and &lt;strong&gt;', 'Vec<T> and <strong>'],
    ['&amp;lt;b&amp;gt; once', '&lt;b&gt; once'],
    ['5 < 6 and 7 > 3', '5 < 6 and 7 > 3'],
    ['a<br/>b<!-- note -->c', 'abc'],
    ['<a href="https://x.example/?a=1&amp;b=2">link</a>', 'link'],
    ['&unknown; &#0; &#x110000; &#1114112;', '&unknown; \ufffd \ufffd \ufffd'],
    ['no&nbsp;break &hellip; &mdash;', 'no break … —'],
    ['<unclosed', '<unclosed'],
  ])('reads %s', (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  it('returns escaped text unchanged, except for no-break spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        expect(textOfHtml(html)).toBe(text.replaceAll('\u00a0', ' '));
      }),
      { examples: [['10\u00a0km']] },
    );
  });
});

describe('toPlainLine', () => {
  it('returns one well-formed line within its limit for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 2, max: 100 }), (text, max) => {
        const line = toPlainLine(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\n\r\u2028\u2029\u200b\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u);
        expect(line.isWellFormed()).toBe(true);
        expect(line.trim()).toBe(line);
      }),
    );
  });
});
