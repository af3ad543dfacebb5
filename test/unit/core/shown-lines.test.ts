import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldForSearch } from '#core/text/fold.ts';
import { findOpenFenceAfter, toShownLines } from '#core/text/shown-lines.ts';
import { visibleText } from '#core/text/visible-text.ts';

const texts = (lines: readonly string[], fence: string | null = null) =>
  toShownLines(lines, 7, fence).map(({ loc, text }) => `${loc} ${text}`);

describe('lines of a page in a result', () => {
  it('put each paragraph on one line, after the number of its first line', () => {
    expect(
      texts([
        'First *sentence*.',
        'Second [one](https://a.dev/x).',
        '',
        '- **term**',
        '  Means this.',
        '  And that.',
        '- item',
        '  goes on',
      ]),
    ).toEqual(['7 First sentence. Second one.', '10 term', '11 Means this. And that.', '13 item goes on']);
  });

  it('are joined without a space in languages without spaces', () => {
    expect(texts(['沸かす。', '注ぐ。'])).toEqual(['7 沸かす。注ぐ。']);
  });

  it('keep code unchanged, with a number for each line, even if its block began before them', () => {
    expect(texts(['```sh', 'echo *a*', '  [b](c)', '```', 'Then *go*.'])).toEqual([
      '8 echo *a*',
      '9   [b](c)',
      '11 Then go.',
    ]);
    expect(texts(['x = *a*', '```', '*after*'], '```')).toEqual(['7 x = *a*', '9 after']);
  });

  it('separate cells, omit table rules, and keep raised numbers as powers', () => {
    expect(texts(['| `a \\| b` | *c* | |', '| --- | :-: | --- |', '| 10<sup>2</sup> | d |'])).toEqual([
      '7 a | b\tc',
      '9 10^2\td',
    ]);
  });

  it('mark struck-out text, so that withdrawn words are not read as valid', () => {
    expect(texts(['It costs ~~50 €~~ 40 €, **now**.', '', '| ~~10~~ 20 | `~~x` |', '', 'Not \\~\\~ struck.'])).toEqual([
      '7 It costs ~~50 €~~ 40 €, now.',
      '9 ~~10~~ 20\t~~x',
      '11 Not ~~ struck.',
    ]);
  });

  it('mark superscripts, but not tags that are text', () => {
    expect(texts(['10<sup>2</sup>, `<sup>` or \\<sup>'])).toEqual(['7 10^2, <sup> or <sup>']);
  });

  it('omit the markers that this server writes between parts of a page', () => {
    expect(texts(['<!-- The rest of the page begins here. -->', 'Menu'])).toEqual(['8 Menu']);
  });

  it('match the visible text after folding', () => {
    const line = fc.oneof(
      fc.string({
        unit: fc.constantFrom(
          'a',
          'B ',
          ' ',
          '*',
          '_',
          '`',
          '|',
          '- ',
          '[x](https://a.dev/y)',
          '1. ',
          '# ',
          '\\',
          '<br>',
          '字',
          '\t',
        ),
      }),
      fc.constantFrom('', '| a | b |', '| --- | --- |', '  deep', '- item', '## Heading'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const shown = toShownLines(lines, 0).map(({ text }) => text);
        const seen = lines.map(visibleText).filter((text) => text !== '');
        const flat = (all: readonly string[]) => foldForSearch(all.join(' ')).replaceAll(' ', '');
        expect(flat(shown)).toBe(flat(seen));
      }),
    );
  });
});

describe('the code block around some lines', () => {
  it.each([
    [['text', '```py', 'x'], '```'],
    [['text', '```py', 'x', '```', 'more'], null],
    [['x', '```', 'text'], null],
    [['x', '```', 'text', '~~~~js', 'y'], '~~~~'],
    [['text'], null],
  ])('is found: %j', (lines, fence) => {
    expect(findOpenFenceAfter(lines)).toBe(fence);
  });
});
