import { describe, expect, it } from 'vitest';
import { column, makePdf, widthOf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

const BOLD = '/B << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> ';
/** Prose that gives the page its usual size of text. */
const BEFORE = column(['A line of words that gives the page its usual size of text and ends.'], 60, 740);
const AFTER = column(['Another line of words that comes after all others and that is as long.'], 60, 120);

function textOf(texts: readonly PdfText[], drawn?: string): Promise<string> {
  const page = { texts: [...BEFORE, ...texts, ...AFTER], fonts: BOLD, ...(drawn === undefined ? {} : { drawn }) };
  return markdownOf(readBytes('pdf', makePdf([page])));
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const rowOf = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [rowOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(rowOf)].join('\n');
}

type Layout = {
  lefts: readonly number[];
  /** Distances of rows, beyond the height of their lines, and of lines of one cell. */
  apart?: number;
  pitch?: number;
  side?: 'top' | 'middle' | 'bottom';
  head?: Partial<PdfText>;
};

/** Draws a table row by row. The lines of a cell are divided by `/`. */
function table(
  rows: readonly (readonly string[])[],
  { lefts, apart = 8, pitch = 12, side = 'top', head = {} }: Layout,
) {
  let y = 700;
  return rows.flatMap((row, index) => {
    const cells = row.map((cell) => cell.split(' / '));
    const most = Math.max(...cells.map((lines) => lines.length));
    const texts = cells.flatMap((lines, at) => {
      const free = (most - lines.length) * pitch;
      const top = y - (side === 'top' ? 0 : side === 'middle' ? free / 2 : free);
      const placed = column(lines[0] === '' ? [] : lines, lefts[at] ?? 0, top, 10, pitch);
      return index === 0 ? placed.map((text) => ({ ...text, ...head })) : placed;
    });
    y -= most * pitch + apart;
    return texts;
  });
}

const join = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((cell) => cell.replaceAll(' / ', ' ')));

const SOLD = [
  ['Year', 'Sold'],
  ['2022', '80'],
  ['2023', '100'],
  ['2024', '250'],
];
const CARE = [
  ['Part', 'Care'],
  ['Hinge', 'Oil it twice a year and wipe off / what drips'],
  ['Lock', 'Keep it dry'],
  ['Seal of the / outer door', 'Wash it with warm water and let / it dry before you close the door'],
  ['Bell', 'Nothing'],
];
const TOOLS = [
  ['Tool', 'Use', 'Care'],
  ['Plane', 'Takes thin shavings off a / board that must be flat', 'Oil the sole'],
  ['Rasp', 'Shapes curves', 'Brush it so that it does not / clog'],
  ['Clamp', 'Holds parts until the glue / between them is dry', 'Wipe'],
];

describe('a table of a PDF with two columns and no lines', () => {
  it.each([12, 18])('is found below words when both columns are numbers, with rows of %i points', async (pitch) => {
    const text = await textOf(table(SOLD, { lefts: [60, 200], apart: pitch - 12 }));
    expect(text).toContain(markdown(SOLD));
  });

  it('is found below a header with its own font', async () => {
    const rows = [
      ['Town', 'Letters'],
      ['Brno', 'many'],
      ['Oulu', 'none'],
      ['Vigo', 'some'],
    ];
    expect(await textOf(table(rows, { lefts: [60, 200], head: { font: 'B' } }))).toContain(markdown(rows));
  });

  it('is found below a header with a line', async () => {
    const lines = [715, 692, 570].map((y) => `60 ${y} m 360 ${y} l S`).join('\n');
    expect(await textOf(table(CARE, { lefts: [60, 200] }), lines)).toContain(markdown(join(CARE)));
  });

  it('has each cell in its row when rows are as close as lines of a cell', async () => {
    const rows = CARE.map((row) => row.map((cell) => cell.replace('Seal of the / outer', 'Outer')));
    const text = await textOf(table(rows, { lefts: [60, 200], apart: 0, head: { font: 'B' } }));
    expect(text).toContain(markdown(join(rows)));
  });

  it('has a header that is not above the numbers at the other edge of its column', async () => {
    const rows = [
      ['Bin', 'Pieces'],
      ['K-17', '240'],
      ['K-18', '1,015'],
      ['M-03', '88'],
      ['M-04', '7'],
    ];
    const texts = rows.flatMap(([bin = '', pieces = ''], index) => [
      { x: 60, y: 700 - index * 15, text: bin },
      { x: index === 0 ? 150 : 300 - widthOf(pieces, 10), y: 700 - index * 15, text: pieces },
    ]);
    expect(await textOf(texts)).toContain(markdown(rows));
  });
});

describe('a table of a PDF whose cells have several lines, without lines around them', () => {
  it.each(['top', 'middle', 'bottom'] as const)(
    'has each cell in its row when cells are aligned at the %s',
    async (side) => {
      expect(await textOf(table(CARE, { lefts: [60, 200], side, head: { font: 'B' } }))).toContain(
        markdown(join(CARE)),
      );
      expect(await textOf(table(TOOLS, { lefts: [60, 160, 330], side, head: { font: 'B' } }))).toContain(
        markdown(join(TOOLS)),
      );
    },
  );

  it('has each cell in its row when rows are as close as lines and cells are at the middle', async () => {
    const rows = [
      ['Tool', 'Use', 'Care'],
      ['Plane', 'Takes thin shavings off a / board that must be flat', 'Oil the sole'],
      ['Rasp', 'Shapes curves', 'Brush it so that it does not / clog'],
      ['Clamp', 'Holds parts', 'Wipe'],
      ['Drill', 'Bores holes in wood and / in thin sheets of metal / and in soft stone', 'Sharpen it'],
    ];
    const drawn = table(rows, { lefts: [60, 160, 330], apart: 0, side: 'middle', head: { font: 'B' } });
    expect(await textOf(drawn)).toContain(markdown(join(rows)));
  });

  it('has each cell in its row when rows are as close as lines and cells begin at the top', async () => {
    const rows = [
      ['Tool', 'Use', 'Care'],
      ['Plane', 'Takes thin shavings', 'Oil the sole'],
      ['Rasp', 'Shapes curves', 'Brush it'],
      ['Clamp', 'Holds parts that are / glued together', 'Wipe'],
      ['Drill', 'Bores holes in wood and / in thin sheets of metal', 'Sharpen it'],
    ];
    const drawn = table(rows, { lefts: [60, 160, 330], apart: 0, side: 'top', head: { font: 'B' } });
    expect(await textOf(drawn)).toContain(markdown(join(rows)));
  });

  it('has its header when names of several lines are at the middle', async () => {
    const rows = [
      ['Station', 'Highest wind speed ever / measured', 'Frost'],
      ['Harbour', '148', '31'],
      ['Airfield', '131', '52'],
      ['Pass', '204', '177'],
    ];
    const text = await textOf(table(rows, { lefts: [60, 160, 330], side: 'middle', head: { font: 'B' } }));
    expect(text).toContain(markdown(join(rows)));
  });
});

/** Three columns of different widths: each title with its lines. */
const NEWSLETTER = [
  [
    'Fair weekend',
    'The harbour fair opens on Friday at',
    'noon with a parade of small boats',
    'from the old pier. Stalls sell bread,',
    'cheese and smoked fish until dusk.',
    'On Saturday the rowing clubs meet',
    'for the spring race around the light',
    'house. Spectators may stand on the',
    'wall; dogs must stay on a leash.',
  ],
  [
    'Good to know',
    'Bring a cup; drinks',
    'are poured from jugs',
    'to save on waste.',
    'The ferry runs every',
    'half hour, and late',
    'boats leave at ten.',
  ],
  [
    'Helpers',
    'The hall wants help with',
    'chairs on Sunday; please',
    'write to the clerk if you',
    'can lift and carry them',
    'for an hour after noon.',
  ],
];

describe('text of a PDF in columns that is not a table', () => {
  const LINES = [
    'the gate of the harbour opens at',
    'dawn and boats go out with the',
    'tide while people on shore mend',
    'their nets for a day when storms',
    'keep them home so that nothing',
    'is lost again before winter ends',
  ];

  it('is two columns of paragraphs below titles in bold', async () => {
    const side = (title: string, x: number) => [
      { x, y: 700, text: title, font: 'B' },
      ...column(LINES, x, 686),
      ...column(LINES, x, 602),
      ...column(LINES.slice(0, 3), x, 522),
    ];
    const text = await textOf([...side('North side', 60), ...side('South side', 260)]);
    expect(text).not.toContain('|');
    expect(text).toContain('opens at dawn and boats go out with the tide');
  });

  it.each(['by column', 'titles first', 'by row'])(
    'is unequal columns of a newsletter below titles in bold, drawn %s',
    async (order) => {
      const side = ([title = '', ...lines]: readonly string[], x: number) => ({
        title: { x, y: 700, text: title, font: 'B' },
        lines: column(lines, x, 686, 10, 14),
      });
      const sides = NEWSLETTER.map((lines, index) => side(lines, [60, 290, 420][index] ?? 0));
      const byColumn = sides.flatMap(({ title, lines }) => [title, ...lines]);
      const titles = sides.map(({ title }) => title);
      const drawn = order === 'titles first' ? [...titles, ...sides.flatMap(({ lines }) => lines)] : byColumn;
      const texts = order === 'by row' ? drawn.toSorted((one, other) => other.y - one.y || one.x - other.x) : drawn;
      const text = await textOf(texts);
      expect(text).not.toContain('|');
      expect(text).toContain('opens on Friday at noon with a parade of small boats from the old pier.');
      expect(text).toContain('Bring a cup; drinks are poured from jugs to save on waste.');
      expect(text).toContain('please write to the clerk if you can lift and carry them for an hour after noon.');
    },
  );

  it('is two lists next to each other', async () => {
    const side = (title: string, names: readonly string[], x: number) => [
      { x, y: 700, text: title, font: 'B' },
      ...column(names, x, 684),
    ];
    const text = await textOf([
      ...side('Shop', ['Bread', 'Cakes and pies', 'Tea'], 60),
      ...side('Help', ['Delivery', 'Returns', 'Contact us'], 200),
    ]);
    expect(text).not.toContain('|');
  });

  it('is a table of contents with a header', async () => {
    const entries = ['Contents', 'The gates', 'How depth is measured', 'Tides', 'Names of stations', 'Sources'];
    const texts = entries.flatMap((title, index) => [
      { x: 60, y: 700 - index * 14, text: title, ...(index === 0 ? { font: 'B' } : {}) },
      {
        x: 400,
        y: 700 - index * 14,
        text: index === 0 ? 'Page' : `${index * 9}`,
        ...(index === 0 ? { font: 'B' } : {}),
      },
    ]);
    expect(await textOf(texts)).not.toContain('|');
  });

  it.each([
    [
      ['Customer', 'Ann Smith'],
      ['Order', '4711'],
      ['Date', '12 May'],
      ['Amount', '120.00'],
    ],
    [
      ['Name:', '17'],
      ['Depth:', '12.5'],
      ['Berths:', '40'],
      ['Cranes:', '3'],
    ],
  ])('is names and values, as in a form', async (...rows) => {
    expect(await textOf(table(rows, { lefts: [60, 200] }))).not.toContain('|');
  });

  it('is items of a list after tabs', async () => {
    const rows = LINES.map((line, index) => [`${index + 1}.`, line]);
    expect(await textOf(table(rows, { lefts: [60, 90], head: { font: 'B' } }))).not.toContain('|');
  });
});
