import { describe, expect, it } from 'vitest';
import { FIND_STEPS_PER_PAUSE, CPU_LOCK_CHARS_MIN } from '#reading/limits.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import type { RunWithCpuLock } from '#core/flow/turns.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import type { LineMatcher } from '#reading/find/match-place.ts';
import { extractWithCpuLock } from '#reading/open/extract-page.ts';
import { findMatches, splitIntoChunks } from '#reading/find/find-matches.ts';
import { makeEpub, makeOdt, makePptx, makeXlsx, slideShape, slideText } from '#support/make-archive.ts';
import { makePdf } from '#support/make-pdf.ts';

const forEver = new AbortController().signal;
const input = (kind: BodyKind, text: string, bytes: Uint8Array = new Uint8Array()): ExtractInput => ({
  kind,
  text,
  bytes,
  url: 'https://docs.acme.dev/page',
  mode: 'readable',
});

/** Counts the pauses of a piece of work. */
function counted() {
  let pauses = 0;
  const pause = async () => void (pauses += 1);
  return { pause, pauses: () => pauses };
}

/** A sentence that does not pack well. */
const told = (at: number) =>
  `${Array.from({ length: 8 }, (_, word) => (Math.imul(at * 8 + word + 1, 2_654_435_761) >>> 0).toString(36)).join(' ')}. `;
const sheetRow = (at: number) =>
  `<row>${[0, 1, 2, 3].map((cell) => `<c t="inlineStr"><is><t>${told(at * 4 + cell)}</t></is></c>`).join('')}</row>`;
const SLIDE = slideShape(
  '<p:ph/>',
  ...Array.from({ length: 100 }, () => slideText('The keeper lights the lamp. The lamp lights the sea.')),
);
const SENTENCES = 'The keeper lights the lamp. The lamp lights the sea. ';
const pdfLine = (at: number) => ({ x: 60, y: 790 - at * 0.55, size: 1, text: SENTENCES.repeat(6) });

/** Pages with the minimum number of pauses. */
const PAGES: readonly (readonly [string, ExtractInput, number])[] = [
  ['HTML', input('html', `<main>${'<p>A sentence of a page, with words in it.</p>'.repeat(3_000)}</main>`), 3],
  ['JSON', input('json', `[${'1,'.repeat(50_000)}1]`), 3],
  ['a PDF', input('pdf', '', makePdf([{ texts: [{ x: 60, y: 700, text: 'The keeper of the lamp' }] }])), 3],
  [
    'a PDF with one long page',
    input('pdf', '', makePdf([{ texts: Array.from({ length: 1_400 }, (_, at) => pdfLine(at)) }])),
    8,
  ],
  ['text of long lines', input('text', `${SENTENCES.repeat(20)}\n\n`.repeat(2_000)), 6],
  ['text of one line', input('text', SENTENCES.repeat(40_000)), 6],
  ['Markdown', input('markdown', `${SENTENCES}\n\n`.repeat(40_000)), 6],
  ['Markdown of short lines', input('markdown', 'lamp\n'.repeat(200_000)), 6],
  ['CSV', input('csv', `${'lamp,'.repeat(50)}\n`.repeat(8_000)), 6],
  ['CSV of one row', input('csv', `a\n${','.repeat(8_000_000)}`), 6],
  [
    'a workbook',
    input(
      'xlsx',
      '',
      makeXlsx([{ name: 'a', rows: Array.from({ length: 10_000 }, (_, at) => sheetRow(at)).join('') }]),
    ),
    6,
  ],
  [
    'strings of a workbook',
    input(
      'xlsx',
      '',
      makeXlsx(
        [{ name: 'a', rows: sheetRow(0) }],
        Array.from({ length: 60_000 }, (_, at) => `<t>${told(at)}</t>`),
      ),
    ),
    4,
  ],
  ['a presentation', input('pptx', '', makePptx(Array.from({ length: 300 }, () => SLIDE))), 6],
  [
    'a book of long chapters',
    input(
      'epub',
      '',
      makeEpub({
        chapters: Array.from({ length: 30 }, (_, at) =>
          `<p>${told(at).repeat(20)}${told(at + 30).repeat(20)}</p>`.repeat(20),
        ),
      }),
    ),
    6,
  ],
  [
    'an OpenDocument text',
    input('odt', '', makeOdt(Array.from({ length: 10_000 }, (_, at) => `<text:p>${told(at)}</text:p>`).join(''))),
    6,
  ],
];

describe('extraction', () => {
  it('takes the processor lock for long texts and for files, and not for short texts', async () => {
    const turns: string[] = [];
    const inTurn: RunWithCpuLock = async (_, work) => {
      turns.push('turn');
      return work(async () => undefined);
    };
    const read = (page: ExtractInput) => extractWithCpuLock(page, forEver, inTurn);
    await read(input('html', '<p>A short page with a sentence in it.</p>'));
    expect(turns).toHaveLength(0);
    await read(input('text', 'word '.repeat(CPU_LOCK_CHARS_MIN / 4)));
    for (const [, page] of PAGES.slice(0, 3)) await read(page);
    expect(turns).toHaveLength(1 + 3);
  });

  for (const [name, page, times] of PAGES) {
    it(`lets other work run between the parts of ${name}, and gives the same lines`, async () => {
      const { pause, pauses } = counted();
      const paused = await extract({ ...page, pause });
      expect(pauses()).toBeGreaterThanOrEqual(times);
      expect(paused.lines).toEqual((await extract({ ...page })).lines);
    });
  }
});

describe('find', () => {
  for (const [name, lines, cost] of [
    ['a table of many rows', Array.from({ length: 5_000 }, (_, index) => `| row ${index} |`), 2_000],
    ['one paragraph of long lines', Array.from({ length: 150 }, () => 'word'.repeat(8_000)), 200],
  ] as const) {
    it(`lets other work run after each share of its work in ${name}`, async () => {
      let since = 0;
      let most = 0;
      let total = 0;
      const matcher: LineMatcher = {
        costIn: () => cost,
        matchesIn: ({ text }) => {
          const work = text.length * cost;
          since += work;
          total += work;
          most = Math.max(most, since);
          return [];
        },
      };
      const pause = async () => void (since = 0);
      await findMatches({ chunks: toSearchableChunks(splitIntoChunks(lines), true), restStart: null }, matcher, pause);
      expect(total).toBeGreaterThan(4 * FIND_STEPS_PER_PAUSE);
      expect(most).toBeLessThan(1.1 * FIND_STEPS_PER_PAUSE);
    });
  }
});
