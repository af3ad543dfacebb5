import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  INDEXED_FREQUENT_WORDS_MAX,
  INDEXED_HEADING_WORDS_MAX,
  INDEXED_WORDS_CHARS_MAX,
  INDEXED_WORDS_PER_PAGE_MAX,
  INDEXED_TITLE_WORDS_MAX,
} from '#storage/limits.ts';
import { PageWords } from '#storage/search/page-words.ts';

/** The words of a page of one passage, by the letter of their kind. */
function wordsOf(title: string | null, body: string) {
  const words = new PageWords(title);
  words.add(body);
  const tokens = words.ofPage().split(' ');
  const of = (letter: string) => tokens.filter((token) => token.startsWith(letter)).map((token) => token.slice(1));
  return { tokens, title: of('t'), about: of('a'), all: of('w') };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`);

describe('the indexed words of a page', () => {
  it('are stored once, however often the page repeats them', () => {
    const { tokens } = wordsOf('Walrus', 'walrus '.repeat(400_000));
    expect(tokens).toEqual(['e', 'twalru', 'awalru', 'wwalru']);
  });

  it('distinguish title and topics from mentions', () => {
    const { title, about, all } = wordsOf('Field guide', '# Sea lions\nA walrus, a walrus and a walrus. One seal.');
    expect(title).toEqual(['field', 'guid']);
    expect(about.sort()).toEqual(['lion', 'sea', 'walru']);
    expect(all).toEqual(expect.arrayContaining(['field', 'sea', 'walru', 'seal', 'on']));
  });

  it('are those of the visible text: no URLs of links, and code unchanged', () => {
    const { all } = wordsOf(
      null,
      'See [the guide](https://hidden.example/page).\n```js\nconst a = list[shown](value);\n```',
    );
    expect(all).toEqual(expect.arrayContaining(['guid', 'shown', 'valu']));
    expect(all).not.toContain('hidden');
    const { all: fenced } = wordsOf(null, '```walrusscript\nlet seal;\n```');
    expect(fenced).toContain('seal');
    expect(fenced.join(' ')).not.toContain('walrusscript');
  });

  it('include the stem in the language of the page next to the word', () => {
    const german = wordsOf('Tabellen ändern', '# Indizes\nWir haben die Tabelle mit den Größen und der Tabellen');
    expect(german.title).toEqual(['tabellen', 'tabell', 'andern', 'and']);
    expect(german.about).toEqual(expect.arrayContaining(['indiz']));
    expect(german.all).toEqual(expect.arrayContaining(['tabellen', 'tabell', 'großen', 'gross']));
    const russian = wordsOf(null, 'В таблице есть индексы, и они не для всех строк');
    expect(russian.all).toEqual(expect.arrayContaining(['таблице', 'таблиц', 'индексы', 'индекс']));
    expect(wordsOf(null, 'The tables have sizes and the rows').all).toEqual([
      'the',
      'tabl',
      'have',
      'size',
      'and',
      'row',
    ]);
  });

  it('have few topics, whatever the page puts into headings and title', () => {
    const stuffed = numbered(5_000);
    const headings = stuffed.map((word) => `# ${word}`).join('\n');
    const { title, about } = wordsOf(stuffed.join(' '), `${headings}\n${`${stuffed.join(' ')}\n`.repeat(5)}`);
    expect(title.length).toBe(INDEXED_TITLE_WORDS_MAX);
    expect(about.length).toBeLessThanOrEqual(INDEXED_HEADING_WORDS_MAX + INDEXED_FREQUENT_WORDS_MAX);
  });

  it('have a limit for a page with a maximum of different words', () => {
    const { all } = wordsOf(null, numbered(100_000).join(' '));
    expect(all.length).toBeLessThanOrEqual(INDEXED_WORDS_PER_PAGE_MAX);
    expect(all.length).toBeGreaterThan(INDEXED_WORDS_PER_PAGE_MAX / 2);
    const long = Array.from({ length: 20_000 }, (_, n) => `${n}${'海象'.repeat(0)}${'x'.repeat(60)}`);
    expect(wordsOf(null, long.join(' ')).all.join('').length).toBeLessThanOrEqual(INDEXED_WORDS_CHARS_MAX);
  });

  it('are each one token, whatever the page contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 300 }), (title, body) => {
        const words = new PageWords(title);
        const passage = words.add(body);
        for (const token of [passage, words.ofPage()].join(' ').split(' ').filter(Boolean)) {
          expect(token).toMatch(/^(?:e|[wtap][\p{L}\p{N}\p{M}]+)$/u);
        }
      }),
    );
  });
});
