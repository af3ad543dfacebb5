import { describe, expect, it } from 'vitest';
import { column, inline, makePdf, widthOf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

/** Prose that gives the page its usual size of text. */
const PROSE = column(['A line of words that gives the page its usual size of text and ends.'], 60, 120);

function textOf(texts: readonly PdfText[]): Promise<string> {
  return markdownOf(readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE] }])));
}

/** Rows of cells at fixed places; an empty text is a blank cell. */
function table(rows: readonly (readonly string[])[], places: readonly number[], pitch = 16): PdfText[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((text, cell) => (text === '' ? [] : [{ x: places[cell] ?? 0, y: 700 - row * pitch, text }])),
  );
}

describe('superscripts and subscripts of a PDF', () => {
  const cases: [producer: string, size: number, raise: number][] = [
    ['TeX in text', 7, 3.63],
    ['TeX in a display', 7, 4.13],
    ['Word', 6.5, 3.3],
    ['an office suite', 5.8, 3.3],
    ['a browser', 8.3, 3.3],
    ['a high one', 7, 4.7],
  ];
  it.each(cases)('are marked as set by %s', async (_, size, raise) => {
    const text = await textOf(
      inline(60, 700, [{ text: 'It had 10' }, { text: '6', size, rise: raise }, { text: ' cells.' }]),
    );
    expect(text).toContain('It had 10<sup>6</sup> cells.');
  });

  it('keep sign and number together, and an exponent of an exponent inside it', async () => {
    const text = await textOf(
      inline(60, 700, [
        { text: '1.6 x 10' },
        { text: '-', size: 7, rise: 3.6 },
        { text: '19', size: 7, rise: 3.6 },
        { text: ' C and 10' },
        { text: '10', size: 7, rise: 3.6 },
        { text: '3', size: 5, rise: 6.1 },
      ]),
    );
    expect(text).toContain('1.6 x 10<sup>-19</sup> C and 10<sup>10<sup>3</sup></sup>');
  });

  it('are both kept when one variable has both', async () => {
    const water = inline(72, 700, [{ text: 'and H' }, { text: '2', size: 7, rise: -1.5 }, { text: 'O' }]);
    const text = await textOf([
      ...inline(60, 700, [{ text: 'x' }, { text: '2', size: 7, rise: 4.1 }]),
      { x: 65, y: 697.5, size: 7, text: 'i' },
      ...water,
    ]);
    expect(text).toMatch(/x<sup>2<\/sup><sub>i<\/sub> and H<sub>2<\/sub>O/);
  });

  it('are put in brackets when they mark notes, and exponents with the same number are not', async () => {
    const text = await textOf([
      ...inline(60, 700, [
        { text: 'Known since 1990' },
        { text: '2', size: 7, rise: 3.6 },
        { text: ' on 25 m' },
        { text: '2', size: 7, rise: 3.6 },
      ]),
      ...inline(60, 57, [
        { text: '2', size: 6, rise: 3 },
        { text: 'By the keeper of the harbour.', size: 8 },
      ]),
    ]);
    expect(text).toContain('1990<sup>[2]</sup> on 25 m<sup>2</sup>');
    expect(text).toContain('<sup>[2]</sup>By the keeper');
  });

  it('are not found in the letters of a logo or in small capitals', async () => {
    const text = await textOf([
      { x: 60, y: 700, text: 'L' },
      { x: 62, y: 702.2, size: 7, text: 'A' },
      { x: 65.2, y: 700, text: 'TEX by S' },
      { x: 106, y: 700, size: 8, text: 'MITH' },
    ]);
    expect(text).not.toMatch(/<su[pb]>/);
  });
});

describe('a table of a PDF', () => {
  it('keeps blank cells, so that each value is under its header', async () => {
    const rows = [
      ['Station', 'Jan', 'Feb', 'Mar'],
      ['Bergen', '190', '', '170'],
      ['Oslo', '', '41', ''],
      ['Hamar', '', '', '43'],
    ];
    expect(await textOf(table(rows, [60, 160, 230, 300]))).toContain(
      '| Station | Jan | Feb | Mar |\n|---|---|---|---|\n| Bergen | 190 |  | 170 |\n| Oslo |  | 41 |  |\n| Hamar |  |  | 43 |',
    );
  });

  it('has its header whatever the alignment of its numbers', async () => {
    const right = (x: number, row: number, text: string) => ({ x: x - widthOf(text, 10), y: 700 - row * 14, text });
    const text = await textOf([
      { x: 60, y: 700, text: 'Item' },
      { x: 200, y: 700, text: 'Price' },
      { x: 300, y: 700, text: 'Stock' },
      ...['Rope', 'Lamp', 'Buoy'].map((name, row) => ({ x: 60, y: 686 - row * 14, text: name })),
      right(224, 1, '5'),
      right(224, 2, '1200'),
      right(325, 1, '10'),
      right(325, 3, '7'),
    ]);
    expect(text).toContain(
      '| Item | Price | Stock |\n|---|---|---|\n| Rope | 5 | 10 |\n| Lamp | 1200 |  |\n| Buoy |  | 7 |',
    );
  });

  it('adds a header that spans columns to each of them, and escapes bars', async () => {
    const text = await textOf([
      { x: 60, y: 700, text: 'Region' },
      { x: 180, y: 700, text: 'In the year 2024' },
      { x: 340, y: 700, text: 'Note' },
      ...table(
        [
          ['', 'Spring', 'Autumn', ''],
          ['North', '12', '14', 'a|b'],
          ['South', '9', '', 'c'],
        ],
        [60, 170, 240, 340],
      ).map((cell) => ({ ...cell, y: cell.y - 14 })),
    ]);
    expect(text).toContain('| Region | In the year 2024 Spring | In the year 2024 Autumn | Note |');
    expect(text).toContain('| South | 9 |  | c |');
    expect(text).toContain('a\\|b');
  });

  it('is not a heading when it has larger type', async () => {
    const rows = [
      ['Site', 'Mean (ms)', 'Loss (%)'],
      ['Brandenburg', '41.7', '0.3'],
      ['Bremen', '63.2', '0.0'],
    ];
    const large = table(rows, [60, 200, 320]).map((cell) => ({ ...cell, size: 14 }));
    const more = column(
      Array.from({ length: 12 }, () => 'Words of the body that are smaller than the table is.'),
      60,
      600,
    );
    const text = await textOf([...large, ...more]);
    expect(text).toContain('| Brandenburg | 41.7 | 0.3 |');
    expect(text).not.toContain('#');
  });

  it('without a header keeps its columns, and a note calls them uncertain', async () => {
    const rows = [
      ['A', '1', '2', '3'],
      ['B', '', '5', ''],
      ['C', '7', '', '9'],
    ];
    const read = await readBytes('pdf', makePdf([{ texts: [...table(rows, [60, 160, 230, 300]), ...PROSE] }]));
    expect(read.lines.join('\n')).toContain('| B |  | 5 |  |\n| C | 7 |  | 9 |');
    expect(read.cuts.join(' ')).toContain('The columns of tables are uncertain on page 1');
  });

  it('keeps positions when no columns are found', async () => {
    const texts = [
      ...[60, 150, 300, 400].map((x, index) => ({ x, y: 700, text: `a${index}` })),
      ...[90, 210, 350].map((x, index) => ({ x, y: 684, text: `b${index}` })),
      ...[60, 180, 260, 470].map((x, index) => ({ x, y: 668, text: `c${index}` })),
    ];
    const read = await readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE] }]));
    expect(read.lines.join('\n')).toMatch(/b0 {5,}b1 {5,}b2/);
    expect(read.cuts.join(' ')).toContain('The columns of tables are uncertain on page 1');
  });

  it('is read row by row if it has two columns of names and values', async () => {
    const names = [
      'Adult day ticket',
      'Child day ticket',
      'Family of four',
      'Student',
      'Group of ten',
      'Dog',
      'Bicycle',
    ];
    const text = await textOf([
      ...column(names, 60, 700, 11, 16),
      ...column(
        names.map((_, index) => `${index + 2}.00 euros`),
        330,
        700,
        11,
        16,
      ),
    ]);
    for (const [index, name] of names.entries()) expect(text).toContain(`${name}   ${index + 2}.00 euros`);
  });
});
