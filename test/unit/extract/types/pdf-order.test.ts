import { describe, expect, it } from 'vitest';
import { column, makePdf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

async function read(texts: readonly PdfText[]): Promise<{ text: string; notes: string }> {
  const { lines, cuts } = await readBytes('pdf', makePdf([{ texts }]));
  return { text: lines.join(' ').replace(/\s+/g, ' '), notes: cuts.join(' ') };
}

const SENTENCES = Array.from(
  { length: 9 },
  (_, index) => `the ${index} boat went out to sea and came back with fish in the`,
);

describe('the order of the words of a PDF', () => {
  it('has a large initial before the rest of its word', async () => {
    const { text } = await read([
      { x: 60, y: 664, size: 28, text: 'T' },
      ...column(['HE harbour has been studied for', 'many years and the water in it'], 79, 676),
      ...column(['rises and falls twice a day as', 'everyone knows who lives there.'], 60, 652),
    ]);
    expect(text).toContain('THE harbour has been studied for many years and the water in it rises and falls');
  });

  it('has a space after a large initial that is a whole word', async () => {
    const { text } = await read([
      { x: 60, y: 664, size: 28, text: 'A' },
      ...column(['harbour has been studied for', 'many years. The harbour and'], 79, 676),
      ...column(['its water rise and fall twice.'], 60, 652),
    ]);
    expect(text).toContain('A harbour has been studied for many years. The harbour and its water');
  });

  it('has short columns of text one after the other', async () => {
    const { text } = await read([
      ...column(['The board looked at the yearly', 'figures and'], 60, 700, 11, 14),
      ...column(['agreed the plan for the', 'next year of work.'], 330, 700, 11, 14),
    ]);
    expect(text).toContain('looked at the yearly figures and agreed the plan for the next year of work.');
  });

  it('reads a column that has tables before the column next to it', async () => {
    const words = SENTENCES.map((sentence, index) => sentence.replace('the', `Then ${index}`));
    const table = (y: number) =>
      ['Town', 'Bergen', 'Tromso', 'Hamar', 'Molde'].flatMap((name, row) =>
        [name, row === 0 ? 'Ships' : `${row}038`, row === 0 ? 'Share' : `${row}.6`, row === 0 ? 'Crew' : 'many'].map(
          (text, at) => ({ x: 62 + at * 55, y: y - row * 12, text }),
        ),
      );
    const { text } = await read([
      ...column(words.slice(0, 4), 60, 700, 9, 12),
      ...table(640),
      ...column(words.slice(4, 7), 60, 568, 9, 12),
      ...table(520),
      ...column(words.slice(7), 60, 448, 9, 12),
      ...column(words, 340, 700, 9, 12),
      ...column(words, 340, 580, 9, 12),
    ]);
    expect(text).toContain('| Tromso | 2038 | 2.6 | many |');
    expect(text).toMatch(/Then 3 [^|]*\| Town[^]*Then 6 [^|]*\| Town[^]*Then 8 [^0]*Then 0 0 boat/);
  });

  it('keeps columns apart whose gap is as wide as a letter', async () => {
    const line = 'the boat went out to sea and then back';
    const { text } = await read([
      ...column(
        Array.from({ length: 7 }, () => `${line} L`),
        60,
        700,
        10,
        12,
      ),
      ...column(
        Array.from({ length: 7 }, () => `${line} R`),
        250.48,
        700,
        10,
        12,
      ),
    ]);
    expect(text).not.toMatch(/back R the boat went out to sea and then back L/);
  });

  it('has a note where short blocks may be rows or columns', async () => {
    const { text, notes } = await read([
      ...column(['Harbour Office Ltd', 'Quay Street East', 'Bergen in Norway'], 60, 700),
      ...column(['Muster and Daughters', 'Lindenweg am Markt', 'Leipzig in Sachsen'], 170, 700),
    ]);
    expect(text).toContain('Quay Street East Lindenweg am Markt');
    expect(notes).toContain('read as rows on page 1, but they may be columns');
  });

  it('has notes in the margin after the text', async () => {
    const { text } = await read([
      ...column(SENTENCES, 150, 700, 11, 13),
      { x: 60, y: 701, size: 8, text: 'Boats and' },
      { x: 60, y: 692, size: 8, text: 'their crews' },
      { x: 60, y: 640, size: 8, text: 'Fees' },
    ]);
    expect(text).toContain('fish in the the 1 boat went');
    expect(text).toMatch(/fish in the Boats and their crews Fees$/);
  });

  it('puts a box after the text next to it', async () => {
    const { text } = await read([
      ...column(SENTENCES, 60, 700, 10, 11.6),
      ...column(['AT A GLANCE', 'Ships: 214', 'Berths: 31'], 420, 696, 9, 14),
    ]);
    expect(text).toMatch(/fish in the AT A GLANCE Ships: 214 Berths: 31$/);
  });

  it('has no line numbers of a margin in its sentences, and a note reports their omission', async () => {
    const numbers = SENTENCES.map((_, index) => `${index + 1}`);
    const { text, notes } = await read([...column(numbers, 40, 700, 8), ...column(SENTENCES, 60, 700)]);
    expect(text).toContain('with fish in the the 1 boat went out to sea');
    expect(notes).toContain('line numbers in the margin are left out on page 1');
  });

  it('keeps the numbers of a list', async () => {
    const names = [
      'Bergen in the north',
      'Oslo in the east',
      'Hamar on the lake',
      'Voss in the hills',
      'Bodo in the wind',
    ];
    const { text, notes } = await read([
      ...column(
        names.map((_, index) => `${index + 1}`),
        40,
        700,
      ),
      ...column(names, 60, 700),
    ]);
    expect(text).toContain('4 Voss in the hills 5 Bodo');
    expect(notes).toBe('');
  });
});

describe('a hyphen at the end of a line of a PDF', () => {
  const cases: [lines: string[], joined: string][] = [
    [['The multi-', 'national house'], 'The multinational house'],
    [['It had well-', 'known results'], 'It had well-known results'],
    [['Send an e-', 'mail of 2020-', '2021 to all'], 'Send an e-mail of 2020-2021 to all'],
    [['After COVID-', '19 came'], 'After COVID-19 came'],
    [['The Anglo-', 'Saxon house'], 'The Anglo-Saxon house'],
    [['The pre-', 'and post-war years'], 'The pre- and post-war years'],
    [['SEE THE EVALUA-', 'TION BELOW'], 'SEE THE EVALUATION BELOW'],
  ];
  it.each(cases)('is joined: %j reads %j', async (lines, joined) => {
    expect((await read(column(lines, 60, 700))).text).toContain(joined);
  });
});

describe('code in a PDF', () => {
  const INTRO = column(
    [...SENTENCES, 'Use this program to compute the value, as the next lines show in full:'],
    60,
    790,
    9,
    9,
  ).map((line) => ({ ...line, size: 10 }));
  const code = (lines: readonly [x: number, text: string][]) =>
    lines.map(([x, text], index) => ({ x, y: 700 - index * 12, text, mono: true }));

  it('is known by the equal width of its letters if the file does not declare the font as monospaced', async () => {
    const widths = Array.from({ length: 95 }, () => 525).join(' ');
    const fonts = `/X << /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Lines10 /FirstChar 32 /LastChar 126 /Widths [${widths}] /Encoding /WinAnsiEncoding /FontDescriptor << /Type /FontDescriptor /FontName /ABCDEF+Lines10 /Flags 32 >> >>`;
    const lines = code([
      [60, 'for i in range(23):'],
      [70.5, 'return refreshes.automatic'],
      [60, 'replaced = more(4)'],
    ]).map((line) => ({ ...line, mono: false, font: 'X' }));
    const { lines: written } = await readBytes('pdf', makePdf([{ texts: [...INTRO, ...lines], fonts }]));
    expect(written.join('\n')).toContain(
      '```\nfor i in range(23):\n  return refreshes.automatic\nreplaced = more(4)\n```',
    );
  });

  it('keeps its fence and indents however long the page is', async () => {
    const part = (y: number) =>
      Array.from({ length: 14 }, (_, index) => ({
        x: 60 + (index % 3) * 12,
        y: y - index * 12,
        text: `f(${index})`,
        mono: true,
      }));
    const between = column(['The second part follows, with the same indents:'], 60, 500);
    const { lines } = await readBytes('pdf', makePdf([{ texts: [...INTRO, ...part(680), ...between, ...part(480)] }]));
    expect(lines.filter((line) => line === '```')).toHaveLength(4);
    expect(lines.filter((line) => line === '    f(11)')).toHaveLength(2);
  });

  it('keeps the gaps between its columns, and omits its line numbers', async () => {
    const source = code([
      [60, 'raw'],
      [60, 'logical'],
      [60, 'double'],
      [60, 'integer'],
    ]);
    const second = source.map((line) => ({ ...line, x: 132, text: 'x' }));
    const numbers = source.map(({ y }, index) => ({ x: 45, y, size: 6, text: `${index + 1}` }));
    const { lines } = await readBytes('pdf', makePdf([{ texts: [...INTRO, ...numbers, ...source, ...second] }]));
    expect(lines.join('\n')).toContain('```\nraw         x\nlogical     x\n');
  });

  it('has spaces between its words whatever the width of its letters', async () => {
    // Half as wide as those of Courier at the same size.
    const narrow = ['set', 'xlabel', 'offset', '0', '3'].map((text, index, all) => ({
      x: 60 + (all.slice(0, index).join(' ').length + (index > 0 ? 1 : 0)) * 3,
      y: 640,
      text,
      mono: true,
      state: '50 Tz',
    }));
    const { lines } = await readBytes('pdf', makePdf([{ texts: [...INTRO, ...narrow] }]));
    expect(lines).toContain('set xlabel offset 0 3');
  });

  it('is not a block when it is a line of a sentence', async () => {
    const { text } = await read([
      ...column(['The words of the licence stand in the copyright file, which is found in the folder'], 60, 700),
      { x: 60, y: 688, text: '/usr/share/doc', mono: true },
      ...column(['of each package and is read by all of its users with care and with their time.'], 60, 676),
    ]);
    expect(text).toContain('in the folder /usr/share/doc of each package');
  });
});
