import { describe, expect, it } from 'vitest';
import { findTextStarts } from '#extract/pdf/drawn/text-starts.ts';
import { makePdf, stream, widthOf } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

type Placed = { x: number; y: number; text: string; size?: number };

/** Content of a page as LibreOffice writes it: each cell, and each part of a line with its own look, is drawn apart. */
function contentOf(texts: readonly Placed[]): string {
  const drawn = texts.map(
    ({ x, y, text, size = 10 }) => `q 0 0 0 rg\nBT\n${x.toFixed(3)} ${y} Td /F1 ${size} Tf(${text})Tj\nET\nQ`,
  );
  return ['0.1 w', 'q 0 0.028 600 800 re', 'W* n', ...drawn, 'Q'].join('\n');
}

const textOf = (texts: readonly Placed[]) =>
  markdownOf(readBytes('pdf', makePdf([{ texts: [], drawn: contentOf(texts), fonts: '/F1 3 0 R ' }])));

/** Rows with columns of `width` points. Numbers below the header end at the right edge of their column. */
function sheet(rows: readonly (readonly string[])[], width: number): Placed[] {
  return rows.flatMap((row, index) =>
    row.flatMap((text, at) => {
      const isNumber = index > 0 && /^[\d.]+$/.test(text);
      const x = 57 + at * width + (isNumber ? width - 2 - widthOf(text, 10) : 0);
      return text === '' ? [] : [{ x, y: 700 - index * 13, text }];
    }),
  );
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const rowOf = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [rowOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(rowOf)].join('\n');
}

const QUARTERS = [
  ['Item', 'Quarter 1', 'Quarter 2', 'Quarter 3', 'Remark'],
  ['Lamps', '120', '140', '99', 'good'],
  ['Cables', '1200', '30', '7', 'longer words'],
  ['Bulbs', '5', '6', '7', 'none'],
  ['Switches', '15', '26', '37', 'ok'],
];
const ACCOUNTS = [
  ['Date', 'Account', 'Debit', 'Credit', 'Balance'],
  ['2026-01-02', 'Rent', '700', '', '1300'],
  ['2026-01-05', 'Pay', '', '2100', '3400'],
  ['2026-01-09', 'Food', '84.2', '', '3315.8'],
  ['2026-01-12', 'Gas', '61', '', '3254.8'],
];
const TERMS = [
  ['Term', 'Meaning', 'Used in'],
  ['Lumen', 'Unit of light', 'Shops'],
  ['Lux', 'Light on it', 'Offices'],
  ['Watt', 'Unit of power', 'Bills'],
];

describe('an exponent that is drawn apart', () => {
  it('follows its number without a space, although justified text leaves a gap', async () => {
    const end = 57 + widthOf('It has a mass of 9.3 x 10', 10);
    const text = await textOf([
      { x: 57, y: 700, text: 'It has a mass of 9.3 x 10' },
      { x: end + 1.2, y: 704, text: '5', size: 6 },
      { x: end + 1.2 + widthOf('5', 6) + 3, y: 700, text: 'kg or more' },
    ]);
    expect(text).toContain('9.3 x 10<sup>5</sup> kg or more');
  });
});

describe('a table whose cells are drawn apart', () => {
  it.each([
    ['with narrow gaps', QUARTERS, 49],
    ['with empty cells', ACCOUNTS, 54],
    ['with words only', TERMS, 90],
  ])('has its columns: %s', async (_, rows, width) => {
    expect(await textOf(sheet(rows, width))).toContain(markdown(rows));
  });

  it('has no certain columns in a file by another program whose numbers are nearer to the next name', async () => {
    const rows = [
      ['Town', 'Open', 'Berths', 'Depth', 'Crane', 'Fuel'],
      ['Brno', 'May', '12', '3.4', 'yes', 'no'],
      ['Oulu', 'June', '40', '5.1', 'no', 'no'],
      ['Vigo', 'April', '8', '2.2', 'no', 'yes'],
      ['Cork', 'May', '21', '4.0', 'yes', 'yes'],
    ];
    const text = await markdownOf(readBytes('pdf', makePdf([{ texts: sheet(rows, 64) }])));
    expect(text).not.toContain('|');
    expect(await textOf(sheet(rows, 64))).toContain(markdown(rows));
  });

  describe('of a sheet that is wider than a page', () => {
    const onPages = (...pages: readonly (readonly (readonly string[])[])[]) =>
      readBytes(
        'pdf',
        makePdf(
          pages.map((rows, index) => {
            const texts = [{ x: 280, y: 760, text: 'Sheet1' }, ...sheet(rows, 90)];
            const drawn = contentOf([...texts, { x: 280, y: 40, text: `Page ${index + 1}` }]);
            return { texts: [], drawn, fonts: '/F1 3 0 R ' };
          }),
        ),
      );
    const KEEPERS = [['Keeper'], ['Ann Reed'], ['Bo Lind'], ['Mia Sol']];
    const SHOPS = [
      ['Shop', 'Sells'],
      ['Quay', 'bread and rope'],
      ['Mill', 'none'],
      ['Gate', 'tea and ice'],
    ];

    it.each([
      ['one column', KEEPERS],
      ['two columns of words', SHOPS],
    ])('is found in its further columns on the next page: %s', async (_, rows) => {
      const { lines, cuts } = await onPages(TERMS, rows);
      expect(lines.join('\n')).toContain(markdown(rows));
      expect(cuts.join('\n')).toContain('page 2 has further columns of the rows on the page before');
    });

    it('is not found in rows at other places, nor in more rows of the same columns', async () => {
      const rows = KEEPERS.slice(0, 3);
      const { lines, cuts } = await onPages(TERMS, rows);
      expect(lines.join('\n')).not.toContain('| Keeper |');
      const more = await onPages(TERMS, [['Flux', 'Light sent', 'Lamps'], ...TERMS.slice(1)]);
      expect([...cuts, ...more.cuts]).toEqual([]);
    });
  });

  it('is not found in lines of text whose parts have their own look', async () => {
    const line = (y: number, parts: readonly string[]) => {
      let x = 57;
      return parts.map((text) => {
        const at = { x, y, text };
        x += widthOf(text, 10);
        return at;
      });
    };
    const text = await textOf([
      ...line(700, ['The words ', 'of a line ', 'are drawn ', 'apart, and']),
      ...line(688, ['their parts ', 'touch, ', 'as they ', 'have ', 'spaces in']),
      ...line(676, ['them, so ', 'that no ', 'column ', 'is here.']),
      { x: 57, y: 650, text: '1.' },
      { x: 75, y: 650, text: 'One item' },
      { x: 57, y: 638, text: '2.' },
      { x: 75, y: 638, text: 'More of it' },
    ]);
    expect(text).not.toContain('|');
    expect(text).toContain(
      'The words of a line are drawn apart, and their parts touch, as they have spaces in them, so that no column is here.',
    );
    expect(text).toContain('1. One item\n2. More of it');
  });

  it('is found at text sizes with many digits, as Chromium writes 11 points', () => {
    const text = 'BT\n/F5 14.6599998 Tf\n1 0 0 -1 8 83 Tm\n<0041> Tj\nET';
    const content = ['.23999999 0 0 -.23999999 0 792 cm', 'q', text, 'Q'].join('\n');
    expect(findTextStarts(content)).toHaveLength(1);
  });

  it('leaves names of several columns for the header, also where it is drawn apart', async () => {
    const rows = [
      ['Tree', 'Count', 'Age', 'Count', 'Age'],
      ['Alder', '12012', '30303', '17017', '40404'],
      ['Birch', '90909', '70707', '80808', '50505'],
      ['Cedar', '60606', '20202', '11011', '90909'],
    ];
    const names = ['North', 'South'].map((text, at) => ({ x: 130 + at * 88, y: 714, text }));
    expect(await textOf([...names, ...sheet(rows, 44)])).toContain(
      markdown([['Tree', 'North Count', 'North Age', 'South Count', 'South Age'], ...rows.slice(1)]),
    );
  });

  it('is looked for in the drawing of Chromium, at any scale, and its narrow gaps divide text without spaces', async () => {
    const hex = (text: string) =>
      Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(4, '0')).join('');
    const rows = [
      ['Item', 'Sum 1', 'Sum 2', 'Remark'],
      ['Lamps', '120', '99', 'good'],
      ['Cables', '30', '7', 'longer words'],
      ['Bulbs', '5', '1,000.00', 'none'],
    ];
    const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? '', 16)))) ?? [];
    const drawn = rows.flatMap((row, index) => {
      let left = 9;
      return row.map((text, at) => {
        const width = widths[at] ?? 0;
        const x = left + (index > 0 && /^[\d.,]+$/.test(text) ? width - widthOf(text, 16) : 0);
        left += width + 2;
        return `BT\n/F7 16 Tf\n1 0 0 -1 ${x.toFixed(4)} ${57 + 20 * index} Tm\n<${hex(text)}> Tj\nET`;
      });
    });
    const widthsOf = Array.from({ length: 95 }, (_, at) => widthOf(String.fromCharCode(32 + at), 1000)).join(' ');
    const font =
      '/F7 << /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-H /DescendantFonts [<< /Type /Font ' +
      `/Subtype /CIDFontType2 /BaseFont /Helvetica /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [32 [${widthsOf}]] >>] /ToUnicode 6 0 R >> `;
    const unicode = stream(
      'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0020> <007e> <0020> endbfrange endcmap',
    );
    const start = ['.23999999 0 0 -.23999999 0 792 cm', 'q', '3.125 0 0 3.125 115.625 115.625 cm'];
    const content = [...start, ...drawn, 'Q'].join('\n');
    expect(findTextStarts(content)[0]).toEqual({ x: expect.closeTo(34.5, 3), y: expect.closeTo(721.5, 3), glyphs: 4 });
    expect(findTextStarts(content.replace('.23999999', '0.24'))).toEqual([]);
    expect(findTextStarts(content.replaceAll('1 0 0 -1', '0 1 1 0'))).toEqual([]);
    expect(findTextStarts(`${start.join('\n')}${'\nBT\n/F1 1'.repeat(200_000)}`)).toEqual([]);
    const text = await markdownOf(
      readBytes('pdf', makePdf([{ texts: [], drawn: content, fonts: font }], { objects: [unicode] })),
    );
    expect(text).toContain(markdown(rows));
  });

  it('is looked for only in the drawing of a program that draws so, in linear time', () => {
    const content = contentOf([{ x: 57, y: 700, text: 'a' }]);
    expect(findTextStarts(content)).toEqual([{ x: 57, y: 700, glyphs: 0 }]);
    expect(findTextStarts(content.replace('0.1 w', '0.2 w'))).toEqual([]);
    expect(findTextStarts(`0.1 w\nq ${'\nBT\n1 '.repeat(200_000)}`)).toEqual([]);
  });
});
