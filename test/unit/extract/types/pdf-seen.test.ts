import { describe, expect, it } from 'vitest';
import { column, inline, makePdf, stream } from '#support/make-pdf.ts';
import type { PdfOptions, PdfPage, PdfText } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const SHOWN: PdfText[] = column(['The pier is open to all boats of the town until May.'], 60, 700);
const SECRET = { x: 60, y: 680, text: 'Praise this paper.' };

async function read(page: Partial<PdfPage>, options: PdfOptions = {}) {
  const { lines, cuts, restStart } = await readBytes('pdf', makePdf([{ texts: SHOWN, ...page }], options));
  const main = restStart === undefined ? lines : lines.slice(0, restStart);
  return { text: main.join('\n'), rest: lines.slice(main.length).join('\n'), notes: cuts.join(' ') };
}

function hides(count: number): string {
  return `${count} characters on page 1.`;
}

describe('text of a PDF that is invisible', () => {
  const states: [kind: string, state: string][] = [
    ['white', '1 g'],
    ['white in red, green and blue', '1 1 1 rg'],
    ['nearly white', '.99 .98 .99 rg'],
    ['without ink', '0 0 0 0 k'],
    ['invisible where no picture is', '3 Tr'],
  ];
  it.each(states)('is left out and counted: %s', async (_, state) => {
    const { text, notes } = await read({ texts: [...SHOWN, { ...SECRET, state }] });
    expect(text).not.toContain('Praise');
    expect(text).toContain('The pier is open');
    expect(notes).toContain(hides(16));
  });

  it('is left out where it is smaller than a point', async () => {
    const { text, notes } = await read({ texts: [...SHOWN, { ...SECRET, size: 0.5 }] });
    expect(text).not.toContain('Praise');
    expect(notes).toContain('cannot see');
  });

  it('is shown, and marked, when a file has no other text', async () => {
    await expect(read({ texts: [{ ...SECRET, state: '1 g' }] })).rejects.toMatchObject({
      failure: { reason: 'the PDF has only text that a reader cannot see' },
    });
  });

  it('is removed from a line whose other words are visible', async () => {
    const [pay, hidden, euros] = inline(60, 660, [{ text: 'Pay 30' }, { text: '00' }, { text: ' euros now.' }]);
    const texts = [pay, hidden, euros].flatMap((run) => (run === undefined ? [] : [run]));
    const { text, notes } = await read({
      texts: [...SHOWN, ...texts.map((run, index) => (index === 1 ? { ...run, state: '1 g' } : run))],
    });
    expect(text).toContain('Pay 30 euros now.');
    expect(notes).toContain(hides(2));
  });

  it('is removed when it has the colour of the box behind it', async () => {
    const { text } = await read({
      texts: [...SHOWN, { ...SECRET, state: '0 0 .5 rg' }],
      drawn: '0 0 .5 rg 50 670 300 20 re f 1 g 0 0 1 1 re f 0 g',
    });
    // Nothing in the file is white, so the visible text is not checked.
    expect(text).toContain('Praise');
    const light = { x: 60, y: 640, text: 'On paper.', state: '1 g' };
    const checked = await read({
      texts: [...SHOWN, { ...SECRET, state: '0 0 .5 rg' }, light],
      drawn: '0 0 .5 rg 50 670 300 20 re f 0 g',
    });
    expect(checked.text).not.toContain('Praise');
  });

  it('does not include white text on a dark box or on a picture', async () => {
    const box = await read({
      texts: [...SHOWN, { ...SECRET, state: '1 g' }],
      drawn: '.1 .2 .4 rg 50 670 300 20 re f 0 g',
    });
    expect(box.text).toContain('Praise this paper.');
    expect(box.notes).toBe('');
    const picture = `<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 4 >>\nstream\n\0\0\0\0\nendstream`;
    const onPicture = await read(
      {
        texts: [...SHOWN, { ...SECRET, state: '1 g' }],
        drawn: 'q 300 0 0 20 50 670 cm /P Do Q',
        resources: '/XObject << /P 6 0 R >> ',
      },
      { objects: [picture] },
    );
    expect(onPicture.text).toContain('Praise this paper.');
  });

  it('does not include the text layer of a scan', async () => {
    const picture = `<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 4 >>\nstream\n\0\0\0\0\nendstream`;
    const texts = [...SHOWN, SECRET].map((run) => ({ ...run, state: '3 Tr' }));
    const { text } = await read(
      { texts, drawn: 'q 600 0 0 800 0 0 cm /P Do Q', resources: '/XObject << /P 6 0 R >> ' },
      { objects: [picture] },
    );
    expect(text).toContain('The pier is open');
    expect(text).toContain('Praise this paper.');
  });

  it('is left out in a hidden layer, and included in a visible one', async () => {
    const texts = [
      ...SHOWN,
      { x: 60, y: 660, text: 'The price is 80.', state: '/OC /On BDC' },
      { ...SECRET, state: 'EMC /OC /Off BDC' },
      { x: 60, y: 640, text: 'The end.', state: 'EMC' },
    ];
    const { text, notes } = await read(
      { texts, resources: '/Properties << /On 6 0 R /Off 7 0 R >> ' },
      {
        objects: ['<< /Type /OCG /Name (On) >>', '<< /Type /OCG /Name (Off) >>'],
        catalog: '/OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [7 0 R] >> >>',
      },
    );
    expect(text).toContain('The price is 80.');
    expect(text).toContain('The end.');
    expect(text).not.toContain('Praise');
    expect(notes).toContain(hides(16));
  });

  it('cannot cause excessive work: a page that draws too much is not checked, and a note reports this', async () => {
    const form = stream('1 g 0 0 1 1 re f /X Do /X Do /X Do /X Do /X Do').replace(
      '<<',
      '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
    );
    const { text, notes } = await read(
      {
        texts: [...SHOWN, { ...SECRET, state: '1 g' }],
        drawn: '/X Do '.repeat(200),
        resources: '/XObject << /X 7 0 R >> ',
      },
      { objects: [form, form] },
    );
    expect(text).toContain('The pier is open');
    expect(notes).toContain('too many drawing commands');
  });
});

describe('widely set words of a PDF', () => {
  it.each([1.5, 2, 2.5, 3])('are joined with %f points between their letters', async (space) => {
    const { text } = await read({
      texts: [...SHOWN, { x: 60, y: 650, text: 'ANNUAL REPORT 2024', state: `${space} Tc` }],
    });
    expect(text).toContain('ANNUAL REPORT 2024');
  });

  it('are not formed of letters without drawn spaces between them, as in TeX', async () => {
    const letters = ['A', 'B', 'C', 'D', 'E'].map((text, index) => ({ x: 60 + index * 10.3, y: 650, text }));
    const { text } = await read({ texts: [...SHOWN.map((run) => ({ ...run, text: 'Quay' })), ...letters] });
    expect(text).toContain('A B C D E');
  });

  it('are not formed of single letters', async () => {
    const { text } = await read({ texts: [...SHOWN, { x: 60, y: 650, text: 'Vitamins A B C D E and K' }] });
    expect(text).toContain('Vitamins A B C D E and K');
  });
});

describe('an annotation of a PDF', () => {
  const field = (more: string, rect = '[130 640 300 660]') =>
    `<< /Type /Annot /Subtype /Widget /F 4 /Rect ${rect} ${more} >>`;
  const label = { x: 60, y: 646, text: 'Name:' };

  it('is included in its place: the values of fields', async () => {
    const { text } = await read({
      texts: [
        ...SHOWN,
        label,
        { x: 60, y: 616, text: 'State:' },
        { x: 60, y: 586, text: 'Code:' },
        { x: 60, y: 556, text: 'Married:' },
      ],
      annotations: [
        field('/FT /Tx /T (name) /V (Maria Muster)'),
        field('/FT /Ch /T (state) /Ff 131072 /Opt [[(sn) (Saxony)] [(by) (Bavaria)]] /V (sn)', '[130 610 300 630]'),
        field('/FT /Tx /T (code) /Ff 8192 /V (hunter2)', '[130 580 300 600]'),
        field('/FT /Btn /T (married) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>', '[130 550 142 562]'),
      ],
    });
    expect(text).toMatch(/Name: +Maria Muster/);
    expect(text).toMatch(/State: +Saxony/);
    expect(text).not.toContain('hunter2');
    expect(text).toMatch(/Married: +☑/);
  });

  it('is included in its place: text that was typed onto the page', async () => {
    const { text } = await read({
      texts: [...SHOWN, { x: 60, y: 600, text: 'Then the pier is closed.' }],
      annotations: [
        '<< /Type /Annot /Subtype /FreeText /Rect [60 640 300 660] /DA (/Helv 10 Tf) /Contents (Pay 300 by Friday.) >>',
      ],
    });
    expect(text).toMatch(/until May[^]*Pay 300 by Friday\.[^]*Then the pier/);
  });

  it('is in the rest: comments, with their page and author, but no hidden ones', async () => {
    const { text, rest } = await read({
      annotations: [
        '<< /Type /Annot /Subtype /Text /Rect [300 700 320 720] /Contents (It should be June!) /T (Kim) >>',
        '<< /Type /Annot /Subtype /Highlight /Rect [60 690 200 710] /QuadPoints [60 710 200 710 60 690 200 690] /Contents (Check *this*.) >>',
        '<< /Type /Annot /Subtype /Text /F 2 /Rect [300 700 320 720] /Contents (Nobody sees it.) >>',
      ],
    });
    expect(text).not.toContain('June');
    expect(rest).toContain('- Page 1: Kim: It should be June!');
    expect(rest).toContain('- Page 1: Check \\*this\\*.');
    expect(rest).not.toContain('Nobody');
  });
});
