import { describe, expect, it } from 'vitest';
import { makeSnippet } from '#search/passage-text.ts';

describe('a snippet', () => {
  it('is the visible text of the lines from a place on, with the line number', () => {
    const lines = ['# Guide', '**Durable** [alarms](https://hidden.example/) wake `objects`.', 'More.'];
    expect(makeSnippet({ firstLine: 100, lines }, 101, [])).toEqual({
      text: 'Durable alarms wake objects. More.',
      line: 101,
    });
  });

  it('separates a heading from the text under it', () => {
    expect(makeSnippet({ firstLine: 0, lines: ['', '## Alarms', '', 'They wake objects.'] }, 1, [])).toEqual({
      text: 'Alarms – They wake objects.',
      line: 1,
    });
  });

  it('shows the part of a very long line that contains the word', () => {
    const lines = [`| ${'cell '.repeat(400)}walrus ${'cell '.repeat(400)}|`];
    const { text, line } = makeSnippet({ firstLine: 3, lines }, 3, [{ stem: 'walru', foreign: [] }]);
    expect(line).toBe(3);
    expect(text.slice(0, 100)).toContain('walrus');
  });
});
