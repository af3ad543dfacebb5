import { joinHead } from '#extract/pdf/tables/head-rows.ts';
import { describe, expect, it } from 'vitest';
import { column, makePdf, widthOf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

/** Prose that gives the page its usual size of text. */
const PROSE = column(['A line of words that gives the page its usual size of text and ends.'], 60, 120);
/** Lines above and below a table. */
const LINES = '60 724 m 470 724 l S\n60 622 m 470 622 l S';
const LEFTS = [60, 140, 230, 320, 410];
const ROWS = [
  ['Alder', '12.5', '1,204', '88.1'],
  ['Birch', '7.25', '3,118', '79.4'],
  ['Cedar', '19.0', '2,560', '91.6'],
  ['Hazel', '3.75', '1,977', '64.0'],
];

type Above = { text: string; from: number; to?: number; y: number };

/** A table whose columns are 60 points wide and whose numbers are at their right edge. */
function table(head: readonly Above[], rows: readonly (readonly string[])[], pitch = 16): PdfText[] {
  const names = head.map(({ text, from, to = from, y }) => {
    const [left, right] = [LEFTS[from] ?? 0, (LEFTS[to] ?? 0) + 60];
    return { x: from === 0 ? left : (left + right - widthOf(text, 10)) / 2, y, text };
  });
  const cells = rows.flatMap((row, index) =>
    row.map((text, at) => {
      const free = at === 0 ? 0 : 60 - widthOf(text, 10);
      return { x: (LEFTS[at] ?? 0) + free, y: 680 - index * pitch, text };
    }),
  );
  return [...names, ...cells];
}

async function read(texts: readonly PdfText[]): Promise<{ text: string; notes: string }> {
  const extracted = await readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE] }]));
  return { text: extracted.lines.join('\n'), notes: extracted.cuts.join(' ') };
}

function markdown(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  return [lines[0], `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...lines.slice(1)].join('\n');
}

describe('a table of a PDF whose header has two lines', () => {
  const whole = markdown([['Station', 'Number of boats', 'Load', 'Share of all'], ...ROWS]);

  it.each<[string, number, number]>([
    ['top', 708, 708],
    ['middle', 702, 708],
    ['bottom', 696, 708],
  ])('has both lines in each cell when short ones are at the %s', async (_, short, top) => {
    const head = [
      { text: 'Station', from: 0, y: short },
      { text: 'Load', from: 2, y: short },
      { text: 'Number of', from: 1, y: top },
      { text: 'boats', from: 1, y: 696 },
      { text: 'Share of', from: 3, y: top },
      { text: 'all', from: 3, y: 696 },
    ];
    expect((await read(table(head, ROWS))).text).toContain(whole);
  });

  it('has all lines when names of two lines are at the middle of names of three', async () => {
    const head = [
      { text: 'Station', from: 0, y: 708 },
      ...['Number', 'of all', 'boats'].map((text, at) => ({ text, from: 1, y: 720 - at * 12 })),
      ...['Load', 'in tons'].map((text, at) => ({ text, from: 2, y: 714 - at * 12 })),
      ...['Share', 'of all', 'goods'].map((text, at) => ({ text, from: 3, y: 720 - at * 12 })),
    ];
    expect((await read(table(head, ROWS))).text).toContain(
      markdown([['Station', 'Number of all boats', 'Load in tons', 'Share of all goods'], ...ROWS]),
    );
  });

  it('has the first line of a cell that no other cell shares', async () => {
    const head = [
      { text: 'Station', from: 0, y: 696 },
      { text: 'Boats', from: 1, y: 696 },
      { text: 'Load', from: 2, y: 696 },
      { text: 'Share of', from: 3, y: 708 },
      { text: 'all', from: 3, y: 696 },
    ];
    expect((await read(table(head, ROWS))).text).toContain(
      markdown([['Station', 'Boats', 'Load', 'Share of all'], ...ROWS]),
    );
  });

  it('has units with the names above them when rows are as close as the lines', async () => {
    const head = [
      { text: 'Station', from: 0, y: 704 },
      { text: 'Depth', from: 1, y: 704 },
      { text: '(m)', from: 1, y: 692 },
      { text: 'Load', from: 2, y: 704 },
      { text: '(t)', from: 2, y: 692 },
      { text: 'Share', from: 3, y: 704 },
    ];
    expect((await read(table(head, ROWS, 12))).text).toContain(
      markdown([['Station', 'Depth (m)', 'Load (t)', 'Share'], ...ROWS]),
    );
  });
});

describe('names above several columns of a PDF table', () => {
  const WIDE = ROWS.map((row) => row.map((cell, at) => (at === 0 ? cell : cell.padStart(11, '1')))).map((row) => [
    ...row,
    row[1]?.replace('1', '2') ?? '',
  ]);
  const sub = ['Station', 'Boats', 'Load', 'Crew', 'Cost'].map((text, from) => ({ text, from, y: 696 }));

  it('are added to each column below them', async () => {
    const head = [...sub, { text: 'Summer', from: 1, to: 2, y: 710 }, { text: 'Winter', from: 3, to: 4, y: 710 }];
    expect((await read(table(head, WIDE, 12))).text).toContain(
      markdown([['Station', 'Summer Boats', 'Summer Load', 'Winter Crew', 'Winter Cost'], ...WIDE]),
    );
  });

  describe.each<[string, number, number]>([
    ['at the left edge of their columns', 140, 320],
    ['in the middle of their columns', (140 + 250 - widthOf('Sea', 10)) / 2, (320 + 432 - widthOf('Land', 10)) / 2],
  ])('%s', (_, sea, land) => {
    const rows = ROWS.map((row) => [...row, '7.5']);
    const heads = ['Station', 'Boats', 'Load', 'Shops', 'Cars'].map((text, at) => ({
      x: LEFTS[at] ?? 0,
      y: 696,
      text,
    }));
    const cells = rows.flatMap((row, index) =>
      row.map((text, at) => ({ x: LEFTS[at] ?? 0, y: 680 - index * 16, text })),
    );
    const names = [
      { x: sea, y: 711, text: 'Sea' },
      { x: land, y: 711, text: 'Land' },
    ];
    const whole = markdown([['Station', 'Sea Boats', 'Sea Load', 'Land Shops', 'Land Cars'], ...rows]);

    it.each<[string, string]>([
      ['lines of their own', `${LINES}\n140 707 m 290 707 l S\n320 707 m 470 707 l S`],
      ['lines that touch', `${LINES}\n140 707 m 305 707 l S\n305 707 m 470 707 l S`],
    ])('are added to the columns below %s', async (__, drawn) => {
      const texts = [...names, ...heads, ...cells, ...PROSE];
      const { lines } = await readBytes('pdf', makePdf([{ texts, drawn }]));
      expect(lines.join('\n')).toContain(whole);
    });
  });

  it('are not added to the middle one of three columns because the names are underlined', async () => {
    const columns = ['Boats', 'Load', 'Shops', 'Cars', 'Carts', 'Mules'].map((text, at) => ({
      text,
      left: 130 + at * 66,
    }));
    const cells = columns.flatMap(({ text, left }, at) =>
      [text, `${at}.5`, `${at},204`, `8${at}.1`].map((cell, row) => ({
        x: left + (row === 0 ? (50 - widthOf(cell, 10)) / 2 : 50 - widthOf(cell, 10)),
        y: 696 - row * 16,
        text: cell,
      })),
    );
    const stations = ['Station', 'Alder', 'Birch', 'Cedar'].map((text, row) => ({ x: 60, y: 696 - row * 16, text }));
    const names = ['Sea', 'Land'].map((text, at) => ({ x: 221 + at * 198 - widthOf(text, 10) / 2, y: 711, text }));
    const lines = names.map(({ x, text }) => `${x - 0.5} 709 m ${x + widthOf(text, 10) + 0.5} 709 l S`);
    const drawn = [LINES, ...lines].join('\n');
    const extracted = await readBytes('pdf', makePdf([{ texts: [...names, ...stations, ...cells, ...PROSE], drawn }]));
    expect(extracted.lines.join('\n')).toContain('| Station | Boats | Load | Shops | Cars | Carts | Mules |');
  });

  it('are added to the columns of which they are exactly in the middle, where all gaps are equal', async () => {
    const rows = ROWS.map(([name = '', ...values]) => [name, ...values, 'mostly full']);
    const columns = [0, 1, 2, 3, 4].map((at) => ['Station', 'Boats', 'Load', 'Shops', 'Cars'][at] ?? '');
    const widths = columns.map((head, at) =>
      Math.max(...[head, ...rows.map((row) => row[at] ?? '')].map((text) => widthOf(text, 10))),
    );
    const lefts = widths.map((_, at) => 60 + widths.slice(0, at).reduce((sum, width) => sum + width + 14, 0));
    const cells = [columns, ...rows].flatMap((row, index) =>
      row.map((text, at) => ({ x: lefts[at] ?? 0, y: 696 - index * 16, text })),
    );
    const middle = ((lefts[2] ?? 0) + (lefts[3] ?? 0) + (widths[3] ?? 0)) / 2;
    const { text } = await read([{ x: middle - widthOf('Land', 10) / 2, y: 711, text: 'Land' }, ...cells]);
    expect(text).toContain(markdown([['Station', 'Boats', 'Land Load', 'Land Shops', 'Cars'], ...rows]));
  });

  it('stay outside the header, with a note, when it is not clear which columns they are above', async () => {
    const { text, notes } = await read([
      ...table(sub, WIDE, 12),
      { x: 162, y: 710, text: 'Summer' },
      { x: 362, y: 710, text: 'Winter' },
    ]);
    expect(text).toContain(markdown([['Station', 'Boats', 'Load', 'Crew', 'Cost'], ...WIDE]));
    expect(text).toMatch(/Summer\s+Winter\n/);
    expect(notes).toContain('The columns of tables are uncertain on page 1');
  });

  it.each<[string, readonly string[]]>([
    ['words', ['Boats', 'Load', 'Boats', 'Load']],
    ['years', ['2022', '2023', '2022', '2023']],
  ])('are added to the columns whose %s repeat below them, wherever they are above these', async (_, below) => {
    const repeated = ['Station', ...below].map((text, from) => ({ text, from, y: 696 }));
    const names = [
      { x: 162, y: 710, text: 'Summer' },
      { x: 362, y: 710, text: 'Winter' },
    ];
    const joined = below.map((text, at) => `${at < 2 ? 'Summer' : 'Winter'} ${text}`);
    const { text } = await read([...table(repeated, WIDE), ...names]);
    expect(text).toContain(markdown([['Station', ...joined], ...WIDE]));
  });

  it('are added to all columns of the lower line when other columns have their names in the upper line', async () => {
    const head = [
      ...['Station', 'Boats', 'Cost'].map((text, at) => ({ text, from: [0, 1, 4][at] ?? 0, y: 710 })),
      ...['Load', 'Crew'].map((text, at) => ({ text, from: at + 2, y: 696 })),
    ];
    const { text } = await read([...table(head, WIDE), { x: 270, y: 710, text: 'Summer' }]);
    expect(text).toContain(markdown([['Station', 'Boats', 'Summer Load', 'Summer Crew', 'Cost'], ...WIDE]));
  });

  it('are no header when a caption is above the table', async () => {
    const { text } = await read([...table(sub, WIDE, 12), { x: 60, y: 722, text: 'Table 4: boats of the port' }]);
    expect(text).toContain(markdown([['Station', 'Boats', 'Load', 'Crew', 'Cost'], ...WIDE]));
    expect(text).toContain('Table 4: boats of the port\n');
  });
});

describe('names of columns that fit everywhere, because their text has a hostile size', () => {
  it('are given up in bounded time', { timeout: 5_000 }, () => {
    const cell = (left: number, right: number, plain: string, size = 10) => {
      const place = { left, right, y: 0, size, font: size === 10 && plain.length < 3 ? 'A' : 'B' };
      return { ...place, text: plain, plain, rtl: false, mono: false, parts: [] };
    };
    const line = (y: number, cells: ReturnType<typeof cell>[]) => ({ ...cell(0, 200, ''), y, cells, isRow: true });
    const columns = Array.from({ length: 20 }, (_, at) => at * 10);
    const names = Array.from({ length: 5 }, (_, at) => cell(4.6 + at / 10, 195.2 + at / 10, 'Name', 1_000));
    const rows = [28, 40, 52, 64].map(() => columns.map((left, at) => cell(left, left + 9, at === 0 ? 'ab' : '7')));
    const head = [
      line(0, [cell(13, 26, 'Name'), ...names]),
      line(
        14,
        columns.map((left) => cell(left, left + 9, 'Column')),
      ),
    ];
    const lines = [...head, ...rows.map((cells, at) => line(28 + 12 * at, cells))];
    const style = {
      body: 10,
      levels: new Map(),
      hyphenated: new Set<string>(),
      words: new Set<string>(),
      marksCode: false,
    };
    expect(joinHead(lines, style)).toBe('uncertain');
  });
});
