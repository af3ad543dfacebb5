import { describe, expect, it } from 'vitest';
import { CodeFences } from '#core/text/plain.ts';
import { findHeadings } from '#core/document/document.ts';
import { closeOpenCodeFence } from '#extract/escape.ts';
import { demoteHeadings } from '#extract/html-in-files.ts';

/** Each with the lines that are code or begin or end it. */
const TEXTS: readonly (readonly [name: string, lines: readonly string[], code: readonly number[]])[] = [
  ['a block', ['a', '```js', 'b', '```', 'c'], [1, 2, 3]],
  ['a block of tildes with back-ticks in it', ['~~~', '```', '~~~', 'c'], [0, 1, 2]],
  ['a longer fence around a shorter one', ['````', '```', 'b', '```', '````', 'c'], [0, 1, 2, 3, 4]],
  ['a block in a quote', ['> ```', '> b', '> ```', 'c'], [0, 1, 2]],
  ['a block in a list item', ['- ```js', '  b', '  ```', 'c'], [0, 1, 2]],
  ['a mark with words behind it, which ends nothing', ['```', '```js', 'b', '``` end', '```', 'c'], [0, 1, 2, 3, 4]],
  ['a mark with spaces behind it, which ends the block', ['```', 'b', '```  ', 'c'], [0, 1, 2]],
  ['code in a line that begins with it', ['```b``` and c', 'd'], []],
];

describe('code blocks', () => {
  it.each(TEXTS)('are distinguished from text: %s', (_, lines, code) => {
    const fences = new CodeFences();
    expect(lines.flatMap((line, at) => (fences.take(line) ? [at] : []))).toEqual(code);
    expect(fences.open).toBeNull();
  });

  it.each(TEXTS)('are not closed again if they are complete: %s', (_, lines) => {
    expect(closeOpenCodeFence(lines)).toEqual(lines);
  });

  it('are closed with their opening mark when a part leaves them open', () => {
    expect(closeOpenCodeFence(['~~~~ js', 'a'])).toEqual(['~~~~ js', 'a', '~~~~']);
    expect(closeOpenCodeFence(['a', '- ```', '  b'])).toEqual(['a', '- ```', '  b', '```']);
  });

  it.each(TEXTS)('do not change the headings after them: %s', (_, lines) => {
    const text = [...lines, '# Head'];
    expect(findHeadings(text)).toEqual([{ line: lines.length, level: 1, text: 'Head' }]);
    expect(demoteHeadings(text, 2)).toEqual([...lines, '### Head']);
  });
});
