import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PDF_PAGE_DRAWING_BYTES_MAX } from '#extract/limits.ts';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { column, latin1, makePdf } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const URL = 'https://pier.example/a.pdf';
/** The object number of the first page, and of its content. */
const [PAGE, CONTENT] = [4, 5];
const NEXT = { texts: column(['The next page.'], 60, 700) };
const LEFT_OUT = 'The text is left out on page 1, which draws too much to be read.';

function drawnBytes(bytes: Uint8Array): number {
  return blankCostlyStreams({ bytes, url: URL }).facts.drawnBytes(PAGE);
}

/** A packed form. Its resources have the form of the next object. */
function form(content: string, next = 0): string {
  const data = deflateSync(Buffer.from(content, 'latin1')).toString('latin1');
  const resources = `/Resources << /Font << /F 3 0 R >> /XObject << /Fm ${next} 0 R >> >>`;
  return `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources} /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

const pageOf = (drawn: string) => ({ texts: column(['A page that nests.'], 60, 700), drawn });
const withForms = (drawn: string, ...forms: readonly string[]) =>
  makePdf([{ ...pageOf(drawn), resources: '/XObject << /Fm 8 0 R >>' }, NEXT], { objects: forms });
const listing = (pdf: Uint8Array, contents: string) =>
  latin1(Buffer.from(pdf).toString('latin1').replace(`/Contents ${CONTENT} 0 R`, `/Contents ${contents}`));

/** Each page makes pdf.js save states within states, which costs it far more than their bytes. */
const NESTED: Readonly<Record<string, () => Uint8Array>> = {
  'in its content': () => makePdf([pageOf('q '.repeat(10_000)), NEXT]),
  'without spaces': () => makePdf([pageOf('q'.repeat(10_000)), NEXT]),
  'with operators that restore nothing': () => makePdf([pageOf('q (Q) /Q [Q] <Q> %Q\n'.repeat(10_000)), NEXT]),
  'after an inline image, whose data may look like its end': () =>
    makePdf([pageOf('q BI /W 1 /H 1 ID x EI Q zz '.repeat(10_000)), NEXT]),
  'and restores them, again and again': () =>
    makePdf([pageOf(`${'q '.repeat(28)}${'Q '.repeat(28)}`.repeat(2_000)), NEXT]),
  'in a content that it names many times': () =>
    listing(makePdf([pageOf('q '.repeat(100)), NEXT]), `[${`${CONTENT} 0 R `.repeat(100)}]`),
  'in a list of contents that stands elsewhere': () =>
    listing(makePdf([pageOf('q '.repeat(100)), NEXT], { objects: [`[${`${CONTENT} 0 R `.repeat(100)}]`] }), '8 0 R'),
  'in a form': () => withForms('/Fm Do', form('q '.repeat(10_000))),
  'in a small form that it draws many times': () =>
    withForms('/Fm Do '.repeat(500), form(`${'q '.repeat(180)}BT /F 9 Tf (a) Tj ET`)),
  'in forms within forms': () =>
    withForms('/Fm Do', ...Array.from({ length: 40 }, (_, at) => form(`${'q '.repeat(190)}/Fm Do`, at + 9))),
};

describe('a page of a PDF that saves states within states', () => {
  it.each(Object.entries(NESTED))('is left out: %s', async (_, make) => {
    const pdf = make();
    expect(pdf.length).toBeLessThan(400_000);
    expect(drawnBytes(pdf)).toBeGreaterThan(PDF_PAGE_DRAWING_BYTES_MAX);
    const { lines, cuts } = await readBytes('pdf', pdf);
    expect(cuts).toContain(LEFT_OUT);
    expect(lines.join('\n')).toContain('The next page.');
  });

  it.each([
    ['10,000 times one within another', 'q q 1 0 0 1 0 0 cm Q Q '.repeat(10_000)],
    ['28 within each other', `${'q '.repeat(28)} 0 0 m 9 9 l S ${'Q '.repeat(28)}`.repeat(50)],
    ['100,000 times one', 'q Q '.repeat(100_000)],
    ['1,000 that are never restored', 'q '.repeat(1_000)],
    ['as words of a text', 'BT (q q q \\) q) Tj ET '.repeat(10_000)],
    ['around inline images', 'q BI /W 1 /H 1 ID x EI Q '.repeat(1_000)],
  ])('is read if it saves as many as programs write: %s', async (_, drawn) => {
    const { lines, cuts } = await readBytes('pdf', makePdf([pageOf(drawn), NEXT]));
    expect(lines.join('\n')).toContain('A page that nests.');
    expect(cuts).not.toContain(LEFT_OUT);
  });

  it('costs only its own bytes if it saves few', () => {
    const drawn = 'q 0 0 m 9 9 l S Q '.repeat(100);
    const bytes = drawnBytes(makePdf([{ texts: [], drawn }]));
    expect(bytes).toBeLessThan(drawn.length + 20);
  });
});

describe('the contents of a page', () => {
  it('count as often as the page names them', async () => {
    const words = 'BT /F 12 Tf 50 600 Td (word) Tj ET\n'.repeat(2_000);
    const pdf = makePdf([pageOf(words), NEXT]);
    const once = drawnBytes(pdf);
    expect(drawnBytes(listing(pdf, `[${`${CONTENT} 0 R `.repeat(3)}]`))).toBe(3 * once);
    const { lines, cuts } = await readBytes('pdf', listing(pdf, `[${`${CONTENT} 0 R `.repeat(3_000)}]`));
    expect(cuts).toContain(LEFT_OUT);
    expect(lines.join('\n')).toContain('The next page.');
  });
});
