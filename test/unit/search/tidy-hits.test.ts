import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEARCH_LIST_BYTES_MAX } from '#search/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { cleanHits } from '#search/tidy-hits.ts';
import type { RawHit } from '#search/tidy-hits.ts';

const raw = (n: number, hit: Partial<RawHit> = {}): RawHit => ({
  url: `https://walrus.example/${n}`,
  title: `Walrus ${n}`,
  description: 'about walruses',
  extraSnippets: [],
  age: null,
  ...hit,
});
const many = (count: number, hit: Partial<RawHit> = {}) => Array.from({ length: count }, (_, n) => raw(n, hit));

describe('a list of results', () => {
  it('keeps the first of two results for one page', () => {
    const { hits } = cleanHits(
      [raw(1, { title: 'first' }), raw(1, { title: 'second', url: 'https://walrus.example/1#x' })],
      5,
    );
    expect(hits.map((hit) => hit.title)).toEqual(['first']);
  });

  it('reports that there were more results than shown', () => {
    expect(cleanHits(many(6), 5).beyond).toBe(true);
    expect(cleanHits(many(5), 5).beyond).toBe(false);
  });

  it('drops extra passages from the end when it grows too large, and reports this', () => {
    const wide = '海'.repeat(390);
    const { hits, notes } = cleanHits(many(20, { extraSnippets: [wide, wide, wide, wide, wide] }), 20);
    expect(hits.length).toBe(20);
    expect(hits[0]?.extra_snippets.length).toBe(5);
    expect(hits[19]?.extra_snippets).toEqual([]);
    expect(notes.length).toBe(1);
    expect(utf8Bytes(JSON.stringify(hits))).toBeLessThanOrEqual(SEARCH_LIST_BYTES_MAX + 100);
  });

  it('drops descriptions from the end if it is still too large, but no result', () => {
    const address = (n: number) => `https://walrus.example/${n}/${'x'.repeat(2000)}`;
    const wide = '海'.repeat(400);
    const { hits, beyond, notes } = cleanHits(
      Array.from({ length: 20 }, (_, n) => raw(n, { url: address(n), title: wide, description: wide })),
      20,
    );
    expect(hits.length).toBe(20);
    expect(hits[0]?.description).not.toBe('');
    expect(hits[19]?.description).toBe('');
    expect(notes.length).toBe(1);
    expect(beyond).toBe(false);
    expect(utf8Bytes(JSON.stringify(hits))).toBeLessThanOrEqual(SEARCH_LIST_BYTES_MAX + 100);
  });

  it('is ranked without gaps, unique and within the count, for any input', () => {
    const hit = fc.record({
      url: fc.oneof(fc.webUrl({ withFragments: true }), fc.string()),
      title: fc.string(),
      description: fc.string(),
      extraSnippets: fc.array(fc.string()),
      age: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(fc.array(hit), fc.integer({ min: 1, max: 20 }), (list, count) => {
        const { hits } = cleanHits(list, count);
        expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1));
        expect(new Set(hits.map(({ url }) => url)).size).toBe(hits.length);
        expect(hits.length).toBeLessThanOrEqual(count);
        for (const { url } of hits) expect(url).toMatch(/^https?:\/\/[^#]*$/);
      }),
    );
  });
});
