import { describe, expect, it } from 'vitest';
import { compareDocuments, findVaryingTexts } from '#library/compare/compare.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { WORD_DIFF_CELLS_MAX } from '#core/text/word-diff.ts';
import { PAIRING_WORD_LOOKUPS_MAX } from '#library/compare/pair-up.ts';

/** All steps, with what they cost together and the costliest of them. */
function measured<T>(steps: WorkSteps<T>): { value: T; cost: number; largest: number } {
  let cost = 0;
  let largest = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { value: step.value, cost, largest };
    cost += step.value;
    largest = Math.max(largest, step.value);
  }
}

const document = (paragraphs: readonly string[]) => ({
  lines: ['# Ferry', '', ...paragraphs.flatMap((text) => [text, ''])],
  restStart: null,
});

/** Words of a paragraph, all different; `seed` makes them others. */
const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => ((at * 7_919 + seed * 31) % 46_656).toString(36)).join(' ');

const paragraphs = (count: number, length: number, version: number) =>
  Array.from({ length: count }, (_, at) => `p${at}v${version} ${words(length, version * 100_000 + at * 17)}`);

describe('a comparison of two documents', () => {
  it('ends for a paragraph that consists mostly of counters', () => {
    const counters = Array.from({ length: 6 }, () => 'day ago').join(` ${'- '.repeat(10)}`);
    const { value } = measured(compareDocuments(document([`${counters} y`]), document([`${counters} x`])));
    expect(value.map(({ kind }) => kind)).toEqual(['changed']);
  });

  it('ignores changed counters, and reports changed words next to them', () => {
    const changesOf = (before: string, after: string) => {
      const text = 'The ferry leaves at eight from the old quay.';
      return measured(compareDocuments(document([text, before]), document([text, after]))).value.length;
    };
    expect(changesOf('1,204 views', '1,310 views')).toBe(0);
    expect(changesOf('Comments (7)', 'Comments (12)')).toBe(0);
    expect(changesOf('3 min read · 5 minutes ago', '3 min read · 2 hours ago')).toBe(0);
    expect(changesOf('12 likes, 4 shares and more', '13 likes, 4 shares, a day ago')).toBe(1);
  });

  it('takes time proportional to the text, and bounded time for pairs of long paragraphs', () => {
    const [old, now] = [document(paragraphs(100, 1_000, 1)), document(paragraphs(100, 1_000, 2))];
    const chars = [...old.lines, ...now.lines].join('').length;
    for (const steps of [compareDocuments(old, now), findVaryingTexts(old, now)]) {
      const { cost, largest } = measured<unknown>(steps);
      expect(cost).toBeLessThan(chars * 20 + PAIRING_WORD_LOOKUPS_MAX + WORD_DIFF_CELLS_MAX);
      expect(largest).toBeLessThanOrEqual(chars);
    }
  });

  it('pairs long paragraphs that differ in one word', () => {
    const texts = paragraphs(60, 1_000, 1);
    const changes = measured(compareDocuments(document(texts), document(texts.map((text) => `${text} more`)))).value;
    expect(changes).toHaveLength(60);
    expect(changes.every(({ kind, words: parts }) => kind === 'changed' && parts.at(-1)?.text.includes('more'))).toBe(
      true,
    );
  });

  it('distinguishes long paragraphs that differ only in their last word', () => {
    const texts = (version: number) =>
      Array.from({ length: 1_500 }, (_, at) => `${'word '.repeat(700)}${at % version === 0 ? 'one' : 'two'}`);
    const { value } = measured(compareDocuments(document(texts(2)), document(texts(3))));
    expect(value.length).toBeGreaterThan(0);
  });

  it('finds no change when 50,000 equal paragraphs become lines of code', () => {
    const same = Array.from({ length: 50_000 }, () => 'Nothing.');
    const code = ['```', ...same, '```'];
    const { value } = measured(compareDocuments(document(same), { lines: ['# Ferry', '', ...code], restStart: null }));
    expect(value).toEqual([]);
  });
});
