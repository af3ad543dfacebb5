import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { diffWords } from '#core/text/word-diff.ts';

describe('a comparison of words', () => {
  it('is shown word by word', () => {
    expect(runToEnd(diffWords('It opens at nine, daily.', 'It now opens at ten, daily.'))).toEqual([
      { kind: 'same', text: 'It ' },
      { kind: 'new', text: 'now ' },
      { kind: 'same', text: 'opens at ' },
      { kind: 'gone', text: 'nine, ' },
      { kind: 'new', text: 'ten, ' },
      { kind: 'same', text: 'daily.' },
    ]);
  });
});
