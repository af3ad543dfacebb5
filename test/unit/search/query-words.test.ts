import { describe, expect, it } from 'vitest';
import { QUERY_WORDS_MAX } from '#search/limits.ts';
import { queryWords } from '#search/passage-text.ts';

describe('what a query asks for', () => {
  it('is each word once, in whatever form it is repeated', () => {
    expect(queryWords('walrus Walrus walruses "walrus" WALRUS')).toEqual({
      stems: ['walru', 'walrus'],
      phrases: [],
      onlyStopWords: false,
      isCut: false,
    });
    expect(queryWords('walrus '.repeat(140)).stems).toEqual(['walru']);
  });

  it('leaves out words that say nothing', () => {
    expect(queryWords('how do I bake a cake in the oven').stems).toEqual(['bake', 'cake', 'oven']);
    expect(queryWords('wie backe ich einen Kuchen').stems).toEqual(['back', 'kuchen']);
    expect(queryWords('what is the of and')).toMatchObject({ stems: [], onlyStopWords: true });
  });

  it('keeps phrases together, and every word of a phrase that has nothing but such words', () => {
    expect(queryWords('durable "object alarms" c++')).toMatchObject({
      stems: ['durabl', 'object', 'alarm', 'c'],
      phrases: [['object', 'alarm']],
    });
    expect(queryWords('"to be or not to be"')).toMatchObject({
      stems: ['to', 'be', 'or', 'not'],
      phrases: [['to', 'be', 'or', 'not', 'to', 'be']],
    });
    expect(queryWords('"all about the walrus"')).toMatchObject({
      stems: ['walru'],
      phrases: [['all', 'about', 'the', 'walru']],
    });
  });

  it('has a bounded number of words, and says when there were more', () => {
    const many = Array.from({ length: 200 }, (_, n) => `w${n}`);
    const { stems, isCut } = queryWords(many.join(' '));
    expect(stems).toEqual(many.slice(0, QUERY_WORDS_MAX));
    expect(isCut).toBe(true);
    expect(queryWords('"').stems).toEqual([]);
    expect(queryWords('全文検索'.repeat(100)).stems.length).toBeLessThanOrEqual(QUERY_WORDS_MAX);
  });

  it('never holds what the index would take for syntax', () => {
    for (const query of ['" OR title:', 'NEAR(', 'a AND (', '*', '-plain', '^plain', "'; DROP TABLE documents; --"]) {
      for (const stem of queryWords(query).stems) expect(stem).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
    }
  });
});
