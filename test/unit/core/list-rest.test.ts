import { describe, expect, it } from 'vitest';
import { completeList, LIST_LINES_MAX } from '#core/document/list-rest.ts';

const LIST = ['The type is one of these:', '', '- INT', '- REAL'];
const complete = (text: readonly string[], following: readonly string[], isFree = true) =>
  completeList({ lines: { start: 10, end: 9 + text.length }, text }, following, () => isFree);

describe('a passage that ends inside a list', () => {
  it('gets the rest of the list, without the text after it, if the rest is short', () => {
    const { lines, text, rest } = complete(LIST, ['- TEXT', '  of any length', '', '- BLOB', '', 'Other types fail.']);
    expect(text).toEqual([...LIST, '- TEXT', '  of any length', '', '- BLOB']);
    expect({ lines, rest }).toEqual({ lines: { start: 10, end: 17 }, rest: null });
  });

  it('names the lines of the rest, if it is long or another passage shows it', () => {
    const long = Array.from({ length: 9 }, (_, n) => `- A type with a name of ${n} and many words.`);
    expect(complete(LIST, [...long, '', '# Next'])).toEqual({
      lines: { start: 10, end: 13 },
      text: LIST,
      rest: { items: 9, lines: { start: 14, end: 22 }, mayGoOn: false },
    });
    expect(complete(LIST, ['- TEXT'], false).rest).toMatchObject({ items: 1, lines: { start: 14, end: 14 } });
  });

  it('reports that a list may go on after the lines that were read', () => {
    const long = Array.from({ length: LIST_LINES_MAX }, (_, n) => `- A type with the name ${n}`);
    expect(complete(LIST, long).rest).toMatchObject({ items: LIST_LINES_MAX, mayGoOn: true });
    expect(complete(LIST, long.slice(1)).rest).toMatchObject({ items: LIST_LINES_MAX - 1, mayGoOn: false });
    expect(complete(LIST, ['1. A step', '2. Another step']).rest).toBe(null);
  });

  it('counts the items of nested lists, and stops at the end of the list that it began in', () => {
    const nested = ['Rules:', '1. A column has a type:', '   - INT'];
    expect(complete(nested, ['   - REAL', '2. It is checked.', 'Then.'], false).rest?.items).toBe(2);
  });

  it('stays as it is if its list began earlier, ends with it, or is none', () => {
    for (const [text, following] of [
      [['- INT', '- REAL'], ['- TEXT']],
      [LIST, ['', 'Other types fail.', '- TEXT']],
      [LIST, []],
      [['A paragraph.'], ['- TEXT']],
      [['```', '- INT', '```'], ['- TEXT']],
    ] as const)
      expect(complete(text, following)).toMatchObject({ text, rest: null });
  });
});
