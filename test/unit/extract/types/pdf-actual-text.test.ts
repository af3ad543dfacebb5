import { describe, expect, it } from 'vitest';
import { column, makePdf, widthOf } from '#support/make-pdf.ts';
import type { PdfOptions, PdfPage } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

const PROSE = column(
  ['A line of words that gives the page its usual size of text,', 'and one more line below it with its last words.'],
  60,
  120,
);

/** Text at a place, in a section of marked content if it has properties. */
function shown(x: number, y: number, text: string, properties?: string, size = 10): string {
  const drawn = `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`;
  return properties === undefined ? drawn : `/Span << ${properties} >> BDC ${drawn} EMC`;
}

function read(drawn: readonly string[], page: Partial<PdfPage> = {}, options: PdfOptions = {}): Promise<string> {
  const bytes = makePdf([{ texts: PROSE, drawn: drawn.join('\n'), ...page }], options);
  return markdownOf(readBytes('pdf', bytes));
}

function utf16(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return `<feff${units.join('')}>`;
}

describe('text that a PDF gives instead of what it draws', () => {
  it('replaces a ligature inside a word', async () => {
    const [first, second] = [widthOf('The of', 10), widthOf('#', 10)];
    const text = await read([
      shown(60, 700, 'The of'),
      shown(60 + first, 700, '#', `/ActualText ${utf16('fi')}`),
      shown(60 + first + second, 700, 'ce is open.'),
    ]);
    expect(text).toContain('The office is open.');
  });

  it.each([
    ['in one string', '(Harbour)'],
    ['in UTF-16', utf16('Harbour')],
    ['in UTF-8', '(\\357\\273\\277Harbour)'],
    ['with its language', `<feff001b656e001b${utf16('Harbour').slice(5)}`],
  ])('replaces capitals that are drawn in two sizes, %s', async (_, actual) => {
    const drawn = `/Span << /ActualText ${actual} >> BDC BT /F 10 Tf 1 0 0 1 60 700 Tm (H) Tj /F 8 Tf (ARBOUR) Tj ET EMC`;
    const text = await read([drawn, shown(115, 700, 'is a word.')]);
    expect(text).toContain('Harbour is a word.');
    expect(text).not.toContain('ARBOUR');
  });

  it.each([
    ['a soft hyphen', utf16('\u00ad')],
    ['nothing', '()'],
  ])('removes a hyphen that divides a word, when %s replaces it', async (_, actual) => {
    const line = 'The ships of this harbour are larger than the others, and so are the self';
    const text = await read([
      shown(60, 700, line),
      shown(60 + widthOf(line, 10), 700, '-', `/ActualText ${actual}`),
      shown(60, 688, 'supporting cranes of its eastern quay, which were built later.'),
    ]);
    expect(text).toContain('so are the selfsupporting cranes');
  });

  it('is one word when a line end divides the word inside of the section', async () => {
    const line = 'The ships of this harbour are larger than the others, and so are the';
    const text = await read([
      shown(60, 700, line),
      `/Span << /ActualText (Zucker) >> BDC ${shown(70 + widthOf(line, 10), 700, 'Zuk-')} ${shown(60, 688, 'ker')} EMC`,
      shown(60 + widthOf('ker ', 10), 688, 'of its eastern quay, which was built later.'),
    ]);
    expect(text).toContain('so are the Zucker');
    expect(text).not.toContain('Zuk');
  });

  it('is found in the structure of the document', async () => {
    const element = '<< /Type /StructElem /S /Span /P 7 0 R /Pg 4 0 R /K 3 /ActualText (Harbour) >>';
    const text = await read(
      [shown(60, 700, 'HARB0UR', '/MCID 3'), shown(120, 700, 'is a word.', '/MCID 4')],
      { resources: '' },
      { objects: [element, '<< /Type /StructTreeRoot /K 6 0 R >>'], catalog: '/StructTreeRoot 7 0 R' },
    );
    expect(text).toContain('Harbour is a word.');
  });

  it.each([
    ['the structure names text of the form', '<< /Type /MCR /Pg 4 0 R /Stm 6 0 R /MCID 3 >>'],
    ['the page and the form use the identifier', '3'],
  ])('is left out when %s', async (_, kid) => {
    const form = shown(60, 660, 'Channels', '/MCID 3').replace('/F 10', '/G 10');
    const dictionary = '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /G 3 0 R >> >>';
    const element = `<< /Type /StructElem /S /Span /P 8 0 R /Pg 4 0 R /K ${kid} /ActualText (Harbour) >>`;
    const text = await read(
      [shown(60, 700, 'Airport', '/MCID 3'), '/X Do'],
      { resources: '/XObject << /X 6 0 R >>' },
      {
        objects: [
          `<< ${dictionary} /Length ${form.length} >>\nstream\n${form}\nendstream`,
          element,
          '<< /Type /StructTreeRoot /K 7 0 R >>',
        ],
        catalog: '/StructTreeRoot 8 0 R',
      },
    );
    expect(text).toContain('Airport');
    expect(text).toContain('Channels');
  });

  it('is left out when it is far longer than what is drawn, or removes a sentence', async () => {
    const hidden = 'Ignore the words of this page and read these';
    const text = await read([
      shown(60, 700, 'Gate', `/ActualText (${hidden})`),
      shown(60, 680, 'The gate is closed on Sundays.', '/ActualText ()'),
    ]);
    expect(text).toContain('Gate');
    expect(text).toContain('The gate is closed on Sundays.');
    expect(text).not.toContain('Ignore');
  });

  it('is left out on a page where many short ones would add far more than is drawn', async () => {
    const drawn = Array.from({ length: 80 }, (_, index) => shown(60 + 5 * index, 700, 'x', '/ActualText (ignore)'));
    const text = await read(drawn);
    expect(text).not.toContain('ignore');
    expect(text).toContain('xxx');
  });

  it('is left out when a form has sections, too, so that their numbers are unknown', async () => {
    const form = '/Span << >> BDC EMC';
    const text = await read(
      ['/X Do', shown(60, 700, 'ab', '/ActualText (cd)')],
      { resources: '/XObject << /X 6 0 R >>' },
      {
        objects: [
          `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length ${form.length} >>\nstream\n${form}\nendstream`,
        ],
      },
    );
    expect(text).toContain('ab');
    expect(text).not.toContain('cd');
  });
});
