import { describe, expect, it } from 'vitest';
import { snippetOf } from '#search/passage-text.ts';

const FILLER = Array.from({ length: 40 }, (_, n) => `Filler sentence ${n}.`);

describe('a snippet', () => {
  it('is what a reader sees of the lines with most of the words, and says at which line they stand', () => {
    const lines = [
      '# Guide',
      'An alarm.',
      ...FILLER,
      '**Durable** [alarms](https://hidden.example/) wake `objects`.',
      'More.',
    ];
    expect(snippetOf(lines, 100, ['alarm', 'durabl', 'object'])).toEqual({
      text: 'Durable alarms wake objects. More.',
      line: 100 + 42,
    });
  });

  it('keeps a heading apart from the text under it', () => {
    expect(snippetOf(['', '## Alarms', '', 'They wake objects.'], 0, ['alarm'])).toEqual({
      text: 'Alarms – They wake objects.',
      line: 1,
    });
  });

  it('is the beginning where no line has a word', () => {
    expect(snippetOf(['# Title', 'First.'], 7, ['walru'])).toEqual({ text: 'Title – First.', line: 7 });
  });

  it('of a very long line shows the part with the word', () => {
    const { text, line } = snippetOf([`| ${'cell '.repeat(400)}walrus ${'cell '.repeat(400)}|`], 3, ['walru']);
    expect(line).toBe(3);
    expect(text.slice(0, 100)).toContain('walrus');
  });

  it('finds words in text without spaces and with accents', () => {
    expect(snippetOf(['猫。', 'これは全文検索です。'], 0, ['検索']).line).toBe(1);
    expect(snippetOf(['Other.', 'Ein Ärgernis.'], 0, ['argerni']).line).toBe(1);
  });
});
