import { describe, expect, it } from 'vitest';
import { findDefinitionEntries, findNamesInQuestion } from '#search/passage-text.ts';

describe('names in a question', () => {
  it.each([
    ['What does pathlib.Path.glob() return?', ['pathlib.Path.glob']],
    ['How is `std::vector::push_back` called?', ['std::vector::push_back']],
    ['set_timeout or setTimeout, which one?', ['set_timeout', 'setTimeout']],
    ['open', ['open']],
    ['(os.path.join)', ['os.path.join']],
    ['is os.path.join(a, b) pure', ['os.path.join']],
    ['How does one open a file? See the docs.', []],
    ['e.g. this, i.e. that', ['e.g', 'i.e']],
    ['"; DROP TABLE follows; -- %_', []],
    ['a.b '.repeat(20), ['a.b']],
  ])('are recognised: %s', (question, names) => {
    expect(findNamesInQuestion(question)).toEqual(names);
  });

  it('are limited in number and length', () => {
    const many = Array.from({ length: 50 }, (_, n) => `a.b${n}`).join(' ');
    expect(findNamesInQuestion(many)).toHaveLength(5);
    expect(findNamesInQuestion(`x.${'y'.repeat(1_000)} and more`)).toEqual([]);
  });
});

describe('entries that define a name in the question', () => {
  const page = { id: 1, lastId: 1, documentId: 'd', url: 'https://docs.acme.dev/', title: null, page: null };
  const linesFor = (question: string, lines: string[]) =>
    findDefinitionEntries(question, [{ page, text: [{ id: 1, firstLine: 10, lines }] }]).map((one) => one.lines);

  it('are terms, headings and rows that begin with it, up to the next one', () => {
    const lines = [
      'Set max_size to limit it.',
      '- **`max_size` (integer)**',
      '  The most that it takes; 1 GB.',
      '',
      '- **`max_size_of_all`**',
      '  Another.',
      '### max_size',
      '| max_size | 1 GB |',
    ];
    expect(linesFor('What is the default of max_size?', lines)).toEqual([
      { start: 11, end: 12 },
      { start: 16, end: 17 },
    ]);
    expect(linesFor('What is the default?', lines)).toEqual([]);
    expect(linesFor('What is max_size_of?', lines)).toEqual([]);
  });
});
