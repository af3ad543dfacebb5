import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { FEATURE_NAMES, computeFeatures } from '#extract/html/main/model/features.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { readPageTraits } from '#extract/html/main/model/traits.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { PAGE_URL } from './support.ts';

/** The value of one feature for each text of a page. */
function valuesOf(html: string, feature: string): Map<string, number | undefined> {
  const document = parsePage(html, false).document;
  const { segments } = divideIntoSegments(document.body);
  const rows = runToEnd(
    computeFeatures(segments, readPageTraits(document, [], PAGE_URL, { title: '', description: '', ogType: '' })),
  );
  const at = FEATURE_NAMES.indexOf(feature);
  expect(at).toBeGreaterThanOrEqual(0);
  return new Map(segments.map(({ text }, index) => [text, rows[index]?.[at]]));
}

const PAGE =
  '<h1>Kettle</h1><p>Steel.</p><h2>Customer reviews</h2><h3>Five stars</h3><p>It boils.</p><h2>Care</h2><p>Wipe it.</p>';

describe('a segment', () => {
  it('has the words of its headings as a feature, until the next heading of the same level', () => {
    const above = valuesOf(PAGE, 'above:reviews');
    expect(above.get('It boils.')).toBe(1);
    expect(above.get('Steel.')).toBe(0);
    expect(above.get('Wipe it.')).toBe(0);
  });

  it('has the distance from the last such heading as a feature', () => {
    const since = valuesOf(PAGE, 'since:reviews');
    expect(since.get('Steel.')).toBe(-1);
    expect(since.get('Customer reviews')).toBe(0);
    expect(since.get('Wipe it.') ?? 0).toBeGreaterThan(since.get('It boils.') ?? 0);
  });

  it('counts segments that differ only in numbers as alike', () => {
    const likes = valuesOf('<p>Picture 1 of 3</p><p>Picture 2 of 3</p><p>Picture 3 of 3</p><p>Text</p>', 'likes');
    expect(likes.get('Picture 2 of 3') ?? 0).toBeGreaterThan(likes.get('Text') ?? 0);
  });
});
