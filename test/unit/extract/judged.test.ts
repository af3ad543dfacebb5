import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { SEGMENTS_CLASSIFIED_MAX } from '#extract/limits.ts';
import { mapToSampledSegments } from '#extract/html/main/choose.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { read } from './support.ts';

const segmentsIn = (html: string) => divideIntoSegments(parsePage(html, false).document.body).segments;
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => `<h2>Lamp ${at}</h2><p>Lamp ${at} burns oil, and its keeper trims it.</p>`);

describe('the segments of a page', () => {
  it('are judged one by one on pages of usual length', () => {
    const segments = segmentsIn(entries(SEGMENTS_CLASSIFIED_MAX / 2).join(''));
    expect(segments).toHaveLength(SEGMENTS_CLASSIFIED_MAX);
    expect([...mapToSampledSegments(segments)]).toEqual(segments.map(({ index }) => index));
  });

  it('are judged in groups of the same tag on a page of very many segments', () => {
    const segments = segmentsIn(entries(10_000).join(''));
    const judged = mapToSampledSegments(segments);
    expect(new Set(judged).size).toBeLessThanOrEqual(SEGMENTS_CLASSIFIED_MAX);
    for (const [index, other] of judged.entries()) {
      expect(other).toBeLessThanOrEqual(index);
      expect(segments[other]?.frame.element.localName).toBe(segments[index]?.frame.element.localName);
    }
  });

  it('are selected as on a shorter page', async () => {
    const menu = `<nav><ul>${'<li><a href="/x">Menu</a></li>'.repeat(20)}</ul></nav>`;
    const { lines, restStart } = await read('html', `${menu}<main>${entries(6_000).join('')}</main>`, 'readable');
    const main = mainLines({ lines, restStart }).join('\n');
    expect(main.match(/^## Lamp \d+$/gm)).toHaveLength(6_000);
    expect(main.match(/burns oil/g)).toHaveLength(6_000);
    expect(main).not.toContain('Menu');
  });
});
