import { describe, expect, it } from 'vitest';
import { FIND_WORK_PER_PAUSE, TURN_CHARS_MIN } from '#core/limits.ts';
import type { InTurn } from '#core/turns.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import type { LineMatcher } from '#reading/compile-pattern.ts';
import { extractInTurn } from '#reading/extract-in-turn.ts';
import { findMatches, inOneChunk } from '#reading/find-matches.ts';
import { makePdf } from '#support/make-pdf.ts';

const forEver = new AbortController().signal;
const input = (kind: string, text: string, bytes: Uint8Array = new Uint8Array()): ExtractInput => ({
  kind,
  text,
  bytes,
  url: 'https://docs.acme.dev/page',
  mode: 'readable',
});

/** How often a piece of work lets others in. */
function counted() {
  let pauses = 0;
  const pause = async () => void (pauses += 1);
  return { pause, pauses: () => pauses };
}

const PAGES: readonly (readonly [string, ExtractInput])[] = [
  ['HTML', input('html', `<main>${'<p>A sentence of a page, with words in it.</p>'.repeat(3_000)}</main>`)],
  ['JSON', input('json', `[${'1,'.repeat(50_000)}1]`)],
  ['a PDF', input('pdf', '', makePdf([{ texts: [{ x: 60, y: 700, text: 'The keeper of the lamp' }] }]))],
];

describe('extraction', () => {
  it('takes turns for long texts and for files, and lets short texts pass', async () => {
    const turns: string[] = [];
    const inTurn: InTurn = async (_, work) => {
      turns.push('turn');
      return work(async () => undefined);
    };
    const read = extractInTurn(extract, inTurn);
    await read(input('html', '<p>A short page with a sentence in it.</p>'), forEver);
    expect(turns).toHaveLength(0);
    await read(input('text', 'word '.repeat(TURN_CHARS_MIN / 4)), forEver);
    for (const [, page] of PAGES) await read(page, forEver);
    expect(turns).toHaveLength(1 + PAGES.length);
  });

  for (const [name, page] of PAGES) {
    it(`lets others in between the parts of ${name}, and gives the same lines`, async () => {
      const { pause, pauses } = counted();
      const paused = await extract({ ...page, pause });
      expect(pauses()).toBeGreaterThanOrEqual(3);
      expect(paused.lines).toEqual((await extract({ ...page })).lines);
    });
  }
});

describe('find', () => {
  for (const [name, lines, cost] of [
    ['a table of many rows', Array.from({ length: 5_000 }, (_, index) => `| row ${index} |`), 2_000],
    ['one paragraph of long lines', Array.from({ length: 150 }, () => 'word'.repeat(8_000)), 200],
  ] as const) {
    it(`lets others in after each share of its work in ${name}`, async () => {
      let since = 0;
      let most = 0;
      let total = 0;
      const matcher: LineMatcher = {
        costIn: () => cost,
        matchesIn: (block) => {
          const work = block.reduce((sum, line) => sum + (line.raw.length + 1) * cost, 0);
          since += work;
          total += work;
          most = Math.max(most, since);
          return [];
        },
      };
      const pause = async () => void (since = 0);
      await findMatches({ chunks: inOneChunk(lines), isMarkdown: true, restStart: null }, matcher, pause);
      expect(total).toBeGreaterThan(4 * FIND_WORK_PER_PAUSE);
      expect(most).toBeLessThan(1.1 * FIND_WORK_PER_PAUSE);
    });
  }
});
