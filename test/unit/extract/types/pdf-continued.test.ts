import { describe, expect, it } from 'vitest';
import { column, makePdf, widthOf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const PROSE = column(['A line of words that gives the page its usual size of text and ends.'], 60, 700);
const HEAD = ['Station', 'Boats', 'Load'];
const NOTE = 'A table continues from the page before on page 2';
const rowsFrom = (start: number) =>
  [0, 1, 2, 3].map((at) => [`Port ${start + at}`, `${start * 7 + at * 13}`, `${at}.5`]);

/** Rows with their numbers at the right edge of columns, at most 60 points wide, from `y` downwards. */
function rows(cells: readonly (readonly string[])[], y: number, shift = 0): PdfText[] {
  return cells.flatMap((row, index) =>
    row.map((text, at) => ({
      x: 60 + at * 120 + (at === 0 ? 0 : 60 + shift - widthOf(text, 10)),
      y: y - index * 16,
      text,
    })),
  );
}

/** Lines between the rows and columns of a table of `count` rows whose first row is at `y`. */
function linesAround(count: number, y: number): string {
  const ys = Array.from({ length: count + 1 }, (_, index) => y + 11 - index * 16);
  const across = ys.map((at) => `55 ${at} m 370 ${at} l S`);
  return [...across, ...[55, 160, 270, 370].map((x) => `${x} ${y + 11} m ${x} ${ys.at(-1)} l S`)].join('\n');
}

async function read(next: readonly PdfText[], isRuled = false): Promise<{ text: string; notes: string }> {
  const drawn = (count: number, y: number) => (isRuled ? { drawn: linesAround(count, y) } : {});
  const first = { texts: [...PROSE, ...rows([HEAD, ...rowsFrom(1)], 130)], ...drawn(5, 130) };
  const { lines, cuts } = await readBytes('pdf', makePdf([first, { texts: next, ...drawn(4, 740) }]));
  return { text: lines.slice(lines.indexOf('<!-- page 2 -->')).join('\n'), notes: cuts.join(' ') };
}

function markdown(cells: readonly (readonly string[])[]): string {
  const lines = cells.map((row) => `| ${row.join(' | ')} |`);
  return [lines[0], '|---|---|---|', ...lines.slice(1)].join('\n');
}

describe('a table of a PDF that continues on the next page', () => {
  it.each([
    ['no lines', false],
    ['lines', true],
  ])('has its header there too, with a note, when it has %s', async (_, isRuled) => {
    const { text, notes } = await read(
      [...rows(rowsFrom(5), 740), ...PROSE.map((one) => ({ ...one, y: 600 }))],
      isRuled,
    );
    expect(text).toContain(markdown([HEAD, ...rowsFrom(5)]));
    expect(notes).toContain(NOTE);
  });

  it('has its header above a single row', async () => {
    const { text } = await read([...rows(rowsFrom(5).slice(0, 1), 740), ...PROSE.map((one) => ({ ...one, y: 600 }))]);
    expect(text).toContain(markdown([HEAD, ...rowsFrom(5).slice(0, 1)]));
  });

  it.each<[string, readonly PdfText[]]>([
    ['its own header', rows([['Harbour', 'Crew', 'Cost'], ...rowsFrom(5)], 740)],
    ['a header of two lines', rows([['Harbour', 'Catch'], ['', 'Crew', 'Cost'], ...rowsFrom(5)], 740)],
    ['a header without a name of one column', rows([['Harbour', '', 'Cost'], ...rowsFrom(5)], 740)],
    ['years as its header', rows([['Harbour', '2022', '2023'], ...rowsFrom(5)], 740)],
    ['columns at other places', rows(rowsFrom(5), 740, 9)],
    [
      'words where the other has numbers',
      rows(
        rowsFrom(5).map(([port = '']) => [port, 'many', 'none']),
        740,
      ),
    ],
    ['text above it', [{ x: 60, y: 760, text: 'Boats of another year' }, ...rows(rowsFrom(5), 740)]],
  ])('is not continued by a table that has %s', async (_, next) => {
    for (const isRuled of [false, true]) {
      const { text, notes } = await read(next, isRuled);
      expect(text).not.toContain('Station');
      expect(notes).not.toContain(NOTE);
    }
  });
});
