import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUERY_WORDS_MAX } from '#search/limits.ts';
import { parseQueryWords } from '#search/passage-text.ts';
import { indexToken, PageWords } from '#storage/search/page-words.ts';

const stemsOf = (query: string) => parseQueryWords(query).words.map(({ stem }) => stem);

describe('the words of a query', () => {
  it('have each word once, in whatever form it is repeated', () => {
    expect(stemsOf('walrus Walrus walruses "walrus" WALRUS')).toEqual(['walru', 'walrus']);
    expect(stemsOf('walrus '.repeat(140))).toEqual(['walru']);
  });

  it('exclude stop words', () => {
    expect(stemsOf('how do I bake a cake in the oven')).toEqual(['bake', 'cake', 'oven']);
    expect(stemsOf('wie backe ich einen Kuchen')).toEqual(['back', 'kuchen']);
    expect(parseQueryWords('what is the of and')).toMatchObject({ words: [], onlyStopWords: true });
  });

  it('have stems in several languages, all of them if a few words do not reveal the language', () => {
    expect(parseQueryWords('Tabellen').words).toEqual([
      { stem: 'tabellen', foreign: expect.arrayContaining(['tabell']) },
    ]);
    expect(parseQueryWords('wie backe ich einen Kuchen').words).toContainEqual({ stem: 'kuchen', foreign: ['kuch'] });
    expect(parseQueryWords('таблицы').words).toEqual([{ stem: 'таблицы', foreign: ['таблиц'] }]);
    expect(parseQueryWords('E0382 索引').words).toEqual([
      { stem: 'e0382', foreign: [] },
      { stem: '索引', foreign: [] },
    ]);
  });

  it('keep phrases together, with every word of a phrase that has only stop words', () => {
    expect(stemsOf('durable "object alarms" c++')).toEqual(['durabl', 'object', 'alarm', 'c']);
    expect(parseQueryWords('durable "object alarms" c++').phrases).toEqual([['object', 'alarm']]);
    expect(stemsOf('"to be or not to be"')).toEqual(['to', 'be', 'or', 'not']);
    expect(parseQueryWords('"to be or not to be"').phrases).toEqual([['to', 'be', 'or', 'not', 'to', 'be']]);
    expect(stemsOf('"all about the walrus"')).toEqual(['walru']);
    expect(parseQueryWords('"all about the walrus"').phrases).toEqual([['all', 'about', 'the', 'walru']]);
  });

  it('are pairs of neighbouring characters in scripts without spaces, or a single character', () => {
    expect(stemsOf('全文検索')).toEqual(['全文', '文検', '検索']);
    expect(stemsOf('猫')).toEqual(['猫']);
  });

  it('match every page that has one of them', () => {
    // Marks of Markdown within a word join its parts for a reader.
    const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((any) => any.replaceAll(/[\\`*_~|<[\]]/gu, ' '));
    fc.assert(
      fc.property(text, (words) => {
        const indexed = new Set(new PageWords(null).add(words).split(' '));
        const missing = stemsOf(words).filter((stem) => !indexed.has(indexToken('chunk', stem)));
        expect(missing).toEqual([]);
      }),
    );
  });

  it('have a limit, and exceeding it is reported', () => {
    const many = Array.from({ length: 200 }, (_, n) => `w${n}`);
    expect(stemsOf(many.join(' '))).toEqual(many.slice(0, QUERY_WORDS_MAX));
    expect(parseQueryWords(many.join(' ')).isCut).toBe(true);
    expect(stemsOf('"')).toEqual([]);
    expect(stemsOf('全文検索'.repeat(100)).length).toBeLessThanOrEqual(QUERY_WORDS_MAX);
  });

  it('never contain syntax of the index', () => {
    for (const query of ['" OR title:', 'NEAR(', 'a AND (', '*', '-plain', '^plain', "'; DROP TABLE documents; --"]) {
      const all = parseQueryWords(query).words.flatMap(({ stem, foreign }) => [stem, ...foreign]);
      for (const stem of all) expect(stem).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
    }
  });
});
