import { describe, expect, it } from 'vitest';
import { mergeDoubledLetters } from '#extract/pdf/drawn/copies.ts';
import { rewriteFromGlyphs } from '#extract/pdf/drawn/glyph-codes.ts';
import { NearbyGlyphs } from '#extract/pdf/drawn/seen-text.ts';
import { column, makePdf, stream, widthOf } from '#support/make-pdf.ts';
import type { PdfPage, PdfText } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

const BODY = column(['The pier is open to all boats of the town until May.'], 60, 700);

function read(page: Partial<PdfPage>, objects: readonly string[] = []): Promise<string> {
  return markdownOf(readBytes('pdf', makePdf([{ texts: BODY, ...page }], { objects })));
}

/** A bitmap font as TeX makes it: its glyphs are named after their codes, and nothing names their characters. */
function texFont(): string {
  const codes = Array.from({ length: 113 }, (_, index) => index + 11);
  const names = codes.map((code) => `/a${code}`).join('');
  const shapes = codes.map((code) => `/a${code} 6 0 R`).join(' ');
  return (
    `/T << /Type /Font /Subtype /Type3 /FontBBox [0 0 50 50] /FontMatrix [.01 0 0 .01 0 0] /CharProcs << ${shapes} >> ` +
    `/Encoding << /Type /Encoding /Differences [11 ${names}] >> /FirstChar 11 /LastChar 123 ` +
    `/Widths [${codes.map(() => 50).join(' ')}] >> `
  );
}
const SHAPE = stream('50 0 0 0 48 48 d1 0 0 48 48 re f');

function inTex(words: readonly string[], y: number): PdfText[] {
  let x = 60;
  return words.map((text) => {
    const word = { x, y, text, font: 'T' };
    x += text.length * 5 + 3.3;
    return word;
  });
}

/** A symbol font as Word embeds it: its codes are private characters. */
function wordFont(name: string): string {
  const widths = Array.from({ length: 224 }, () => 600).join(' ');
  return `/T << /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+${name} /FirstChar 32 /LastChar 255 /Widths [${widths}] /ToUnicode 6 0 R >> `;
}
const PRIVATE_CODES = stream(
  'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <FF> <F020> endbfrange endcmap',
);

describe('characters of a PDF that its fonts do not name', () => {
  it('are read: ligatures and dashes of the bitmap fonts of TeX', async () => {
    const texts = [
      ...inTex(['The', 'e\x0ecient', '\x0cnder', 'of', 'the', '\x0dow', 'was', 'o\x0bered'], 700),
      ...inTex(['in', '\\quoted"', 'years', '1990{1995', 'as', 'a', 'ba\x0fe'], 688),
    ];
    const text = await read({ texts, fonts: texFont() }, [SHAPE]);
    expect(text.replaceAll('\n', ' ')).toContain(
      'The efficient finder of the flow was offered in “quoted” years 1990–1995',
    );
    expect(text).toContain('a baffle');
  });

  it('are not made ligatures in a font without words, whose codes are Greek letters', async () => {
    const text = await read({ texts: [...BODY, ...inTex(['a', '\x0c', 'x'], 680)], fonts: texFont() }, [SHAPE]);
    expect(text).not.toContain('fi');
  });

  it('are read: check marks and crosses of ZapfDingbats', async () => {
    const texts = [
      ...BODY,
      { x: 60, y: 680, text: 'Mail: ' },
      { x: 90, y: 680, text: '4', font: 'Z' },
      { x: 60, y: 140, text: 'Chat: ' },
      { x: 90, y: 140, text: '8', font: 'Z' },
    ];
    const text = await read({ texts, fonts: '/Z << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> ' });
    expect(text).toContain('Mail: ✔');
    expect(text).toContain('Chat: ✘');
  });

  it.each([
    ['Wingdings', '\xfc', '✓'],
    ['Wingdings-Regular', '\xfe', '🗹'],
    ['SymbolMT', 'm', 'μ'],
  ])('are read: %s in a PDF of Word', async (name, code, mark) => {
    const texts = [...BODY, { x: 60, y: 680, text: 'Paid: ' }, { x: 90, y: 680, text: code, font: 'T' }];
    expect(await read({ texts, fonts: wordFont(name) }, [PRIVATE_CODES])).toContain(`Paid: ${mark}`);
  });

  it('are not read as Greek in an icon font that only has such a name', async () => {
    const texts = [...BODY, { x: 60, y: 680, text: 'a', font: 'T' }];
    expect(await read({ texts, fonts: wordFont('MaterialSymbolsOutlined') }, [PRIVATE_CODES])).not.toContain('α');
  });

  it('mark list items: bullets in a PDF of Word', async () => {
    const items = ['Check the fuel', 'Take water'].flatMap((text, index) => [
      { x: 60, y: 680 - 14 * index, text: '\xb7', font: 'T' },
      { x: 75, y: 680 - 14 * index, text },
    ]);
    expect(await read({ texts: [...BODY, ...items], fonts: wordFont('SymbolMT') }, [PRIVATE_CODES])).toContain(
      '- Check the fuel\n- Take water',
    );
  });
});

describe('text that a PDF draws twice to make it bold', () => {
  const total = 'Total due: 1,250.00';

  it('is read once', async () => {
    const texts = [0, 0.35].map((by) => ({ x: 60 + by, y: 680, text: total }));
    const text = await read({ texts: [...BODY, ...texts] });
    expect(text.split(total)).toHaveLength(2);
  });

  it('is read once when each letter is drawn twice', async () => {
    let x = 60;
    const texts = Array.from(total).flatMap((letter) => {
      const twice = [0, 0.3].map((by) => ({ x: x + by, y: 680, text: letter }));
      x += widthOf(letter, 10);
      return twice;
    });
    expect((await read({ texts: [...BODY, ...texts] })).split(total)).toHaveLength(2);
  });

  it('is read twice in two places', async () => {
    const texts = [0, 30].map((by) => ({ x: 60 + by, y: 680, text: '77' }));
    expect(await read({ texts: [...BODY, ...texts] })).toContain('77 77');
  });
});

describe('a page with all its text in one place', () => {
  const [MANY, RUNS] = [10_000, 300];
  const glyph = { text: 'n', x: 60, y: 700, width: 6, size: 10, font: 'T', isHidden: false };
  const box = { dir: 'ltr', width: 6, transform: [10, 0, 0, 10, 60, 700], mono: false, font: 'T', hasOwnCodes: true };
  const near = () => new NearbyGlyphs(Array.from({ length: MANY }, () => glyph));
  const runs = Array.from({ length: RUNS }, (_, n) => ({ ...box, str: `${n}` }));

  it('is compared with its glyphs up to a limit: text of a symbol font', () => {
    const around = near();
    expect(rewriteFromGlyphs(runs, around).at(-1)?.str).toBe(`${RUNS - 1}`);
    expect(around.hasTooMany).toBe(true);
  });

  it('is compared with its glyphs up to a limit: text that is drawn twice', () => {
    const around = near();
    const lines = runs.map((run) => [run]);
    expect(mergeDoubledLetters(runs, lines, around).at(-1)?.str).toBe(`${RUNS - 1}`);
    expect(around.hasTooMany).toBe(true);
  });
});

describe('sideways text of a PDF', () => {
  const cell = (across: number, row: number, text: string) => ({
    x: 200 + 20 * row,
    y: 100 + 100 * across,
    text,
    turned: true,
  });
  const grid = ['Ship', 'Length', 'Built', 'Aurora', '88.2', '1998', 'Borea', '', '2004', 'Cygnus', '64.0', '1987'];

  it('is a table like an upright one', async () => {
    const cells = grid.flatMap((text, index) => (text === '' ? [] : [cell(index % 3, Math.floor(index / 3), text)]));
    const text = await read({ texts: [{ x: 60, y: 750, text: 'Annex B. The ships of the company' }, ...cells] });
    expect(text).toContain('| Ship | Length | Built |');
    expect(text).toContain('| Borea |  | 2004 |');
  });
});

describe('a listing of a PDF', () => {
  it('has no line numbers, also where lines are blank', async () => {
    const code = [
      'def tide(port):',
      '    out = []',
      '',
      '    for h in port:',
      '        out.append(h)',
      '',
      '    return out',
    ];
    const lines = code.flatMap((text, index) => [
      { x: 50, y: 140 - 11 * index, text: String(index + 1), size: 7 },
      ...(text === '' ? [] : [{ x: 70 + 6 * text.search(/\S/), y: 140 - 11 * index, text: text.trim(), mono: true }]),
    ]);
    expect(await read({ texts: [...BODY, ...lines] })).toContain('```\n' + code.join('\n') + '\n```');
  });

  it('is code even if it is most of the page', async () => {
    const lines = Array.from({ length: 6 }, (_, index) => `    value_${index} = measured(${index})`);
    const code = ['if ready:', ...lines].map((text, index) => ({
      x: 60 + 6 * text.search(/\S/),
      y: 140 - 12 * index,
      text: text.trim(),
      mono: true,
    }));
    expect(await read({ texts: [...BODY, ...code] })).toContain('```\nif ready:\n' + lines.join('\n'));
  });
});

describe('words of a PDF', () => {
  it('are joined when wide letter spacing sets them off within a sentence', async () => {
    const parts = [
      { text: 'The board has ', space: 0 },
      { text: 'never', space: 3 },
      { text: ' seen ', space: 0 },
      { text: 'this plan', space: 2.4 },
      { text: ' of 1923.', space: 0 },
    ];
    const drawn = parts.map(({ text, space }) => `${space} Tc (${text}) Tj`).join(' ');
    const text = await read({ drawn: `BT /F 10 Tf 60 660 Td ${drawn} ET` });
    expect(text).toContain('The board has never seen this plan of 1923.');
  });

  it('keep their hyphens and dashes at line ends', async () => {
    const lines = [
      'All ships pay in advance; the state-of-the-',
      'art crane of the years 1990\x96',
      '1995 was sold in the twenty-',
    ];
    const texts = column(
      [...lines, 'first week, with part number AB-', '1234, to another town in the north of the land.'],
      60,
      660,
    );
    const text = (await read({ texts: [...BODY, ...texts] })).replaceAll('\n', ' ');
    expect(text).toContain('state-of-the-art crane of the years 1990–1995 was sold in the twenty-first week');
    expect(text).toContain('AB-1234, to');
  });

  it('are whole if a line end divides them after a prefix', async () => {
    const texts = column(
      ['All the wards use non-in-', 'vasive care and a one-to-', 'one talk with all people.'],
      60,
      660,
    );
    const text = (await read({ texts: [...BODY, ...texts] })).replaceAll('\n', ' ');
    expect(text).toContain('non-invasive care and a one-to-one talk');
  });

  it.each([
    ['(Values: 10) -280 (22) -280 (3) -280 (4) -280 (5)', 'Values: 10 22 3 4 5'],
    ['(Values of the harbour: 1) -280 (2) -280 (3) -280 (4)', 'Values of the harbour: 1 2 3 4'],
    ['(Columns: A) -280 (B) -280 (C) -280 (D) -280 (E) -280 (F)', 'Columns: A B C D E F'],
    ['(where x) -280 (y) -280 (z) -280 (w are lengths)', 'where x y z w are lengths'],
    ['(Scores: 7) -250 (8) -250 (9) -250 (x) -250 (2)', 'Scores: 7 8 9 x 2'],
  ])('stay apart if they are values with gaps: %s', async (parts, line) => {
    expect(await read({ drawn: `BT /F 10 Tf 60 660 Td [${parts}] TJ ET` })).toContain(line);
  });

  it('stay apart in short lines that end with a minus', async () => {
    const grades = ['Maths A-', 'Physics B', 'Art A-', 'Music C'];
    const text = await read({
      texts: [...BODY, ...grades.map((grade, n) => ({ x: 60, y: 140 - 12 * n, text: grade }))],
    });
    expect(text).not.toContain('A-P');
    expect(text).not.toContain('A-M');
  });

  it('are whole if a hyphen divides the second part of a compound', async () => {
    const texts = column(['The harbour has a self-evalu-', 'ation of its own in every year of the plan.'], 60, 660);
    expect(await read({ texts: [...BODY, ...texts] })).toContain('self-evaluation of');
  });
});

describe('accents that a PDF draws over letters', () => {
  /** Width of an accent, in points. Those of TeX's fonts are wider than those of this font. */
  const ACCENT_WIDTH = 4.2;
  /** Texts on one line, with an accent over the middle of the first letter of each but the first. */
  const accented = (y: number, first: string, ...others: [accent: string, text: string][]): PdfText[] => {
    const drawn = [{ x: 60, y, text: first }];
    let x = 60 + widthOf(first, 10);
    for (const [accent, text] of others) {
      drawn.push({ x: x + (widthOf(text.charAt(0), 10) - ACCENT_WIDTH) / 2, y, text: accent }, { x, y, text });
      x += widthOf(text, 10);
    }
    return drawn;
  };

  it('form one character with the letter after them', async () => {
    const texts = accented(140, 'In Z', ['\xa8', 'urich the caf'], ['\xb4', 'e for a fa'], ['\xb8', 'cade.']);
    expect(await read({ texts: [...BODY, ...texts] })).toContain('In Zürich the café for a façade.');
  });

  it('form one character with capitals, over which they are raised', async () => {
    const start = 60 + widthOf('Here ', 10);
    const texts = [
      { x: 60, y: 140, text: 'Here ' },
      { x: start + 1.9, y: 142.3, text: '\xa8' },
      { x: start, y: 140, text: 'Uber is new.' },
    ];
    expect(await read({ texts: [...BODY, ...texts] })).toContain('Here Über is new.');
  });

  it('stay apart from text that only follows them', async () => {
    const texts = [
      { x: 60, y: 140, text: 'A sign such as \xa8' },
      { x: 60 + widthOf('A sign such as ', 10) + 3.33, y: 140, text: 'over a letter' },
    ];
    expect(await read({ texts: [...BODY, ...texts] })).toContain('A sign such as ¨over a letter');
  });
});
