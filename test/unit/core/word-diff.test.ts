import { describe, expect, it } from 'vitest';
import { atOnce } from '#core/flow/turns.ts';
import { wordDiff } from '#core/text/word-diff.ts';

describe('what became of words', () => {
  it('is shown word by word', () => {
    expect(atOnce(wordDiff('It opens at nine, daily.', 'It now opens at ten, daily.'))).toEqual([
      { kind: 'same', text: 'It ' },
      { kind: 'new', text: 'now ' },
      { kind: 'same', text: 'opens at ' },
      { kind: 'gone', text: 'nine, ' },
      { kind: 'new', text: 'ten, ' },
      { kind: 'same', text: 'daily.' },
    ]);
  });
});
