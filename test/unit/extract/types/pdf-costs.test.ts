import { describe, expect, it } from 'vitest';
import { PDF_PAGE_DRAWING_BYTES_MAX } from '#extract/limits.ts';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { column, makePdf, stream } from '#support/make-pdf.ts';
import type { PdfPage } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const URL = 'https://pier.example/a.pdf';
/** The object number of the first page, and of the first of further objects. */
const [PAGE, FIRST] = [4, 6];
const TEXTS = column(['The keeper of the lamp.'], 60, 700);
/** White text, because of which the operators of the page are listed. */
const LIGHT = '1 g BT /F 12 Tf 50 600 Td (w) Tj ET 0 g';
const UNCHECKED = /not checked for text that a reader cannot see/;
const guard = (bytes: Uint8Array) => blankCostlyStreams({ bytes, url: URL });

function pageOf(drawn: string, page: Partial<PdfPage>, objects: readonly string[], catalog = ''): Uint8Array {
  return makePdf([{ texts: TEXTS, drawn, ...page }], { objects, catalog });
}

const LAYERS = `/OCProperties << /OCGs [${FIRST} 0 R] /D << >> >>`;
const withLayers = (membership: string, marks: number, ...objects: readonly string[]) =>
  pageOf(
    `${LIGHT} ${'/OC /O BDC EMC '.repeat(marks)}`,
    { resources: `/Properties << /O ${FIRST + 1} 0 R >>` },
    ['<< /Type /OCG /Name (x) >>', `<< /Type /OCMD ${membership} >>`, ...objects],
    LAYERS,
  );
/** Levels of ten references each, which are one object. */
const sharing = (levels: number, leaf: string) =>
  Array.from({ length: levels }, (_, at) => `[/And ${`${FIRST + 3 + at} 0 R `.repeat(10)}]`).concat(leaf);
const sampled = (sizes: readonly number[]) =>
  pageOf(
    `${LIGHT} /Cs cs ${'.5 '.repeat(sizes.length)} scn`,
    {
      resources: `/ColorSpace << /Cs [/DeviceN [${sizes.map((_, at) => `/N${at}`).join(' ')}] /DeviceRGB ${FIRST} 0 R] >>`,
    },
    [
      stream('abc').replace(
        '<<',
        `<< /FunctionType 0 /Domain [${'0 1 '.repeat(sizes.length)}] /Range [0 1 0 1 0 1] /Size [${sizes.join(' ')}] /BitsPerSample 8`,
      ),
    ],
  );

const COSTLY: Readonly<Record<string, () => Uint8Array>> = {
  'an expression of layers with many parts': () =>
    withLayers(`/VE ${FIRST + 2} 0 R`, 5_000, `[/And ${`[/Not ${FIRST} 0 R] `.repeat(500)}]`),
  'an expression of layers that shares its parts': () =>
    withLayers(`/VE ${FIRST + 2} 0 R`, 1, ...sharing(9, `[/Or ${FIRST} 0 R]`)),
  'an expression of layers that is part of itself': () =>
    withLayers(`/VE ${FIRST + 2} 0 R`, 1, `[/And ${`${FIRST + 2} 0 R `.repeat(4)}]`),
  'many layers of one membership': () => withLayers(`/OCGs [${`${FIRST} 0 R `.repeat(2_000)}]`, 2_000),
  'a type with an escaped letter': () => withLayers(`/Type /#4fCMD /OC#47s [${`${FIRST} 0 R `.repeat(2_000)}]`, 2_000),
  'a function with very many samples': () => sampled([100_000_000]),
  'a function with very many inputs': () => sampled(Array.from({ length: 20 }, () => 2)),
};

describe('a page of a PDF whose operators cost much to list', () => {
  it.each(Object.entries(COSTLY))('is read without a check for hidden text: %s', async (_, make) => {
    const bytes = make();
    expect(bytes.length).toBeLessThan(200_000);
    expect(guard(bytes).facts.isListable).toBe(false);
    const { lines, cuts } = await readBytes('pdf', bytes);
    expect(lines.join('\n')).toContain('The keeper of the lamp.');
    expect(cuts.join()).toMatch(UNCHECKED);
  });

  it.each([
    ['in the catalog', `/OCProperties << /OCGs [${`${FIRST} 0 R `.repeat(400)}] /D << >> >>`, ''],
    ['of its own', `/OCProperties ${FIRST + 2} 0 R`, `<< /OCGs [${`${FIRST} 0 R `.repeat(400)}] /D << >> >>`],
    ['by reference', `/OCProperties << /OCGs ${FIRST + 2} 0 R /D << >> >>`, `[${`${FIRST} 0 R `.repeat(400)}]`],
  ])('is checked if memberships have few of many layers, whose list is %s', (_, catalog, list) => {
    const drawn = `${LIGHT} ${'/OC /O BDC EMC '.repeat(2_000)}`;
    const bytesOf = (member: string) =>
      pageOf(
        drawn,
        { resources: `/Properties << /O ${FIRST + 1} 0 R >>` },
        ['<< /Type /OCG /Name (x) >>', `<< /Type /OCMD /OCGs ${member} >>`, list],
        catalog,
      );
    expect(guard(bytesOf(`[${FIRST} 0 R]`)).facts.isListable).toBe(true);
    expect(guard(bytesOf(`[${`${FIRST} 0 R `.repeat(400)}]`)).facts.isListable).toBe(false);
  });

  it.each<[string, () => Uint8Array]>([
    ['layers', () => withLayers(`/OCGs [${FIRST} 0 R] /VE [/Not ${FIRST} 0 R]`, 200)],
    ['samples', () => sampled([16, 16, 16, 16])],
  ])('is checked if it has few %s', (_, make) => {
    expect(guard(make()).facts.isListable).toBe(true);
  });
});

const FORM = (content: string, resources: string) =>
  stream(content).replace('<<', `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`);

describe('a page of a PDF that draws too much', () => {
  it('is left out if a form draws itself many times', () => {
    const form = FORM('/X Do '.repeat(100), `/XObject << /X ${FIRST} 0 R >>`);
    const bytes = pageOf('/X Do '.repeat(100), { resources: `/XObject << /X ${FIRST} 0 R >>` }, [form]);
    expect(guard(bytes).facts.drawnBytes(PAGE)).toBeGreaterThan(PDF_PAGE_DRAWING_BYTES_MAX);
  });

  it('is left out if it names very many fonts', () => {
    const drawn = (fonts: number) => Array.from({ length: fonts }, (_, at) => `BT /G${at} 9 Tf (a) Tj ET`).join('\n');
    const bytesOf = (fonts: number) => guard(pageOf(drawn(fonts), {}, [])).facts.drawnBytes(PAGE);
    expect(bytesOf(20_000)).toBeGreaterThan(PDF_PAGE_DRAWING_BYTES_MAX);
    expect(bytesOf(500)).toBeLessThan(20_000);
  });
});

describe('fonts of a PDF', () => {
  const reading = (bytes: Uint8Array) => readBytes('pdf', bytes);

  it('are refused if glyphs draw large forms many times', async () => {
    const glyph = stream(`9 0 0 0 9 9 d1 ${'/Y Do '.repeat(300)}`);
    const form = FORM('0 0 m 9 9 l S '.repeat(5_000), '');
    const fonts =
      `/T << /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.1 0 0 .1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] ` +
      `/Encoding << /Differences [97 /a] >> /CharProcs << /a ${FIRST} 0 R >> /Resources << /XObject << /Y ${FIRST + 1} 0 R >> >> >>`;
    const bytes = pageOf('BT /T 9 Tf (a) Tj ET', { fonts }, [glyph, form]);
    await expect(reading(bytes)).rejects.toMatchObject({ failure: { reason: 'the fonts of the PDF draw too much' } });
    const small = pageOf('BT /T 9 Tf (a) Tj ET', { fonts }, [glyph, FORM('0 0 m 9 9 l S', '')]);
    expect((await reading(small)).lines.join('\n')).toContain('The keeper of the lamp.');
  });

  it.each<[string, (at: number) => string]>([
    ['simple', (at) => `/Subtype /TrueType /BaseFont /A${at} /FirstChar 0 /LastChar 60000 /Widths ${FIRST} 0 R`],
    [
      'composite',
      (at) =>
        `/Subtype /Type0 /BaseFont /A${at} /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /W ${FIRST + 1} 0 R >>]`,
    ],
  ])('are refused if many share a long list of widths: %s', async (_, font) => {
    const fonts = Array.from({ length: 400 }, (_none, at) => `/G${at} << /Type /Font ${font(at)} >>`).join(' ');
    const bytes = pageOf('', { fonts }, [`[${'500 '.repeat(60_000)}]`, '[0 65000 500]']);
    await expect(reading(bytes)).rejects.toMatchObject({
      failure: { reason: 'the fonts of the PDF have too many characters' },
    });
  });
});
