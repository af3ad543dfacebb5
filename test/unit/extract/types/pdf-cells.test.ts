import { findPathBoxes, findDrawnLines } from '#extract/pdf/drawn/path-boxes.ts';
import { findRuledGrids } from '#extract/pdf/tables/ruled-grids.ts';
import { describe, expect, it } from 'vitest';
import { column, makePdf, widthOf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

/** Prose that gives the page its usual size of text. */
const PROSE = column(['A line of words that gives the page its usual size of text and ends.'], 60, 120);

function textOf(texts: readonly PdfText[]): Promise<string> {
  return markdownOf(readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE] }])));
}

type Side = 'left' | 'right' | 'middle';

/** Rows of a table whose columns are as wide as their widest cell, with a gap of `gap` points between two of them. */
function tight(rows: readonly (readonly string[])[], sides: readonly Side[], gap: number, left = 60): PdfText[] {
  const widths = sides.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? '', 10))));
  return rows.flatMap((row, index) => {
    let x = left;
    return row.flatMap((text, at) => {
      const free = (widths[at] ?? 0) - widthOf(text, 10);
      const side = index === 0 ? 'middle' : sides[at];
      const place = x + (side === 'right' ? free : side === 'middle' ? free / 2 : 0);
      x += (widths[at] ?? 0) + gap;
      return text === '' ? [] : [{ x: place, y: 700 - index * 20, text }];
    });
  });
}

function markdown(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  return [lines[0], `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...lines.slice(1)].join('\n');
}

const STATIONS = [
  ['Gate', 'Width', 'Height', 'Cost'],
  ['Cedar 1', '641.83', '-0.917', '877,581'],
  ['Maple 2', '-5.581', '3921', ''],
  ['Maple 3', '49.3', '5.0', '703,881'],
  ['Maple 4', '', '635,465', ''],
  ['Cedar 5', '968,977', '3063', '319.11'],
  ['Birch 6', '526.69', '68.60', '47.9'],
  ['Hazel 10', '', '-7.257', '7457'],
];

describe('a table of a PDF with narrow gaps', () => {
  it.each<[string, Side[]]>([
    ['left', ['left', 'left', 'left', 'left']],
    ['right', ['left', 'right', 'right', 'right']],
  ])('has each value under its header when the numbers are aligned %s', async (_, sides) => {
    expect(await textOf(tight(STATIONS, sides, 3))).toContain(markdown(STATIONS));
  });

  it('has its columns when the cells of a row, or of a whole column, are as close as words', async () => {
    const rows = [
      ['Station', 'Depth', 'Load', 'Year'],
      ['Cedar 1', '12.1', '2,287', '1979'],
      ['Alder 2', '', '-3,471', '1983'],
      ['Alder 3', '5698', '98,284', '1994'],
      ['Rowan 4', '25.9', '56,328', ''],
      ['Maple 7', '419.19', '150,408', '2009'],
    ];
    expect(await textOf(tight(rows, ['right', 'right', 'right', 'right'], 4.4))).toContain(markdown(rows));
  });

  it('has a column of years next to a column of numbers, each with its header', async () => {
    const rows = [
      ['Station', 'Depth', 'Load', 'Year'],
      ['Cedar 1', '12.1', '287.5', '1979'],
      ['Alder 2', '7', '471.2', '1983'],
      ['Alder 3', '5698', '284.3', '1994'],
      ['Rowan 4', '25.9', '802.9', '1972'],
    ];
    expect(await textOf(tight(rows, ['left', 'right', 'right', 'right'], 3))).toContain(markdown(rows));
  });

  it('has a dash without a value in its own cell', async () => {
    const rows = [
      ['Place', 'No.', 'Cost', 'Load'],
      ['Alder', '663.0', '1966', '$70,743'],
      ['Cedar', '–', '1977', '$30,247'],
      ['Rowan', '76.3', '1955', '$42,815'],
      ['Maple', '-0.5', '–', '$54,771'],
      ['Birch', '526.3', '1961', '$56,467'],
      ['Hazel', '22.2', '2010', '–'],
    ].map((row) => row.map((cell) => cell.replace('–', '-')));
    expect(await textOf(tight(rows, ['left', 'right', 'right', 'middle'], 10))).toContain(markdown(rows));
  });

  it.each([0, 3])('is read apart from text next to it, %i points higher than its rows', async (higher) => {
    const rows = STATIONS.map((row) => row.slice(0, 3));
    const lines = [
      'The harbour was built before the war, and most',
      'of its gates are still in use today, although the',
      'water has risen by a few centimetres and ships',
      'have grown much longer than the engineers of',
      'that time expected, so that several berths had',
      'to be moved to the outer basin, where depth is',
      'no concern, while the old quays serve the small',
      'boats, ferries and visitors who come for the best',
      'markets in summer and for the quiet in autumn,',
      'when storms keep everyone else away from here.',
    ];
    const text = await textOf([
      ...column(lines, 60, 700 + higher),
      ...tight(rows, ['left', 'right', 'right'], 12, 310),
    ]);
    expect(text).toContain(markdown(rows));
    expect(text).toContain('most of its gates are still in use today, although the water');
  });

  it('reports that its columns are uncertain when a line of text is next to its header', async () => {
    const rows = STATIONS.map((row) => row.slice(0, 3));
    const words = rows.map((_, at) => `Text that is next to row ${at} of a table and not in it`);
    const read = await readBytes(
      'pdf',
      makePdf([
        {
          texts: [...column(words, 60, 700, 10, 20), ...tight(rows, ['left', 'right', 'right'], 12, 330), ...PROSE],
        },
      ]),
    );
    expect(read.lines.join('\n')).not.toMatch(/^\| Text that is next to row 0[^\n]*\n\|---/m);
    expect(read.cuts.join()).toContain('uncertain');
  });

  it('keeps the words of a cell together', async () => {
    const rows = [
      ['Harbour', 'Phone', 'Depth', 'Berths'],
      ['Bergen in the north', '55 120 4470', '12.5', '40'],
      ['Oslo', '22 861 9930', '9', '115'],
      ['Hamar on the lake', '62 517 2810', '3.25', '7'],
      ['Moss', '69 248 1150', '110.5', '22'],
      ['Bodo', '75 555 2010', '8', '61'],
      ['Kirkenes', '78 970 4400', '21.75', '9'],
      ['Stavanger', '51 508 7730', '14', '130'],
    ];
    expect(await textOf(tight(rows, ['left', 'left', 'right', 'right'], 4))).toContain(markdown(rows));
  });

  it('is not found in lines of text with words aligned by chance', async () => {
    const lines = ['the gate is', 'and level in', 'for depth of', 'with height on', 'as width from'];
    const texts = lines.flatMap((words, index) => {
      const y = 700 - index * 12;
      return [
        { x: 60, y, text: `It says that ${words}` },
        { x: 180, y, text: 'open', mono: true },
        { x: 207, y, text: 'where ships wait for' },
        { x: 310, y, text: 'lock', mono: true },
        { x: 337, y, text: 'until the morning comes and' },
      ];
    });
    const read = await readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE] }]));
    expect(read.lines.join('\n')).not.toContain('|');
    expect(read.cuts).toEqual([]);
  });

  it('is not found in a table of contents', async () => {
    const titles = ['Introduction', 'Gates and locks', 'How depth is measured', 'Tides', 'Names of all stations'];
    const texts = titles.flatMap((title, index) => {
      const y = 700 - index * 14;
      const page = `${3 + index * 9}`;
      return [
        { x: 60, y, text: `${index + 1}` },
        { x: 73, y, text: title },
        { x: 400 - widthOf(page, 10), y, text: page },
      ];
    });
    expect(await textOf(texts)).not.toContain('|');
  });
});

/** Lines around and between cells: `xs` and `ys` are their places. */
function linesAt(xs: readonly number[], ys: readonly number[]): string {
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  return [
    ...xs.map((x) => `${x} ${low} m ${x} ${high} l S`),
    ...ys.map((y) => `${left} ${y} ${right - left} 0.5 re f`),
  ].join('\n');
}

async function ruled(texts: readonly PdfText[], drawn: string): Promise<string> {
  return markdownOf(readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE], drawn }])));
}

describe('a table of a PDF with ruling lines', () => {
  it('has the cells that the lines form, whatever their gaps and their lines of text', async () => {
    const texts = [
      ...column(['Part'], 60, 700),
      ...column(['What it is'], 120, 700),
      ...column(['Weight'], 220, 700),
      ...column(['Old gate'], 60, 680),
      ...column(['opens to the har-', 'bour and   closes', 'at night'], 120, 680),
      ...column(['81 kg'], 220, 680),
      ...column(['Lamp'], 60, 640),
      ...column(['is lit'], 120, 640),
      ...column(['Rope', 'and chain'], 60, 620),
      ...column(['-4 kg'], 220, 620),
    ];
    expect(await ruled(texts, linesAt([55, 115, 215, 260], [712, 692, 652, 632, 600]))).toContain(
      markdown([
        ['Part', 'What it is', 'Weight'],
        ['Old gate', 'opens to the harbour and closes at night', '81 kg'],
        ['Lamp', 'is lit', ''],
        ['Rope and chain', '', '-4 kg'],
      ]),
    );
  });

  it('repeats a cell that spans rows in each of them, wherever its text is in the cell', async () => {
    const across = (y: number, from: number) => `${from} ${y} ${260 - from} 0.5 re f`;
    const walls = [55, 115, 215, 260].map((x) => `${x} 612 m ${x} 712 l S`);
    const floors = [
      across(712, 55),
      across(692, 55),
      across(672, 115),
      across(652, 115),
      across(632, 55),
      across(612, 55),
    ];
    const texts = [
      ...column(['Country'], 60, 698),
      ...column(['City'], 120, 698),
      ...column(['People'], 220, 698),
      ...column(['Norland'], 60, 658),
      ...column(['Alder'], 120, 678),
      ...column(['481'], 220, 678),
      ...column(['Haven'], 120, 658),
      ...column(['Eel'], 120, 638),
      ...column(['9'], 220, 638),
      ...column(['Suderia'], 60, 618),
      ...column(['Cairn'], 120, 618),
    ];
    expect(await ruled(texts, [...walls, ...floors].join('\n'))).toContain(
      markdown([
        ['Country', 'City', 'People'],
        ['Norland', 'Alder', '481'],
        ['Norland', 'Haven', ''],
        ['Norland', 'Eel', '9'],
        ['Suderia', 'Cairn', ''],
      ]),
    );
  });

  /** A table of five columns whose first row has two names, each above two columns. */
  const grouped = (first: string, second: readonly string[], ...rows: readonly (readonly string[])[]) => {
    const xs = [60, 120, 180, 240, 300];
    const upper = [[60, first] as const, [120, 'North'] as const, [240, 'South'] as const];
    const texts = [
      ...upper.flatMap(([x, text]) => (text === '' ? [] : column([text], x, 698))),
      ...[second, ...rows].flatMap((row, index) =>
        row.flatMap((text, at) => (text === '' ? [] : column([text], xs[at] ?? 0, 678 - 20 * index))),
      ),
    ];
    const end = 672 - 20 * rows.length;
    const walls = [55, 115, 235, 355].map((x) => `${x} ${end} m ${x} 712 l S`);
    const inner = [175, 295].map((x) => `${x} ${end} m ${x} 692 l S`);
    const floors = [712, 692, ...[second, ...rows].map((_, index) => 672 - 20 * index)];
    return ruled(texts, [...walls, ...inner, ...floors.map((y) => `55 ${y} 300 0.5 re f`)].join('\n'));
  };

  it('adds a name above several columns to the names of these columns', async () => {
    const rows = [
      ['Alder', '12', '3', '17', '4'],
      ['Birch', '9', '', '8', '5'],
    ] as const;
    expect(await grouped('', ['Tree', 'Count', 'Age', 'Count', 'Age'], ...rows)).toContain(
      markdown([['Tree', 'North Count', 'North Age', 'South Count', 'South Age'], ...rows]),
    );
  });

  it('adds a name above several columns to the years below it', async () => {
    const rows = [
      ['Alder', '12', '3', '17', '4'],
      ['Birch', '9', '7', '8', '5'],
    ] as const;
    expect(await grouped('', ['Tree', '2022', '2023', '2022', '2023'], ...rows)).toContain(
      markdown([['Tree', 'North 2022', 'North 2023', 'South 2022', 'South 2023'], ...rows]),
    );
    const values = ['Alder', '2020', '2021', '2020', '2021'] as const;
    expect(await grouped('Tree', values, ...rows)).not.toContain('North 2020');
  });

  it('does not add a name above several columns to values of the first row', async () => {
    const rows = [
      ['Alder', '12', '3', '17', '4'],
      ['Birch', '9', '7', '8', '5'],
    ] as const;
    expect(await grouped('Tree', rows[0], rows[1])).toContain(
      markdown([['Tree', 'North', 'North', 'South', 'South'], ...rows]),
    );
    const words = [
      ['Alder', 'oak', 'wet', 'dry', 'old'],
      ['Birch', 'elm', 'dry', 'wet', 'new'],
    ] as const;
    expect(await grouped('Tree', words[0], words[1])).not.toContain('North oak');
  });

  it('does not repeat a text above a line below a few amounts', async () => {
    const drawn = [linesAt([55, 115, 215, 260], [712, 692, 652]), '220 672 30 0.5 re f', '215 652 m 215 712 l S'];
    const texts = [
      ...column(['Part'], 60, 698),
      ...column(['Note'], 120, 698),
      ...column(['Cost'], 220, 698),
      ...column(['Rope'], 60, 678),
      ...column(['new'], 120, 678),
      ...column(['17'], 220, 678),
      ...column(['Sum'], 60, 658),
      ...column(['17'], 220, 658),
    ];
    const text = await ruled(texts, drawn.join('\n'));
    expect(text.match(/new/g)).toHaveLength(1);
    expect(text).toMatch(/Sum/);
  });

  it('has a row for each line of text when only the header is divided from the rows', async () => {
    const rows = [
      ['Gate', 'Open', 'Closed'],
      ['North', '7', '-19'],
      ['South', '8', ''],
      ['East', '', '20'],
    ];
    const texts = rows.flatMap((row, index) =>
      row.map((text, at) => ({ x: [60, 120, 170][at] ?? 0, y: 700 - index * 14, text })),
    );
    expect(await ruled(texts, linesAt([55, 115, 165, 210], [712, 695, 650]))).toContain(markdown(rows));
  });

  it('has words above a line as its header when all cells are words', async () => {
    const rows = [
      ['Name', 'Colour', 'Shape'],
      ['Ash', 'dark grey', 'round'],
      ['Willow', 'red', 'long and flat'],
      ['Oak', 'light blue', 'square'],
    ];
    const texts = rows.flatMap((row, index) =>
      row.map((text, at) => ({ x: [60, 130, 200][at] ?? 0, y: 700 - index * 14, text })),
    );
    const across = [712, 695, 652].map((y) => `60 ${y} m 270 ${y} l S`).join('\n');
    expect(await ruled(texts, across)).toContain(markdown(rows));
  });

  it('is not found in a box around code or a note', async () => {
    const texts = column(['A note that says   how the gate   opens.', 'It has   two lines   of text.'], 60, 700);
    const text = await ruled(texts, linesAt([50, 300], [715, 680]));
    expect(text).not.toContain('|');
  });

  it('is not found in a drawing of very many crossing lines, however long it is', () => {
    const drawing = (size: number) =>
      Array.from({ length: size }, (_, at) =>
        at % 2 === 0 ? `${at % 600} 0 m ${at % 600} 800 l S` : `0 ${at % 800} m 600 ${at % 800} l S`,
      ).join('\n');
    expect(findPathBoxes(drawing(4_000))).toHaveLength(4_000);
    expect(findPathBoxes(drawing(100_000))).toEqual([]);
    const lines = findDrawnLines(findPathBoxes(drawing(4_000)), [1, 0, 0, -1, 0, 800]);
    expect(findRuledGrids([], lines).grids).toEqual([]);
  });

  it('has its cells when the lines are thin areas, and when strings look like operators', async () => {
    const content =
      '(a re f \\) 0 0 500 1 re f) Tj q 2 0 0 2 10 20 cm 0 0 m 100 0 l S Q 5 5 200 0.5 re f 0 0 m 9 9 9 0 0 9 c f';
    expect(findPathBoxes(content)).toEqual([
      [10, 20, 210, 20],
      [5, 5, 205, 5.5],
    ]);
  });
});
