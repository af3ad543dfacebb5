import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '#core/text/visible-text.ts';

describe('the visible text of a Markdown line', () => {
  it.each([
    ['# Alarms and *things*', 'Alarms and things'],
    ['- [x] see [the **guide**](https://a.dev/x_(y) "Title") now', 'see the guide now'],
    ['| a | `b` | [d](https://a.dev/) |', 'a b d'],
    ['| --- | :-: |', ''],
    ['1. one __two__ snake_case 2 * 3 \\*literal\\*', 'one two snake_case 2 * 3 *literal*'],
    ['![alt text](https://a.dev/y.png) [![badge](i.png)](https://a.dev) end', 'alt text badge end'],
    ['> > quote `x*y*z` ~~old~~', 'quote x*y*z old'],
    ['see [1] and [ref](<https://a.dev/x y>)', 'see [1] and ref'],
    ['`wal_level` (`enum`)', 'wal_level (enum)'],
    ['pub fn entry(\\&mut self, key: K) -> Vec<T>', 'pub fn entry(&mut self, key: K) -> Vec<T>'],
    ['$$p_{n} = \\hat{x}_i + *p*_{1}$$', '$$p_{n} = \\hat{x}_i + p_{1}$$'],
    ['H<sub>2</sub>O<br>and a < b', 'H2O and a < b'],
    ['| `INT`<br>INTEGER<br>`a\\|b` | x<br>y |', 'INT INTEGER a|b x y'],
    ['```js', ''],
    ['***', ''],
    ['* * *', ''],
    ['PRAGMA cache;\\', 'PRAGMA cache;'],
    ['C:\\\\', 'C:\\'],
    ['-5 degrees', '-5 degrees'],
    ['area(2*3)', 'area(2*3)'],
    ['in*valu*able', 'invaluable'],
  ])('is extracted: %j gives %j', (line, text) => {
    expect(visibleText(line)).toBe(text);
  });

  it('is never longer than the line', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '](',
      '`',
      '``',
      '*',
      '_',
      '~~',
      '\\',
      '|',
      '<br>',
      '!',
      'word',
      ' ',
      '# ',
      '> ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const line = pieces.join('');
        expect(visibleText(line).length).toBeLessThanOrEqual(line.length);
      }),
    );
  });

  it('never contains the destination of a link', () => {
    const text = fc.stringMatching(/^[a-z ]{1,20}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (links) => {
        const line = links.map(([before, words]) => `${before}[${words}](https://hidden.example/a_(b)?c=[d])`).join('');
        expect(visibleText(line)).not.toContain('hidden');
      }),
    );
  });
});
